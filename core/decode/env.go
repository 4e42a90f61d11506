package decode

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
)

// Env is what a step may use: the model, the pipeline, the limits and the die.
// It lives for one step.
type Env struct {
	model     lm.Model
	draft     lm.Model
	set       *Settings
	traits    Traits
	pipeline  logits.Pipeline // without what is ignored
	index     []int           // of each stage in set.Pipeline
	promptLen int
	die       float64 // this step's throw set by hand, below 0 for none
	memo      *memo
	watch     *[]*Decision // where decisions are noted, nil when nobody looks
	cost      Cost
}

func newEnv(m lm.Model, set *Settings, promptLen int, die float64, memo *memo) *Env {
	e := &Env{model: m, draft: set.Draft, set: set, traits: set.Strategy.Traits(), promptLen: promptLen, die: die, memo: memo}
	e.pipeline, e.index = set.active()
	return e
}

// memo keeps what a step has asked the model, so that looking at a step and
// then taking it costs one step.
type memo struct {
	rows    map[*Hypothesis]*row
	ahead   map[question][]*row // after each id of the question
	outputs map[question]lm.Output
}

// question is a pass over the model: ids read after a past that node stands
// for. With layers, the node's own last token is read again.
type question struct {
	draft  bool // asked of the draft model
	node   *Hypothesis
	ids    string
	layers bool
}

func newMemo() *memo {
	return &memo{rows: map[*Hypothesis]*row{}, ahead: map[question][]*row{}, outputs: map[question]lm.Output{}}
}

// forward answers questions in one pass over the weights, each at most once.
// Input i belongs to question i.
func (e *Env) forward(asked []question, inputs []lm.Input) ([]lm.Output, error) {
	var batch []lm.Input
	var open []question
	for i, q := range asked {
		if _, known := e.memo.outputs[q]; !known {
			batch, open = append(batch, inputs[i]), append(open, q)
		}
	}
	if len(batch) > 0 {
		model := e.model
		if open[0].draft {
			model = e.draft
		}
		out, err := model.Forward(batch...)
		if err != nil {
			return nil, err
		}
		for i, q := range open {
			e.memo.outputs[q] = out[i]
		}
	}
	if len(asked) > 0 {
		if asked[0].draft {
			e.cost.DraftPasses++
		} else {
			e.cost.Passes++
		}
	}
	answers := make([]lm.Output, len(asked))
	for i, q := range asked {
		answers[i] = e.memo.outputs[q]
	}
	return answers, nil
}

// after reads what h has not read and then more, one list of ids a question.
func (e *Env) after(h *Hypothesis, more ...[]int) ([]lm.Output, error) {
	unread := h.Sequence()[h.read():]
	var asked []question
	var inputs []lm.Input
	for _, ids := range more {
		ids = append(append([]int(nil), unread...), ids...)
		asked = append(asked, question{false, h, fmt.Sprint(ids), e.traits.Layers})
		inputs = append(inputs, lm.Input{Past: h.Past, IDs: ids, Layers: e.traits.Layers})
	}
	return e.forward(asked, inputs)
}

// rows are the model's distributions after each text.
func (e *Env) rows(hs ...*Hypothesis) ([]*row, error) {
	var missing []*Hypothesis
	var hidden [][]float32
	for _, h := range hs {
		if e.memo.rows[h] != nil {
			continue
		}
		last, err := e.lastHidden(h)
		if err != nil {
			return nil, err
		}
		missing, hidden = append(missing, h), append(hidden, last)
	}
	if len(missing) > 0 {
		for i, logits := range e.model.Head(hidden...) {
			e.memo.rows[missing[i]] = newRow(logits)
		}
	}
	out := make([]*row, len(hs))
	for i, h := range hs {
		out[i] = e.memo.rows[h]
	}
	return out, nil
}

// lastHidden is the hidden state after the whole text.
func (e *Env) lastHidden(h *Hypothesis) ([]float32, error) {
	if h.length > e.model.Info().Context {
		return nil, fmt.Errorf("text: %d tokens, want at most %d: %w", h.length, e.model.Info().Context, ErrContext)
	}
	if h.read() == h.length {
		return h.Hidden[len(h.Hidden)-1], nil
	}
	out, err := e.after(h, nil)
	if err != nil {
		return nil, err
	}
	return out[0].Hidden[len(out[0].Hidden)-1], nil
}

// lastLayers are the hidden states between the blocks at the last token. A
// node that was made without them reads that token again.
func (e *Env) lastLayers(h *Hypothesis) ([][]float32, error) {
	if h.Layers != nil {
		return h.Layers, nil
	}
	past := lm.Past(nil)
	if h.Parent != nil {
		past = h.Parent.Past
	}
	from := 0
	if past != nil {
		from = past.Len()
	}
	ids := h.Sequence()[from:]
	out, err := e.forward(
		[]question{{false, h, fmt.Sprint(ids), true}},
		[]lm.Input{{Past: past, IDs: ids, Layers: true}})
	if err != nil {
		return nil, err
	}
	return out[0].Layers[len(ids)-1], nil
}

