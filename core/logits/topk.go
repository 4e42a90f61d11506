package logits

import (
	"decodingplayground/core/rows"
	"decodingplayground/core/spec"
)

var topKKind = spec.Kind[Processor]{
	Name: "top_k", Label: "Top-k", Letter: "k", Group: "Cut",
	Doc:     "Keeps the k likeliest tokens.",
	Formula: "K = {t : sₜ ≥ s₍ₖ₎}, s₍₁₎ ≥ s₍₂₎ ≥ …",
	Source:  "Fan et al. 2018, arXiv:1805.04833; transformers TopKLogitsWarper",
	Warper:  true,
	Params: []spec.Param{{
		Name: "top_k", Label: "Top-k", Type: spec.Integer,
		Doc:     "How many tokens stay. 0 is off.",
		Default: 0, Min: 0, Max: 1e6, Off: 0, HasOff: true,
		Low: 1, High: 50257, Step: 1, Scale: spec.Log,
	}, minTokensToKeep},
	New: func(a spec.Args) (Processor, error) {
		return topK{k: a.Int("top_k"), keep: a.Int("min_tokens_to_keep")}, nil
	},
}

// topK removes scores strictly below the k-th largest: tokens that tie with the
// k-th all stay, so more than k may. k above the vocabulary is the vocabulary.
// NaN counts as the largest and stays.
type topK struct{ k, keep int }

func (t topK) Process(c Context, scores []float32) {
	if t.k == 0 || t.k >= len(scores) {
		return
	}
	s := borrow()
	defer s.release()
	rows.Cut(scores, s.kthLargest(scores, max(t.k, keepOf(t.keep, c))))
}
