package logits

import "decodingplayground/core/spec"

var removeInvalidKind = spec.Kind[Processor]{
	Name: "remove_invalid_values", Label: "Mend invalid scores", Letter: "v", Group: "Shape",
	Doc:     "Replaces scores that are no numbers or infinite. Tokens cut before come back with no share.",
	Formula: "NaN → 0, ±∞ → ±3.4 · 10³⁸",
	Source:  "transformers InfNanRemoveLogitsProcessor",
	Params:  []spec.Param{flag("remove_invalid_values", "Mend", "Whether invalid scores are replaced.")},
	New:     func(a spec.Args) (Processor, error) { return removeInvalid(a.Get("remove_invalid_values") == 1), nil },
}

// removeInvalid makes NaN 0 and an infinity the largest float32 of its sign. So
// removed tokens come back with the smallest score there is, as in transformers:
// they count as kept, and their probability is 0.
type removeInvalid bool

func (on removeInvalid) Process(_ Context, scores []float32) {
	if !on {
		return
	}
	for i, s := range scores {
		if s != s {
			scores[i] = 0
		} else {
			scores[i] = finite(s)
		}
	}
}

var renormalizeKind = spec.Kind[Processor]{
	Name: "renormalize_logits", Label: "Renormalize", Letter: "z", Group: "Shape",
	Doc:     "Turns the scores into log-probabilities. No share changes.",
	Formula: "sₜ ← sₜ − log Σ e^s",
	Source:  "transformers LogitNormalization",
	Params:  []spec.Param{flag("renormalize_logits", "Renormalize", "Whether scores become log-probabilities.")},
	New:     func(a spec.Args) (Processor, error) { return renormalize(a.Get("renormalize_logits") == 1), nil },
}

// renormalize is log-softmax. A row that is no distribution stays as it is
// (transformers makes it NaN).
type renormalize bool

func (on renormalize) Process(_ Context, scores []float32) {
	if _, ok := peak(scores); ok && bool(on) {
		LogSoftmax(scores, scores)
	}
}
