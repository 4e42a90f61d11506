package logits

import (
	"math"

	"decodingplayground/core/fmath"
	"decodingplayground/core/spec"
)

var etaKind = spec.Kind[Processor]{
	Name: "eta_cutoff", Label: "Eta cutoff", Letter: "η", Group: "Cut",
	Doc:     "Cuts below a floor that sinks when the model is unsure.",
	Formula: "K = {t : pₜ ≥ min(ε, √ε · e^−H)}",
	Source:  "Hewitt et al. 2022, arXiv:2210.15191; transformers EtaLogitsWarper",
	Warper:  true,
	Params: []spec.Param{{
		Name: "eta_cutoff", Label: "Eta", Type: spec.Number,
		Doc:     "The highest the floor can be. 0 is off.",
		Default: 0, Min: 0, Max: 1, OpenMax: true, Off: 0, HasOff: true,
		Low: 0, High: 0.1, Step: 0.001, Scale: spec.Linear,
	}, minTokensToKeep},
	New: func(a spec.Args) (Processor, error) {
		return eta{epsilon: a.Get("eta_cutoff"), keep: a.Int("min_tokens_to_keep")}, nil
	},
}

// eta removes tokens whose probability is strictly below
// min(e, sqrt(e) * exp(-H)), H the entropy in nats of the row that comes in. The
// best tokens are safe as in epsilon.
type eta struct {
	epsilon float64
	keep    int
}

func (e eta) Process(c Context, scores []float32) {
	if e.epsilon == 0 {
		return
	}
	s := c.borrow()
	defer s.release()
	if !s.softmax(c, scores) {
		return
	}
	h := s.entropy()
	floor := min(e.epsilon, math.Sqrt(e.epsilon)*fmath.Exp(-h))
	s.cutBelow(scores, float32(floor), keepOf(e.keep, c))
}
