// Package logits turns a model's logits into the scores a token is chosen by:
// a pipeline of processors, each of which reshapes the scores or removes
// tokens, recorded stage by stage.
//
// A row that is no distribution (it holds NaN or +Inf, or nothing but -Inf) is
// left as it is by every kind that looks at probabilities. Only
// remove_invalid_values mends such a row.
package logits

import "math"

// Context is what a processor may know besides the scores.
type Context struct {
	IDs       []int // prompt and generated tokens so far; not to be changed
	PromptLen int   // how many of IDs are the prompt
	MaxLength int   // prompt plus max_new_tokens; 0 when unbounded
	EOS       []int // end-of-sequence ids, possibly none

	// MinTokensToKeep is HF's: 1, or in beam sampling the number of EOS ids
	// plus one (2 without EOS). Below 1 counts as 1.
	MinTokensToKeep int

	// Coin is this step's uniform number in [0,1) for kinds that throw one of
	// their own (XTC). It is not the die of the draw.
	Coin float64

	// Without is the model's row after the same generated tokens with another
	// prompt before them, not to be changed: an empty one stands for the last
	// token of the text's own. Nil when there is no model to ask.
	Without func(prompt []int) []float32

	// weights are those of the row that a processor gets; nil where none are kept.
	weights *weights
	scratch *scratch // to be used, where it is not nil
}

// Processor changes scores in place, one score a token. -Inf removes a token.
// A removed token stays removed, but for the kinds whose doc says that they
// bring tokens back (forced_bos_token_id, forced_eos_token_id,
// remove_invalid_values). Kinds that cut by probability always keep a token;
// kinds that ban tokens may remove all, as in transformers. A processor keeps
// no state between calls and does not keep scores.
type Processor interface {
	Process(c Context, scores []float32)
}

// Stage is a processor under the name of its kind. Warper marks HF's "logits
// warpers", which only act when a strategy samples. Cut marks a filter: a kind
// that removes tokens by their probability and leaves the scores of the others.
type Stage struct {
	Name   string
	Warper bool
	Cut    bool
	Processor
}

// Pipeline is a list of stages in the order they act.
type Pipeline []Stage

// Trace is what a pipeline did: Scores[0] is the model's own row, Scores[i+1]
// what stage i left. Names[0] is "model". FirstCut is the index in Scores of
// the row that enters the first filter, the last row where there is none.
type Trace struct {
	Names    []string
	Scores   [][]float32
	FirstCut int

	weights []*weights // of Scores
}

// Run sends raw through the pipeline and records every stage. raw is not
// changed; Scores[0] is raw itself.
func (p Pipeline) Run(c Context, raw []float32) Trace { return new(Runner).Run(p, c, raw) }

// Apply sends scores through the pipeline in place, without a record.
func (p Pipeline) Apply(c Context, scores []float32) {
	for _, s := range p {
		s.Process(c, scores)
	}
}

// Check reports the first setting that does not fit a vocabulary of that size:
// "suppress_tokens: token 50300, want 0 to 50256". Process passes such a token
// over.
func (p Pipeline) Check(vocab int) error {
	for _, s := range p {
		if v, ok := s.Processor.(interface{ checkVocab(vocab int) error }); ok {
			if err := v.checkVocab(vocab); err != nil {
				return err
			}
		}
	}
	return nil
}

// Final is the row after the last stage.
func (t Trace) Final() []float32 { return t.Scores[len(t.Scores)-1] }

// RemovedBy is the index in Names of the stage that removed id for good, or -1
// for a token that is kept. 0 means that the model itself gave -Inf.
func (t Trace) RemovedBy(id int) int {
	stage := -1
	for i := len(t.Scores) - 1; i >= 0 && removed(t.Scores[i][id]); i-- {
		stage = i
	}
	return stage
}

var gone = float32(math.Inf(-1))

// removed compares with a constant: loading gone for each score takes longer.
func removed(score float32) bool { return score < -math.MaxFloat32 }
