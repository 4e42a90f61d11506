package logits

import (
	"slices"

	"decodingplayground/core/spec"
)

var noRepeatNgramKind = spec.Kind[Processor]{
	Name: "no_repeat_ngram_size", Label: "Block n-grams", Letter: "n", Group: "Repeat",
	Doc:     "Forbids any run of n tokens from coming twice.",
	Formula: "x₋ₙ₊₁ … x₋₁ t ⊂ x ⇒ sₜ ← −∞",
	Source:  "Paulus et al. 2017, arXiv:1705.04304; transformers NoRepeatNGramLogitsProcessor",
	Params: []spec.Param{{
		Name: "no_repeat_ngram_size", Label: "n", Type: spec.Integer,
		Doc:     "How long a run may not come twice. 0 is off.",
		Default: 0, Min: 0, Max: 1000, Off: 0, HasOff: true,
		Low: 0, High: 6, Step: 1, Scale: spec.Linear,
	}},
	New: func(a spec.Args) (Processor, error) { return noRepeatNgram(a.Int("no_repeat_ngram_size")), nil },
}

// noRepeatNgram removes every token that would complete a run of n tokens that
// the text, prompt included, already has. 1 removes every token seen so far.
// It may remove all tokens.
type noRepeatNgram int

func (n noRepeatNgram) Process(c Context, scores []float32) {
	size := int(n)
	if size == 0 || len(c.IDs) < size {
		return
	}
	start := c.IDs[len(c.IDs)-size+1:]
	for i := range len(c.IDs) - size + 1 {
		if slices.Equal(c.IDs[i:i+size-1], start) {
			remove(scores, c.IDs[i+size-1:i+size])
		}
	}
}
