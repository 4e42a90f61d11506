package api

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"decodingplayground/core/decode"
	"decodingplayground/core/logits"
	"decodingplayground/core/rows"
)

const (
	maxDraws  = 100_000
	maxThrown = 1000 // dice that Draws lists one by one
	maxDrawn  = 50   // tokens
)

func (a *App) draws(p DrawsOf) (Draws, error) {
	s, err := find(a.sessions, "session", p.Session)
	if err != nil {
		return Draws{}, err
	}
	if p.Count < 1 || p.Count > maxDraws {
		return Draws{}, fmt.Errorf("count: %d, want 1 to %d", p.Count, maxDraws)
	}
	d, with, err := a.decision(s, p.Step)
	if err != nil {
		return Draws{}, err
	}
	if rows.Kept(d.Trace.Final()) == 0 {
		return Draws{}, fmt.Errorf("step: %d, every token is removed: nothing to draw from", p.Step)
	}
	t := throw(d, with.seed, p.Count)
	out := Draws{Count: p.Count, dice: make([]float32, 0, min(p.Count, maxThrown))}
	for i, id := range t.order {
		if i < maxDrawn {
			out.Tokens = append(out.Tokens, tokenOf(s.model.words, id))
			out.Expected = append(out.Expected, t.probs[id])
			out.Hits = append(out.Hits, t.hits[i])
			continue
		}
		out.OtherTokens++
		out.OtherExpected += t.probs[id]
		out.OtherHits += t.hits[i]
	}
	for _, die := range t.dice[:min(len(t.dice), maxThrown)] {
		out.dice = append(out.dice, float32(die))
	}
	return out, nil
}

// throws are many dice thrown at one step.
type throws struct {
	order []int     // kept ids in the order of the draw
	probs []float64 // by id, after the pipeline
	dice  []float64
	hits  []int // by place in order
}

// throw throws the die of a step n times and counts what it hits. The first
// throw is the one that the step's seed gives; the others follow it in
// PCG(seed, step), so that the seeds beside it throw other dice.
func throw(d *decode.Decision, seed uint64, n int) throws {
	final := d.Trace.Final()
	t := throws{order: logits.Order(nil, final), probs: logits.Softmax[float64](nil, final), dice: make([]float64, n)}
	ends := make([]float64, len(t.order))
	sum := 0.0
	for i, id := range t.order {
		sum += t.probs[id]
		ends[i] = sum
	}
	t.hits = make([]int, len(t.order))
	dice := rand.New(rand.NewPCG(seed, uint64(d.At)))
	for i := range t.dice {
		die := dice.Float64()
		at, exact := slices.BinarySearch(ends, die)
		if exact {
			at++ // a token has its low end, not its high one
		}
		t.dice[i] = die
		t.hits[min(at, len(t.hits)-1)]++
	}
	return t
}