// stream is the random numbers of the choice of generated token at (from 0).
// The first is the die.
func (e *Env) stream(at int) func() float64 {
	r := rand.New(rand.NewPCG(e.set.Seed, uint64(at)))
	first := e.die
	return func() float64 {
		v := r.Float64()
		if first >= 0 {
			v, first = first, -1
		}
		return v
	}
}

// throw is the die of generated token at, in [0,1): PCG(seed, at), the same
// for every strategy, or what was set by hand.
func (e *Env) throw(at int) float64 { return e.stream(at)() }

// coins are numbers beside the die, for kinds that throw one of their own.
func (e *Env) coins(at int) func() float64 {
	const other = 0x9e3779b97f4a7c15 // sets the stream apart from the die's
	return rand.New(rand.NewPCG(e.set.Seed^other, uint64(at))).Float64
}

// context is what processors may know of a text.
func (e *Env) context(ids []int) logits.Context {
	c := logits.Context{
		IDs: ids, PromptLen: e.promptLen, EOS: e.set.EOS, MinTokensToKeep: 1,
		Coin: e.coins(len(ids) - e.promptLen)(),
	}
	c.MaxLength, _ = e.limit()
	if e.traits.Beams && e.traits.Samples {
		c.MinTokensToKeep = max(1, len(e.set.EOS)) + 1
	}
	return c
}

// child is the text that goes on after h with a token, not yet read.
func (e *Env) child(h *Hypothesis, t Taken) *Hypothesis {
	return &Hypothesis{Parent: h, IDs: []int{t.ID}, Taken: []Taken{t}, Past: h.Past, length: h.length + 1}
}

// read returns the frontier with every live text read that can be, in one pass
// over the weights. Old nodes stay as they are.
func (e *Env) read(f Frontier) (Frontier, error) {
	fits := e.model.Info().Context
	var at []int
	var batch []lm.Input
	for i, h := range f.Live {
		if h.read() < h.length && h.length <= fits {
			at = append(at, i)
			batch = append(batch, lm.Input{Past: h.Past, IDs: h.Sequence()[h.read():], Layers: e.traits.Layers})
		}
	}
	if len(batch) == 0 {
		return f, nil
	}
	out, err := e.model.Forward(batch...)
	if err != nil {
		return Frontier{}, err
	}
	e.cost.Passes++
	live := append([]*Hypothesis(nil), f.Live...)
	for j, i := range at {
		h := *f.Live[i]
		h.Past = out[j].Past
		h.Hidden = append(append([][]float32(nil), h.Hidden...), out[j].Hidden...)
		if layers := out[j].Layers; len(layers) > 0 {
			h.Layers = layers[len(layers)-1]
		}
		live[i] = &h
		for c := range f.Candidates {
			if f.Candidates[c].Child == f.Live[i] {
				f.Candidates[c].Child = &h
			}
		}
	}
	f.Live = live
	return f, nil
}

// scored is the distribution a token is chosen from: the model's row, the
// scores after the pipeline, and the decision that a watcher sees.
type scored struct {
	row    *row
	scores []float32
	lse    float64
	note   *Decision
}

// extra are stages that a strategy puts around the pipeline.
type extra struct{ before, after logits.Pipeline }

// stage is a stage of a strategy's own.
type stage func(scores []float32)

// Process implements logits.Processor.
func (s stage) Process(_ logits.Context, scores []float32) { s(scores) }

// score runs the pipeline on base, a row for the token after ids: the model's
// logits or log-probabilities. base is not changed.
func (e *Env) score(from *Hypothesis, ids []int, r *row, base []float32, x extra) *scored {
	s := &scored{row: r}
	c := e.context(ids)
	p := slices.Concat(x.before, e.pipeline, x.after)
	if e.watch == nil {
		s.scores = slices.Clone(base)
		p.Apply(c, s.scores)
	} else {
		s.note = &Decision{From: from, At: len(ids) - e.promptLen, Trace: p.Run(c, base), Stages: e.stages(x)}
		s.scores = s.note.Trace.Final()
		*e.watch = append(*e.watch, s.note)
	}
	s.lse = logits.LogSumExp(s.scores)
	return s
}

// stages is Decision.Stages.
func (e *Env) stages(x extra) []int {
	list := []int{-1}
	for range x.before {
		list = append(list, -1)
	}
	list = append(list, e.index...)
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

// prob is id's probability after the pipeline.
func (s *scored) prob(id int) float64 { return logits.Prob(s.scores[id], s.lse) }

// probs are the probabilities after the pipeline.
func (s *scored) probs() []float64 { return logits.Softmax[float64](nil, s.scores) }

// take notes that id was chosen and returns the record of it.
func (s *scored) take(d drawn, die float64) Taken {
	s.row.count()
	t := Taken{
		ID: d.id, ModelProb: s.row.prob(d.id), Prob: s.prob(d.id), Rank: logits.Rank(s.row.logits, d.id),
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
	id := argmax(s.scores)
	return drawn{id: id, high: s.prob(id)}
}
