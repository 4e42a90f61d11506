package logits

import (
	"math"

	"decodingplayground/core/rows"
	"decodingplayground/core/spec"
)

var temperatureKind = spec.Kind[Processor]{
	Name: "temperature", Label: "Temperature", Letter: "T", Group: "Shape",
	Doc:     "Below 1 sharpens, above 1 flattens. At 0 only the top token stays.",
	Formula: "sₜ ← sₜ / T",
	Source:  "transformers TemperatureLogitsWarper; 0 is the greedy limit",
	Warper:  true,
	Params: []spec.Param{{
		Name: "temperature", Label: "Temperature", Type: spec.Number,
		Doc:     "Every score is divided by T.",
		Default: 1, Min: 0, Max: 100, Off: 1, HasOff: true,
		Low: 0, High: 2, Step: 0.01, Scale: spec.Linear,
	}},
	New: func(a spec.Args) (Processor, error) { return temperature(a.Get("temperature")), nil },
}

// temperature divides every score by T. transformers takes T > 0 only; T = 0
// here is the limit: the best token stays as it is (of ties the lower id) and
// all others are removed. Where a quotient would overflow, the row is shifted
// first so that its best score is 0, which changes no probability.
type temperature float64

func (t temperature) Process(_ Context, scores []float32) { heat(scores, float64(t)) }

// heat divides scores by t, which dynamic_temperature uses, too.
func heat(scores []float32, t float64) {
	if t == 1 {
		return
	}
	top, ok := peak(scores)
	if ok && float32(t) == 0 {
		keepOnly(scores, Best(scores))
		return
	}
	div := float32(t)
	if div == 0 {
		return
	}
	shift := float32(0)
	if ok && math.IsInf(float64(float32(top)/div), 0) {
		shift = float32(top)
	}
	rows.Divide(scores, shift, div)
}

func keepOnly(scores []float32, id int) {
	for i := range scores {
		if i != id {
			scores[i] = gone
		}
	}
}
