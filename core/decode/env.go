package decode

import (
	"math/rand/v2"

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
	watch     *Viewer       // where decisions are noted, nil when nobody looks
	spent     float64       // seconds that the steps before have taken
	begun     float64       // what the clock said first
	shaded    bool          // the pass for shadows is counted
	counted   []*Hypothesis // whose own is
	cost      Cost
}

// newEnv is for the step after f.
func newEnv(m lm.Model, set *Settings, promptLen int, f Frontier, die float64, memo *memo) *Env {
	e := &Env{
		model: m, draft: set.Draft, set: set, traits: set.Strategy.Traits(), promptLen: promptLen,
		spent: f.Cost.Seconds, begun: set.now(), die: die, memo: memo,
	}
	e.pipeline, e.index = set.active()
	return e
}

// total is the cost of all steps, given that of those before.
func (e *Env) total(before Cost) Cost {
	return Cost{
		Passes: before.Passes + e.cost.Passes, DraftPasses: before.DraftPasses + e.cost.DraftPasses,
		Seconds: before.Seconds + max(0, e.set.now()-e.begun),
	}
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
