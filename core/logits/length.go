package logits

import (
	"math"

	"decodingplayground/core/spec"
)

var minLengthKind = spec.Kind[Processor]{
	Name: "min_length", Label: "Least length", Letter: "L", Group: "Length",
	Doc:     "No end before the text, prompt included, has this many tokens.",
	Formula: "|x| < L ⇒ s(EOS) ← −∞",
	Source:  "transformers MinLengthLogitsProcessor",
	Params:  []spec.Param{lengthParam("min_length", "Tokens", "How many tokens the text has at least. 0 is off.")},
	New:     func(a spec.Args) (Processor, error) { return minLength(a.Int("min_length")), nil },
}

// minLength removes the end-of-sequence tokens while the text, prompt included,
// is shorter than n.
type minLength int

func (n minLength) Process(c Context, scores []float32) {
	if len(c.IDs) < int(n) {
		remove(scores, c.EOS)
	}
}

var minNewTokensKind = spec.Kind[Processor]{
	Name: "min_new_tokens", Label: "Least new tokens", Letter: "M", Group: "Length",
	Doc:     "No end before this many tokens are generated.",
	Formula: "|x| − |prompt| < M ⇒ s(EOS) ← −∞",
	Source:  "transformers MinNewTokensLengthLogitsProcessor",
	Params:  []spec.Param{lengthParam("min_new_tokens", "Tokens", "How many tokens are generated at least. 0 is off.")},
	New:     func(a spec.Args) (Processor, error) { return minNewTokens(a.Int("min_new_tokens")), nil },
}

// minNewTokens removes the end-of-sequence tokens while fewer than n tokens
// have been generated.
type minNewTokens int

func (n minNewTokens) Process(c Context, scores []float32) {
	if len(c.IDs)-c.PromptLen < int(n) {
		remove(scores, c.EOS)
	}
}

func lengthParam(name, label, doc string) spec.Param {
	return spec.Param{
		Name: name, Label: label, Doc: doc, Type: spec.Integer,
		Default: 0, Min: 0, Max: 1e6, Off: 0, HasOff: true,
		Low: 0, High: 100, Step: 1, Scale: spec.Linear,
	}
}

var decayKind = spec.Kind[Processor]{
	Name: "exponential_decay_length_penalty", Label: "Pull to the end", Letter: "y", Group: "Length",
	Doc:     "After some tokens the end grows likelier with every step.",
	Formula: "s(EOS) ← s(EOS) + |s(EOS)| · (fⁿ − 1), n = |x| − |prompt| − start",
	Source:  "transformers ExponentialDecayLengthPenalty",
	Params: []spec.Param{
		lengthParam("start_index", "From", "How many tokens are generated before the pull begins."),
		{
			Name: "decay_factor", Label: "Factor", Type: spec.Number,
			Doc:     "How fast the pull grows. 1 is off.",
			Default: 1, Min: 0, Max: 100, OpenMin: true, Off: 1, HasOff: true,
			Low: 1, High: 2, Step: 0.01, Scale: spec.Linear,
		},
	},
	New: func(a spec.Args) (Processor, error) {
		return decay{start: a.Int("start_index"), factor: a.Get("decay_factor")}, nil
	},
}

// decay adds |s| * (factor^n - 1) to the score s of each end-of-sequence token
// when n > 0 tokens have been generated past start. A removed one stays removed
// (transformers 5.x; 4.46 computes NaN). What would overflow is the largest
// float32.
type decay struct {
	start  int
	factor float64
}

func (d decay) Process(c Context, scores []float32) {
	n := len(c.IDs) - c.PromptLen - d.start
	if n <= 0 || d.factor == 1 {
		return
	}
	growth := min(power(d.factor, n)-1, math.MaxFloat64)
	for _, id := range c.EOS {
		if id >= 0 && id < len(scores) {
			add(scores, id, finite(float32(math.Abs(float64(scores[id]))*growth)))
		}
	}
}
