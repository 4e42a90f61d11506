package logits

import "decodingplayground/core/spec"

var repetitionKind = spec.Kind[Processor]{
	Name: "repetition_penalty", Label: "Repeat penalty", Letter: "r", Group: "Repeat",
	Doc:     "Makes tokens that are already in the text less likely.",
	Formula: "t ∈ x ⇒ sₜ ← sₜ / r (sₜ ≥ 0), sₜ · r (sₜ < 0)",
	Source:  "Keskar et al. 2019, arXiv:1909.05858; transformers RepetitionPenaltyLogitsProcessor",
	Params: []spec.Param{{
		Name: "repetition_penalty", Label: "Penalty", Type: spec.Number,
		Doc:     "Above 1 repeats become less likely, below 1 likelier. 1 is off.",
		Default: 1, Min: 0.01, Max: 100, Off: 1, HasOff: true,
		Low: 0.5, High: 2, Step: 0.01, Scale: spec.Linear,
	}},
	New: func(a spec.Args) (Processor, error) { return repetition(a.Get("repetition_penalty")), nil },
}

// repetition changes the score of every token of the prompt and the generated
// text, once however often it occurs: a negative score is multiplied by the
// penalty, any other divided, so that both sink. A quotient that would overflow
// is the largest float32.
type repetition float64

func (r repetition) Process(c Context, scores []float32) {
	if r == 1 {
		return
	}
	penalty := float32(r)
	eachDistinct(c.IDs, len(scores), func(id, _ int) {
		if scores[id] < 0 {
			scores[id] *= penalty
		} else {
			scores[id] = saturate(scores[id]/penalty, scores[id])
		}
	})
}
