package decode

import (
	"fmt"
	"slices"

	"decodingplayground/core/lm"
	"decodingplayground/core/spec"
)

// proposal is a token that a cheap source foretells. probs is the distribution
// it was drawn from; nil for a source that just names tokens.
type proposal struct {
	id    int
	probs []float64
}

var sampleParam = spec.Param{
	Name: "do_sample", Label: "Sample", Type: spec.Flag, Max: 1, High: 1, Step: 1,
	Doc: "Draw tokens instead of taking the likeliest.",
}

// speculate reads the proposals in one pass, takes them as long as the model
// agrees, and then one token more. The newest token stays unread until the next
// round reads it together with new proposals: a round is one pass.
func speculate(env *Env, f Frontier, proposals []proposal, sample bool, memo func(accepted int) any) (Frontier, error) {
	h := f.Live[0]
	ids := make([]int, len(proposals))
	for i, p := range proposals {
		ids[i] = p.id
	}
	round, err := env.verify(h, ids)
	if err != nil {
		return Frontier{}, err
	}

	text := h.Sequence()
	child := &Hypothesis{Parent: h, length: h.length}
	accepted := 0
	var notes []Candidate
	for i, r := range round.rows {
		s := env.score(h, text, r, r.logits, extra{})
		var next *proposal
		if i < len(proposals) {
			next = &proposals[i]
		}
		t, note, err := decide(env, s, next, len(text)-env.promptLen, sample)
		if err != nil {
			return Frontier{}, err
		}
		text = append(text, t.ID)
		child.IDs, child.Taken, child.length = append(child.IDs, t.ID), append(child.Taken, t), child.length+1
		agreed := next != nil && t.ID == next.id
		if agreed {
			accepted++
		} else if next != nil {
			notes = append(notes, Candidate{
				Parent: h, ID: next.id, Ahead: i, Prob: r.prob(next.id), Place: 2, State: Pruned, Reason: note,
			})
		}
		if stop := env.stop(child); !agreed || stop.Reason != "" {
			rest := "comes after a rejected token"
			if agreed {
				rest = "comes after the end: " + stop.Doc
			}
			for j := i + 1; j < len(proposals); j++ {
				notes = append(notes, Candidate{
					Parent: h, ID: ids[j], Ahead: i + 1, Place: 1 + j - i, State: Pruned, Reason: rest,
				})
			}
			break
		}
	}
	if accepted == len(proposals) {
		child.Past, child.Hidden = round.all.Past, round.all.Hidden
	} else {
		// What was read of rejected tokens is of no use.
		child.Past, child.Hidden = round.old.Past, round.old.Hidden
	}
	if memo != nil {
		child.Memo = memo(accepted)
	}
	next := f.next(child, notes...)
	next.Round = &Round{Proposed: ids, Accepted: accepted}
	return next, nil
}

// Round is what one pass of speculative decoding proposed and how many of the
// first tokens were accepted.
type Round struct {
	Proposed []int
	Accepted int
}

// verified is what a round has read: rows for the token after the text and
// after each proposal, the outputs with all proposals and with none.
type verified struct {
	rows     []*row
	all, old lm.Output
}

// verify reads what h has not read, and that with the proposals, in one pass.
func (e *Env) verify(h *Hypothesis, ids []int) (verified, error) {
	if h.length > e.model.Info().Context {
		return verified{}, fmt.Errorf("text: %d tokens, want at most %d: %w", h.length, e.model.Info().Context, ErrContext)
	}
	v := verified{old: lm.Output{Past: h.Past}}
	v.all = v.old
	unread := h.length - h.read()
	switch {
	case unread > 0 && len(ids) > 0:
		out, err := e.after(h, nil, ids)
		if err != nil {
			return verified{}, err
		}
		v.old, v.all = out[0], out[1]
	case unread > 0 || len(ids) > 0:
		out, err := e.after(h, ids)
		if err != nil {
			return verified{}, err
		}
		v.all = out[0]
		if unread > 0 {
			v.old = out[0]
		}
	}

	key := question{node: h, ids: fmt.Sprint(ids)}
	if v.rows = e.memo.ahead[key]; v.rows != nil {
		return v, nil
	}
	hidden := v.all.Hidden
	if unread > 0 {
		hidden = hidden[unread-1:]
	} else {
		hidden = slices.Concat(h.Hidden[len(h.Hidden)-1:], hidden)
	}
	for _, scores := range e.model.Head(hidden...) {
		v.rows = append(v.rows, newRow(scores))
	}
	e.memo.ahead[key] = v.rows
	return v, nil
}

// decide takes the token at a place of the text: the proposal where the model
// agrees, else its own. note says why a proposal was rejected.
func decide(env *Env, s *scored, next *proposal, at int, sample bool) (t Taken, note string, err error) {
	switch {
	case !sample:
		t = s.take(s.best(), -1)
		return t, "the model takes another token here", nil
	case next == nil || next.probs == nil:
		// A source without probabilities is right when the die says so, too.
		die := env.throw(at)
		d, ok := draw(s.scores, s.lse, die)
		if !ok {
			return Taken{}, "", errNothingLeft
		}
		return s.take(d, die), "the model draws another token here", nil
	}
	coin := env.coins(at)
	coin() // the first is the pipeline's
	u, p := coin(), s.prob(next.id)
	if ratio := acceptance(p, next.probs[next.id]); u < ratio {
		return s.take(place(s.scores, next.id), -1), "", nil
	} else {
		note = fmt.Sprintf("rejected: coin %.4f, accepted below p/q = %.4f", u, ratio)
	}
	die := env.throw(at)
	d, ok := drawWeights(residual(s.probs(), next.probs), die)
	if !ok {
		d, ok = draw(s.scores, s.lse, die)
	}
	if !ok {
		return Taken{}, "", errNothingLeft
	}
	return s.take(d, die), note, nil
}

// acceptance is the chance to accept a token that the draft gave probability q
// and the model gives p (Leviathan et al. 2023).
func acceptance(p, q float64) float64 {
	if q <= p {
		return 1
	}
	return p / q
}

// residual is what is drawn from after a rejection: max(p - q, 0), normalised.
// All zero when nothing is left.
func residual(p, q []float64) []float64 {
	out := make([]float64, len(p))
	var sum float64
	for i := range p {
		out[i] = max(p[i]-q[i], 0)
		sum += out[i]
	}
	if sum > 0 {
		for i := range out {
			out[i] /= sum
		}
	}
	return out
}

// drawWeights is draw on probabilities.
func drawWeights(probs []float64, die float64) (d drawn, ok bool) {
	order := make([]int, 0, len(probs))
	for id, p := range probs {
		if p > 0 {
			order = append(order, id)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if probs[a] > probs[b] {
			return -1
		} else if probs[a] < probs[b] {
			return 1
		}
		return 0
	})
	for _, id := range order {
		d = drawn{id: id, low: d.high, high: d.high + probs[id]}
		if die < d.high {
			return d, true
		}
		ok = true
	}
	return d, ok
}
