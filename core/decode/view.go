package decode

import (
	"errors"
	"fmt"
	"slices"

	"decodingplayground/core/logits"
)

// Decision is how the token after one text is chosen: the pipeline's trace and
// what was picked. Trace.Scores[0] is what the strategy starts from: the
// model's logits, in beam search their log-softmax.
type Decision struct {
	From  *Hypothesis
	At    int // place of the chosen token among the generated ones, from 0
	Trace logits.Trace

	// Stages says for each row of the trace which stage of Settings.Pipeline
	// made it; -1 for the model's own row and for what the strategy adds.
	Stages []int

	// Picks are the tokens taken, best first: one, or in a beam search those
	// that stay in it (none, when this text has no continuation there).
	Picks []Taken
}

// View is what happens, or would happen, at a step: one decision for each text
// that was live, and for each token of a step that adds several. Step 0 is the
// first after the prompt, -1 the next one. A past step is seen with the
// settings that it was taken with. Traces are made anew, and not kept.
func (s *Session) View(step int) ([]*Decision, error) { return new(Viewer).View(s, step) }

// Viewer makes views in memory that it keeps, so that a slider's event makes no
// garbage. The zero Viewer is ready.
type Viewer struct {
	runners [8]logits.Runner // of the first decisions; a wide beam's others are made anew
	seen    []*Decision
}

// note runs a pipeline for a decision and notes it.
func (v *Viewer) note(d *Decision, p logits.Pipeline, c logits.Context, base []float32) {
	if i := len(v.seen); i < len(v.runners) {
		d.Trace = v.runners[i].Run(p, c, base)
	} else {
		d.Trace = p.Run(c, base)
	}
	v.seen = append(v.seen, d)
}

// View is Session.View, but traces are good only until the next call.
func (v *Viewer) View(s *Session, step int) ([]*Decision, error) {
	if !s.Ready() {
		return nil, errNotFed
	}
	n := s.Steps()
	if step < -1 || step > n {
		return nil, fmt.Errorf("step: %d, want -1 to %d", step, n)
	}
	if step == -1 {
		step = n
	}
	f := s.history[step].frontier
	if len(f.Live) == 0 {
		return nil, errors.New("the search is over: no token follows")
	}
	set, die, memo := s.set, s.throwOf(step), s.memo
	if step < n {
		set, die, memo = s.history[step+1].set, s.history[step+1].die, newMemo()
	}
	env := newEnv(s.model, set, len(s.prompt), f, die, memo)
	v.seen = nil
	env.watch = v
	if step < n && s.history[step+1].forced {
		next := s.history[step+1].frontier
		if _, err := env.scoreOf(f.Live[0], extra{}); err != nil {
			return nil, err
		}
		v.seen[0].Picks = slices.Concat(next.Live, next.Done)[0].Taken // a forced end is done
		return v.seen, nil
	}
	if _, err := set.Strategy.Step(env, f); err != nil && len(v.seen) == 0 {
		return nil, err
	}
	return v.seen, nil
}
