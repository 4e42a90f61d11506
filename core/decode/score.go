package decode

import (
	"slices"

	"decodingplayground/core/logits"
)

// scored is the distribution a token is chosen from: the model's row, the
// scores after the pipeline, and the decision that a watcher sees.
type scored struct {
	row    *row
	scores []float32 // not to be changed: without stages they are the row's
	lse    float64
	note   *Decision
}

// extra are stages that a strategy puts around the pipeline, or into it after
// guidance, where transformers has its diversity penalty.
type extra struct{ before, guided, after logits.Pipeline }

// stage is a stage of a strategy's own.
type stage func(scores []float32)

// Process implements logits.Processor.
func (s stage) Process(_ logits.Context, scores []float32) { s(scores) }

// score runs the pipeline on base, a row for the token after ids: the model's
// logits or log-probabilities. base is not changed.
func (e *Env) score(from *Hypothesis, ids []int, r *row, base []float32, x extra) *scored {
	s := &scored{row: r}
	c := e.context(ids)
	c.Without = e.without(from)
	n := e.guided()
	p := slices.Concat(x.before, e.pipeline[:n], x.guided, e.pipeline[n:], x.after)
	switch {
	case e.watch == nil && len(p) == 0:
		s.scores = base
	case e.watch == nil:
		s.scores = slices.Clone(base)
		p.Apply(c, s.scores)
	default:
		s.note = &Decision{From: from, At: len(ids) - e.promptLen, Stages: e.stages(x)}
		e.watch.note(s.note, p, c, base)
		s.scores = s.note.Trace.Final()
	}
	switch {
	case s.untouched():
		s.lse = r.lse
	case s.note != nil:
		s.lse = s.note.Trace.LogSumExp()
	default:
		s.lse = logits.LogSumExp(s.scores)
	}
	return s
}

// stages is Decision.Stages.
func (e *Env) stages(x extra) []int {
	list := []int{-1}
	for range x.before {
		list = append(list, -1)
	}
	n := e.guided()
	list = append(list, e.index[:n]...)
	for range x.guided {
		list = append(list, -1)
	}
	list = append(list, e.index[n:]...)
	for range x.after {
		list = append(list, -1)
	}
	return list
}

// scoreOf is score on the model's logits after h.
func (e *Env) scoreOf(h *Hypothesis, x extra) (*scored, error) {
	rows, err := e.rows(h)
	if err != nil {
		return nil, err
	}
	return e.score(h, h.Sequence(), rows[0], rows[0].logits, x), nil
}

// untouched says that the scores are the row's.
func (s *scored) untouched() bool { return &s.scores[0] == &s.row.logits[0] }

// prob is id's probability after the pipeline.
func (s *scored) prob(id int) float64 { return logits.Prob(s.scores[id], s.lse) }

// probs are the probabilities after the pipeline.
func (s *scored) probs() []float64 { return logits.Softmax[float64](nil, s.scores) }

// take notes that id was chosen and returns the record of it.
func (s *scored) take(d drawn, die float64) Taken {
	t := Taken{
		ID: d.id, ModelProb: s.row.prob(d.id), Prob: s.prob(d.id), Rank: s.row.rank(d.id),
		Surprise: surpriseBits(s.row.logProb(d.id)), Entropy: s.row.entropy, Nucleus: s.row.nucleus,
		Die: die, Low: d.low, High: d.high,
	}
	if s.note != nil {
		s.note.Picks = append(s.note.Picks, t)
	}
	return t
}

// best is the likeliest token; ties: the lower id.
func (s *scored) best() drawn {
	id := s.row.best
	if !s.untouched() {
		id = argmax(s.scores)
	}
	return drawn{id: id, high: s.prob(id)}
}
