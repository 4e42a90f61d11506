package logits

import "decodingplayground/core/spec"

var xtcKind = spec.Kind[Processor]{
	Name: "xtc", Label: "XTC", Letter: "x", Group: "Cut",
	Doc:     "Now and then cuts the top choices: of the tokens above the threshold only the least likely stays.",
	Formula: "u < q ⇒ K = {t : pₜ ≤ min{pᵢ : pᵢ ≥ θ}}",
	Source:  "p-e-w 2024, oobabooga/text-generation-webui#6335; llama.cpp xtc",
	Warper:  true,
	Params: []spec.Param{{
		Name: "xtc_probability", Label: "How often", Type: spec.Number,
		Doc:     "The share of steps at which it acts. 0 is off.",
		Default: 0, Min: 0, Max: 1, Off: 0, HasOff: true,
		Low: 0, High: 1, Step: 0.01, Scale: spec.Linear,
	}, {
		Name: "xtc_threshold", Label: "Threshold", Type: spec.Number,
		Doc:     "The share from which a token counts as a top choice. Above 0.5 nothing happens.",
		Default: 0.1, Min: 0, Max: 1, Low: 0, High: 0.5, Step: 0.01, Scale: spec.Linear,
	}, minTokensToKeep},
	New: func(a spec.Args) (Processor, error) {
		return xtc{
			probability: a.Get("xtc_probability"), threshold: a.Get("xtc_threshold"),
			keep: a.Int("min_tokens_to_keep"),
		}, nil
	},
}

// xtc acts when the step's coin is below its probability. It then removes all
// tokens with a probability of at least the threshold but the last of them in
// the order of the draw (of ties the highest id), unless too few would be left.
// A threshold above 0.5 never finds two tokens and is off, as in llama.cpp.
type xtc struct {
	probability, threshold float64
	keep                   int
}

func (x xtc) Process(c Context, scores []float32) {
	if c.Coin >= x.probability || x.threshold > 0.5 {
		return
	}
	s := c.borrow()
	defer s.release()
	if !s.softmax(c, scores) {
		return
	}
	last, choices := -1, 0
	for i, p := range s.probs {
		if p >= float32(x.threshold) {
			choices++
			if last < 0 || s.scores[i] <= s.scores[last] {
				last = i
			}
		}
	}
	if choices < 2 || len(s.left)-choices+1 < keepOf(x.keep, c) {
		return
	}
	for i, p := range s.probs {
		if i != last && p >= float32(x.threshold) {
			s.remove(scores, i)
		}
	}
}
