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
	Name: "beam", Label: "Beam search", Group: "Several texts",
	Doc:    "Keeps the num_beams most probable beginnings at each step and returns the best finished text.",
	Source: "transformers GenerationMixin._beam_search (5.x), BeamSearchScorer (4.46)",
	Params: append(beamParams(4, 1), rulesParam),
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

// settle5 follows transformers 5.x. A candidate that ends counts at a place
// within num_beams only, at the length limit too.
func (b beam) settle5(env *Env, f Frontier, cands []candidate) Frontier {
	next := Frontier{Step: f.Step + 1, Cost: f.Cost, Done: slices.Clone(f.Done)}
	for place, c := range cands {
		note := c.note(place + 1)
		child := c.child(env)
		stop := env.stop(child)
		switch {
		case stop.Reason != "" && place >= b.beams:
			note.prune("it ends at place %d, beyond num_beams %d: thrown away", place+1, b.beams)
		case stop.Reason != "":
			c.record(child)
			note.finish(child, b.final(child.Score, child.length-env.promptLen), stop)
			next.Done = append(next.Done, child)
		case len(next.Live) < b.beams:
			c.record(child)
			note.Child, note.State = child, Live
			next.Live = append(next.Live, child)
		default:
			note.prune("place %d, beyond num_beams %d", place+1, b.beams)
		}
		next.Candidates = append(next.Candidates, note)
	}

	// The sort is stable, so that of equal texts the older one stays.
	slices.SortStableFunc(next.Done, byFinal)
	for len(next.Done) > b.beams {
		next.drop(len(next.Done) - 1)
	}
	next.Stop = searchStop(env, next, b.over5(env, next))
	return next
}

// over5 says in words why the search ends, or nothing.
func (b beam) over5(env *Env, f Frontier) string {
	if len(f.Live) == 0 || len(f.Done) < b.beams {
		return ""
	}
	if b.early == earlyTrue {
		return fmt.Sprintf("early_stopping is true and %d texts are finished", b.beams)
	}
	worst := f.Done[len(f.Done)-1].Final
	return b.beaten(env, f.Live[0].Score, f.Live[0].length-env.promptLen, worst)
}

// beaten says in words that a sum cannot beat the worst finished text, or
// nothing when it may.
func (b beam) beaten(env *Env, sum float64, length int, worst float64) string {
	when := "now"
	if b.early == earlyNever && b.penalty > 0 {
		limit, _ := env.limit()
		length, when = limit-env.promptLen, "at full length"
	}
	if best := b.final(sum, length); best <= worst {
		return fmt.Sprintf("the best running text would score %.4g %s, the worst finished one has %.4g", best, when, worst)
	}
	return ""
}

// final is the length-normalised score. length counts generated tokens.
func (b beam) final(sum float64, length int) float64 {
	return sum / power(length, b.penalty)
}

// settle446 follows transformers 4.46, for one group of beams of the given
// size with the finished texts done. It returns the new live and finished
// texts and, in words, why the group is over. memo is for the live ones.
func (b beam) settle446(env *Env, next *Frontier, done []*Hypothesis, size int, cands []candidate, memo any) ([]*Hypothesis, []*Hypothesis, string) {
	done = slices.Clone(done)
	var live []*Hypothesis
	for place, c := range cands {
		note := c.note(place + 1)
		child := c.child(env)
		child.Memo = memo
		stop := env.stop(child)
		ends := stop.Reason == StopEOS || stop.Reason == StopString
		switch {
		case len(live) == size:
			note.prune("place %d, beyond num_beams %d", place+1, size)
		case ends && place >= size:
			note.prune("it ends at place %d, beyond num_beams %d: thrown away", place+1, size)
		case ends:
			c.record(child)
			if stop.Reason == StopEOS {
				child.IDs = []int{env.set.EOS[0]} // 4.46 writes the first EOS id, whichever was taken
			}
			note.finish(child, b.final(child.Score, child.length-env.promptLen), stop)
			next.Candidates = append(next.Candidates, note)
			done = next.offer(done, child, size)
			continue
		default:
			c.record(child)
			note.Child, note.State = child, Live
			live = append(live, child)
		}
		next.Candidates = append(next.Candidates, note)
	}
	over := ""
	if len(cands) > 0 && len(done) >= size {
		if b.early == earlyTrue {
			over = fmt.Sprintf("early_stopping is true and %d texts are finished", size)
		} else {
			length := cands[0].h.length + 1 - env.promptLen
			over = b.beaten(env, cands[0].score, length, done[len(done)-1].Final)
		}
	}
	return live, done, over
}

// end446 turns the running texts into finished ones at the length limit,
// whatever their place, unless the group is over for another reason.
func (b beam) end446(env *Env, next *Frontier, live, done []*Hypothesis, size int, over string) ([]*Hypothesis, []*Hypothesis) {
	if over != "" || len(live) == 0 {
		return live, done
	}
	stop := env.full(live[0].length)
	if stop.Reason == "" {
		return live, done
	}
	for _, h := range live {
		for i := range next.Candidates {
			if c := &next.Candidates[i]; c.Child == h {
				c.finish(h, b.final(h.Score, h.length-env.promptLen), stop)
			}
		}
		done = next.offer(done, h, size)
	}
	return nil, done
}

// offer adds a finished text to a list of at most size, best first. A full list
// takes only one that is strictly better than its worst. Of equal texts the
// newer one comes first.
func (f *Frontier) offer(done []*Hypothesis, h *Hypothesis, size int) []*Hypothesis {
	if len(done) >= size && h.Final <= done[len(done)-1].Final {
		f.pruneChild(h, "%d better texts are finished", size)
		return done
	}
	at := 0
	for at < len(done) && done[at].Final > h.Final {
		at++
	}
	done = slices.Insert(done, at, h)
	if len(done) > size {
		f.pruneChild(done[size], "pushed out by a better finished text")
		done = done[:size]
	}
	return done
}

// drop takes finished text i off the list.
func (f *Frontier) drop(i int) {
	f.pruneChild(f.Done[i], "%d better texts are finished", i)
	f.Done = slices.Delete(f.Done, i, i+1)
}

func (f *Frontier) pruneChild(h *Hypothesis, format string, args ...any) {
	for i := range f.Candidates {
		if f.Candidates[i].Child == h {
			f.Candidates[i].prune(format, args...)
		}
	}
}

func byFinal(a, b *Hypothesis) int { return cmp.Compare(b.Final, a.Final) }

// searchStop is why a search is over, given the words of an early end.
func searchStop(env *Env, f Frontier, over string) Stop {
	switch {
	case over != "":
		return Stop{Reason: StopEarly, Doc: over}
	case len(f.Live) > 0:
		return Stop{}
	case len(f.Candidates) == 0:
		return Stop{Reason: StopNothing, Doc: "every token is removed: no text goes on"}
	}
	if stop := env.full(f.Candidates[0].Parent.length + 1); stop.Reason != "" {
		return stop
	}
	return Stop{Reason: StopEarly, Doc: "every text has ended"}
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
