// Package decode holds the strategies that choose tokens, as pure steps from
// one frontier to the next, and the session that walks them.
package decode

import (
	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
)

// Hypothesis is a node of the tree of texts: a text is the path to the root,
// whose IDs are the prompt. It is immutable.
type Hypothesis struct {
	Parent *Hypothesis
	IDs    []int       // tokens this node adds: one, several for speculation, the prompt at the root
	Score  float64     // the strategy's running sum; 0 where it keeps none
	Past   lm.Past     // after IDs
	Hidden [][]float32 // final hidden state of each of IDs
	Memo   any         // what a strategy remembers here (mirostat's mu)
}

// Frontier is all that a strategy knows between two steps. It is immutable.
// Live is ordered best first; Done holds what has ended.
type Frontier struct {
	Step int // steps taken; the next draw uses this number
	Live []*Hypothesis
	Done []*Hypothesis
}

// Strategy chooses the tokens of a step. It holds settings only, no state, so
// the same step can be done again.
type Strategy interface {
	Step(env *Env, f Frontier) (Frontier, error)
}

// Env is what a step may use: the model, the pipeline, the limits and the die.
type Env struct {
	Model    lm.Model
	Pipeline logits.Pipeline
}
