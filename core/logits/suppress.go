package logits

import "decodingplayground/core/spec"

var suppressKind = spec.Kind[Processor]{
	Name: "suppress_tokens", Label: "Suppress tokens", Letter: "s", Group: "Ban",
	Doc:     "Cuts these tokens at every step.",
	Formula: "t ∈ A ⇒ sₜ ← −∞",
	Source:  "transformers SuppressTokensLogitsProcessor",
	Params:  []spec.Param{tokens("suppress_tokens", "Tokens", "The tokens that never come.")},
	New:     func(a spec.Args) (Processor, error) { return suppress(flatten(a.Seq["suppress_tokens"])), nil },
}

// suppress removes tokens. It may remove all.
type suppress []int

func (s suppress) Process(_ Context, scores []float32) { remove(scores, s) }

func (s suppress) checkVocab(vocab int) error { return checkTokens("suppress_tokens", s, vocab) }

var beginSuppressKind = spec.Kind[Processor]{
	Name: "begin_suppress_tokens", Label: "Suppress at the start", Letter: "S", Group: "Ban",
	Doc:     "Cuts these tokens at the first step only.",
	Formula: "|x| = |prompt|, t ∈ A ⇒ sₜ ← −∞",
	Source:  "transformers SuppressTokensAtBeginLogitsProcessor",
	Params:  []spec.Param{tokens("begin_suppress_tokens", "Tokens", "The tokens that do not come first.")},
	New: func(a spec.Args) (Processor, error) {
		return beginSuppress(flatten(a.Seq["begin_suppress_tokens"])), nil
	},
}

// beginSuppress removes tokens while nothing has been generated. It may remove
// all.
type beginSuppress []int

func (s beginSuppress) Process(c Context, scores []float32) {
	if len(c.IDs) == c.PromptLen {
		remove(scores, s)
	}
}

func (s beginSuppress) checkVocab(vocab int) error {
	return checkTokens("begin_suppress_tokens", s, vocab)
}
