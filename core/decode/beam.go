package decode

import (
	"cmp"
	"fmt"
	"slices"

	"decodingplayground/core/logits"
	"decodingplayground/core/spec"
)

// beam keeps the best beginnings at each step and drops the rest. The pipeline
// acts on log-probabilities, and their sum ranks a beginning; a finished text
// is ranked by its sum / length^length_penalty, length counting generated
// tokens with EOS and without the prompt. Ties: the better beam, then the
// lower id. One beam is greedy search, as in HF.
type beam struct {
	beams   int // num_beams
	penalty float64
	early   early
	returns int // num_return_sequences
	rules   rules
}

// early is early_stopping: what ends a search that has num_beams finished texts.
type early int

const (
	earlyFalse early = iota // no running text would beat the worst finished one if it ended now
	earlyTrue               // at once
	earlyNever              // no running text can beat the worst finished one at any length
)

// rules is which transformers version the bookkeeping follows.
type rules int

const (
	rules5   rules = iota // 5.x
	rules446              // 4.46
)

// beamParams are shared by the kinds that search with beams.
func beamParams(beams, returns float64) []spec.Param {
	return []spec.Param{
		{
			Name: "num_beams", Label: "Beams", Type: spec.Integer, Default: beams, Min: 1, Max: 16, Low: 1, High: 16, Step: 1,
			Off: 1, HasOff: true, Doc: "Beginnings kept at each step.",
		},
		{
			Name: "length_penalty", Label: "Length penalty", Type: spec.Number, Default: 1, Min: -5, Max: 5, Low: -2, High: 2, Step: 0.1,
			Doc: "A finished text is ranked by sum / length^this: above 0 favours long texts, below 0 short ones.",
		},
		{
			Name: "early_stopping", Label: "Early stopping", Type: spec.Choice, Default: 0, Max: 2, High: 2, Step: 1,
			Choices: []string{"false", "true", "never"},
			Doc:     "When num_beams texts are finished: true ends at once, false when no running text would win now, never when none can.",
		},
		{
			Name: "num_return_sequences", Label: "Texts returned", Type: spec.Integer, Default: returns, Min: 1, Max: 16, Low: 1, High: 16, Step: 1,
			Doc: "Finished texts to show, best first; at most num_beams.",
		},
	}
}

var rulesParam = spec.Param{
	Name: "rules", Label: "Rules", Type: spec.Choice, Default: 0, Max: 1, High: 1, Step: 1, Choices: []string{"5.x", "4.46"},
	Doc: "The transformers version whose bookkeeping is followed; they differ in when a search ends.",
}

var beamKind = Kind{spec.Kind[Strategy]{
	Name: "beam", Label: "Beam search", Group: "Several",
	Doc:     "Keeps the num_beams most probable beginnings at each step and returns the best finished text.",
	Formula: "max (Σ log p) / n^α",
	Source:  "transformers GenerationMixin._beam_search (5.x), BeamSearchScorer (4.46)",
	Params:  append(beamParams(4, 1), rulesParam),
	New: func(a spec.Args) (Strategy, error) {
		b, err := newBeam(a)
		return b, err
	},
}}

func newBeam(a spec.Args) (beam, error) {
	b := beam{
		beams: a.Int("num_beams"), penalty: a.Get("length_penalty"), early: early(a.Int("early_stopping")),
		returns: a.Int("num_return_sequences"), rules: rules(a.Int("rules")),
	}
	if b.returns > b.beams {
		return beam{}, fmt.Errorf("num_return_sequences: %d, want at most num_beams, %d", b.returns, b.beams)
	}
	return b, nil
}

func (b beam) Traits() Traits {
	if b.beams == 1 {
		const why = "one beam is greedy search"
		return Traits{Ignores: map[string]string{"length_penalty": why, "early_stopping": why, "rules": why}}
	}
	return Traits{Beams: true, Returns: b.returns}
}

func (b beam) Step(env *Env, f Frontier) (Frontier, error) {
	if b.beams == 1 {
		return greedy{}.Step(env, f)
	}
	runs, err := env.runs(f.Live, extra{})
	if err != nil {
		return Frontier{}, err
	}
	return b.settle(env, f, best(runs, b.width(env, b.beams))), nil
}

// width is how many candidates are looked at: enough that num beams go on even
// when every beam ends.
func (b beam) width(env *Env, beams int) int { return max(2, 1+len(env.set.EOS)) * beams }

// run is a live text with its next scores.
type run struct {
	h *Hypothesis
	s *scored
}

// runs scores the next token of each live text on its log-probabilities.
func (e *Env) runs(live []*Hypothesis, x extra) ([]run, error) {
	rows, err := e.rows(live...)
	if err != nil {
		return nil, err
	}
	runs := make([]run, len(live))
	for i, h := range live {
		runs[i] = run{h, e.score(h, h.Sequence(), rows[i], rows[i].logSoftmax(), x)}
	}
	return runs, nil
}

// candidate is a continuation that may be taken.
type candidate struct {
	run
	drawn
	score float64 // sum of scores
}

// best is the n best continuations of all texts, best first.
func best(runs []run, n int) []candidate {
	var all []candidate
	for _, r := range runs {
		end := 0.0
		for _, id := range logits.Top(nil, r.s.scores, n) {
			d := drawn{id: id, low: end, high: end + r.s.prob(id)}
			end = d.high
			all = append(all, candidate{r, d, r.h.Score + float64(r.s.scores[id])})
		}
	}
	slices.SortStableFunc(all, byScore)
	return all[:min(n, len(all))]
}

// byScore puts the best first; a stable sort leaves ties to the better beam,
// then to the lower id.
func byScore(a, b candidate) int { return cmp.Compare(b.score, a.score) }

// settle is the bookkeeping of a step by the rules of the strategy.
func (b beam) settle(env *Env, f Frontier, cands []candidate) Frontier {
	if b.rules == rules446 {
		next := Frontier{Step: f.Step + 1, Cost: f.Cost}
		var over string
		next.Live, next.Done, over = b.settle446(env, &next, f.Done, b.beams, cands, nil)
		next.Live, next.Done = b.end446(env, &next, next.Live, next.Done, b.beams, over)
		next.Stop = searchStop(env, next, over)
		return next
	}
	return b.settle5(env, f, cands)
}

// child is the candidate's text.
func (c candidate) child(env *Env) *Hypothesis {
	h := env.child(c.h, Taken{ID: c.id})
	h.Score = c.score
	return h
}

// record notes what was true when the token was chosen. It costs some passes
// over the vocabulary, so only children that stay are recorded.
func (c candidate) record(child *Hypothesis) { child.Taken[0] = c.s.take(c.drawn, -1) }

func (c candidate) note(place int) Candidate {
	return Candidate{Parent: c.h, ID: c.id, Prob: c.s.row.prob(c.id), Score: c.score, Place: place}
}

func (n *Candidate) finish(child *Hypothesis, final float64, stop Stop) {
	child.Final, child.Stop = final, stop
	n.Child, n.State, n.Final, n.Reason = child, Done, final, stop.Doc
}

func (n *Candidate) prune(format string, args ...any) {
	n.State, n.Reason, n.Child = Pruned, fmt.Sprintf(format, args...), nil
}
