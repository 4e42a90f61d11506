package decode

import (
	"errors"
	"fmt"
)

// rememberer is a strategy that must remember a token taken by hand.
type rememberer interface {
	remember(env *Env, h *Hypothesis, t Taken) any
}

// ender is a strategy that ends texts itself and ranks those that have ended.
type ender interface {
	final(sum float64, length int) float64
}

// Force takes a token by hand, any of the vocabulary, whatever the strategy
// would do and whatever the pipeline has removed. A beam search goes on from
// this text alone. It is an error where no text is live or the context is full.
func (s *Session) Force(id int) error {
	if !s.Ready() {
		return errNotFed
	}
	if n := s.model.Info().Vocab; id < 0 || id >= n {
		return fmt.Errorf("token: %d, want 0 to %d", id, n-1)
	}
	f := s.newest()
	if len(f.Live) == 0 {
		return errors.New("the search is over: take a step back first")
	}
	h := f.Live[0]
	env := newEnv(s.model, s.set, len(s.prompt), f, -1, s.memo)
	sc, err := env.scoreOf(h, extra{})
	if err != nil {
		return err
	}
	t := sc.take(place(sc.scores, id), -1)
	t.Forced = true
	child := env.child(h, t)
	if p := sc.row.logProb(id); env.traits.Beams && t.ModelProb > 0 {
		child.Score = h.Score + p
	}
	child.Memo = h.Memo
	if r, ok := s.set.Strategy.(rememberer); ok {
		child.Memo = r.remember(env, h, t)
	}
	note := Candidate{
		Parent: h, Child: child, ID: id, Prob: t.ModelProb, Score: child.Score, Place: 1, State: Live, Reason: "taken by hand",
	}
	next := f.next(child)
	if b, ok := s.set.Strategy.(ender); ok && env.traits.Beams {
		if stop := env.stop(child); stop.Reason != "" {
			note.finish(child, b.final(child.Score, child.length-env.promptLen), stop)
			next.Live, next.Done, next.Stop = nil, []*Hypothesis{child}, stop
		}
	}
	next.Candidates = []Candidate{note}
	return s.push(env, next, true)
}
