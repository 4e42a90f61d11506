package logits

import (
	"math"

	"decodingplayground/core/spec"
)

var topNSigmaKind = spec.Kind[Processor]{
	Name: "top_n_sigma", Label: "Top-nσ", Letter: "σ", Group: "Cut",
	Doc:     "Keeps the tokens whose score is within n standard deviations of the best.",
	Formula: "K = {t : sₜ ≥ max s − n · σ(s)}",
	Source:  "Tang et al. 2024, arXiv:2411.07641; llama.cpp top-n-sigma",
	Warper:  true,
	Params: []spec.Param{{
		Name: "top_n_sigma", Label: "n", Type: spec.Number,
		Doc:     "How many standard deviations below the best score stay. 0 is off.",
		Default: 0, Min: 0, Max: 100, Off: 0, HasOff: true,
		Low: 0, High: 5, Step: 0.05, Scale: spec.Linear,
	}},
	New: func(a spec.Args) (Processor, error) { return topNSigma(a.Get("top_n_sigma")), nil },
}

// topNSigma removes scores strictly below the best less n standard deviations
// (of the population) of the scores that are left. It does not look at
// probabilities, so temperature before it changes nothing of what it keeps.
type topNSigma float64

func (n topNSigma) Process(_ Context, scores []float32) {
	top, ok := peak(scores)
	if n == 0 || !ok {
		return
	}
	// Distances from the best, which do not lose digits far from 0.
	var sum, squares, count float64
	for _, s := range scores {
		if !removed(s) {
			sum += top - float64(s)
			count++
		}
	}
	mean := sum / count
	for _, s := range scores {
		if !removed(s) {
			d := top - float64(s) - mean
			squares += float64(d * d)
		}
	}
	reach := float64(n) * math.Sqrt(squares/count)
	for i, s := range scores {
		if top-float64(s) > reach {
			scores[i] = gone
		}
	}
}
