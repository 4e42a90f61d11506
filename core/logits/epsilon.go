package logits

import "decodingplayground/core/spec"

var epsilonKind = spec.Kind[Processor]{
	Name: "epsilon_cutoff", Label: "Epsilon cutoff", Letter: "ε", Group: "Cut",
	Doc:     "Cuts every token whose share is below a fixed floor.",
	Formula: "K = {t : pₜ ≥ ε}",
	Source:  "Hewitt et al. 2022, arXiv:2210.15191; transformers EpsilonLogitsWarper",
	Warper:  true,
	Params: []spec.Param{{
		Name: "epsilon_cutoff", Label: "Epsilon", Type: spec.Number,
		Doc:     "The share that a token needs to stay. 0 is off.",
		Default: 0, Min: 0, Max: 1, OpenMax: true, Off: 0, HasOff: true,
		Low: 0, High: 0.1, Step: 0.001, Scale: spec.Linear,
	}, minTokensToKeep},
	New: func(a spec.Args) (Processor, error) {
		return epsilon{floor: a.Get("epsilon_cutoff"), keep: a.Int("min_tokens_to_keep")}, nil
	},
}

// epsilon removes tokens whose probability is strictly below the floor, but
// none that is among the min_tokens_to_keep best or ties with the last of them.
type epsilon struct {
	floor float64
	keep  int
}

func (e epsilon) Process(c Context, scores []float32) {
	if e.floor == 0 {
		return
	}
	s := c.borrow()
	defer s.release()
	if s.softmax(c, scores) {
		s.cutBelow(scores, float32(e.floor), keepOf(e.keep, c))
	}
}

// cutBelow removes tokens with a probability below floor, but for the keep best
// and those that tie with the last of them.
func (s *scratch) cutBelow(scores []float32, floor float32, keep int) {
	safe := s.kthLargest(s.scores, keep)
	for i, p := range s.probs {
		if p < floor && s.scores[i] < safe {
			s.remove(scores, i)
		}
	}
}
