// Package decode holds the strategies that choose tokens, as pure steps from
// one frontier to the next, and the session that walks them.
//
// Everything between two steps is a value: a step done again gives the same,
// taking steps back drops the newest frontiers, and a fork shares all nodes.
package decode

import (
	"slices"

	"decodingplayground/core/lm"
)

// Hypothesis is a node of the tree of texts: a text is the path to the root,
// whose IDs are the prompt. It is immutable.
//
// Past is what had been read when the node was made: the whole text, or, where
// a strategy reads ahead by itself, all but its last token. Hidden are the
// final hidden states of the tokens that were read since the parent.
type Hypothesis struct {
	Parent *Hypothesis
	IDs    []int   // tokens this node adds: one, several for speculation, the prompt at the root
	Taken  []Taken // what was true when each of IDs was chosen; none at the root
	Score  float64 // the strategy's running sum; 0 where it keeps none
	Memo   any     // what a strategy remembers here (mirostat's mu, the group of a beam)

	Past   lm.Past
	Hidden [][]float32
	Layers [][]float32 // lm.Output.Layers of the last token, where they were asked for

	// Of a hypothesis that a beam search has ended: its length-normalised score
	// and why it ended.
	Final float64
	Stop  Stop

	shadows map[string]shadow // for guidance, by the key of their prompt
	length  int               // tokens of the whole text, prompt included
}

// Len is the number of tokens of the whole text, prompt included.
func (h *Hypothesis) Len() int { return h.length }

// Sequence is the whole text, prompt included, in a new slice.
func (h *Hypothesis) Sequence() []int {
	ids := make([]int, h.length)
	end := h.length
	for n := h; n != nil; n = n.Parent {
		end -= len(n.IDs)
		copy(ids[end:], n.IDs)
	}
	return ids
}

// Generated is what was true of each token after the prompt, oldest first.
func (h *Hypothesis) Generated() []Taken {
	var parts [][]Taken
	for n := h; n != nil; n = n.Parent {
		parts = append(parts, n.Taken)
	}
	slices.Reverse(parts)
	return slices.Concat(parts...)
}

// states are the final hidden states of all tokens read, oldest first.
func (h *Hypothesis) states() [][]float32 {
	var parts [][][]float32
	for n := h; n != nil; n = n.Parent {
		parts = append(parts, n.Hidden)
	}
	slices.Reverse(parts)
	return slices.Concat(parts...)
}

// read is how many tokens of the text the model has read.
func (h *Hypothesis) read() int {
	if h.Past == nil {
		return 0
	}
	return h.Past.Len()
}

// Taken is a token with what was true when it was chosen. The model's own
// numbers are of its full distribution, before any processor.
type Taken struct {
	ID        int
	Forced    bool    // taken by hand
	ModelProb float64 // the model's own
	Prob      float64 // after the pipeline
	Rank      int     // in the model's order, from 1; ties: the lower id first
	Surprise  float64 // -log2 ModelProb
	Entropy   float64 // bits, of the model's own
	Nucleus   int     // size of the model's own nucleus at p = 0.9
	Die       float64 // in [0,1); -1 when none was thrown

	// Low and High are the token's place when the kept tokens are laid end to
	// end from the likeliest down (ties: lower id first), each as wide as its
	// Prob. A die in [Low, High) draws it. Both 0 for a removed token.
	Low, High float64
}

// Frontier is all that a strategy knows between two steps. It is immutable.
// Live is ordered best first (in group beam search: group by group), Done, the
// finished ones of a beam search, by Final.
type Frontier struct {
	Step       int // steps taken
	Live, Done []*Hypothesis
	Candidates []Candidate // what the last step chose from, best first
	Stop       Stop        // set when a beam search is over
	Round      *Round      // of speculative decoding, what the last step tried
	Cost       Cost        // of all steps so far, the prompt not counted
}

// Cost counts forward passes over the weights, however many texts each served,
// and the seconds of Settings.Clock that went by.
type Cost struct {
	Passes      int // of the model
	DraftPasses int // of the draft model
	Seconds     float64
}

// State says what became of a candidate.
type State string

// The states of a candidate.
const (
	Live   State = "live"   // goes on
	Done   State = "done"   // has ended
	Pruned State = "pruned" // was dropped; Reason says why
)

// Candidate is one continuation that a step considered.
type Candidate struct {
	Parent  *Hypothesis
	Child   *Hypothesis // nil when pruned
	ID      int
	Ahead   int     // tokens of this step between Parent and ID, in speculation
	Prob    float64 // the model's own probability of ID there
	Penalty float64 // of contrastive search: likeness to earlier states
	Score   float64 // what the strategy ranks by: a sum of log-probabilities, or its own
	Final   float64 // length-normalised score, of one that is done
	Place   int     // in its step, from 1
	State   State
	Reason  string // why it ended or was dropped, or what made its score
}

// Strategy chooses the tokens of a step. It holds settings only, no state, so
// the same step can be done again. The texts of the new frontier need not be
// read yet; the session reads them in one pass.
type Strategy interface {
	Traits() Traits
	Step(env *Env, f Frontier) (Frontier, error)
}

// Traits is what others must know of a strategy.
type Traits struct {
	Samples bool // throws the die; warpers act
	Beams   bool // follows several texts and ends its own search
	Ahead   bool // reads its new tokens by itself, in its next step
	Peeks   bool // must read a candidate before it can take it
	Layers  bool // wants hidden states between the blocks
	Draft   bool // needs a draft model
	Returns int  // how many texts a finished beam search gives; 0 means one

	// Ignores says for parameters that have no effect here why.
	Ignores map[string]string
}

// next is the frontier of a strategy that follows one text.
func (f Frontier) next(child *Hypothesis, candidates ...Candidate) Frontier {
	return Frontier{Step: f.Step + 1, Live: []*Hypothesis{child}, Candidates: candidates, Cost: f.Cost}
}
