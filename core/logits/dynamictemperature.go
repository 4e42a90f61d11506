package logits

import (
	"math"

	"decodingplayground/core/fmath"
	"decodingplayground/core/rows"
	"decodingplayground/core/spec"
)

var dynamicTemperatureKind = spec.Kind[Processor]{
	Name: "dynamic_temperature", Label: "Dynamic temperature", Letter: "D", Group: "Shape",
	Doc:     "A temperature that is low where the model is sure and high where it is not.",
	Formula: "sₜ ← sₜ / T, T = T₋ + (T₊ − T₋) · (H / log n)^e",
	Source:  "kalomaze 2023; llama.cpp temp-ext",
	Warper:  true,
	Params: []spec.Param{{
		Name: "temperature", Label: "Middle", Type: spec.Number,
		Doc:     "The middle of the range.",
		Default: 1, Min: 0, Max: 100, Low: 0, High: 2, Step: 0.01, Scale: spec.Linear,
	}, {
		Name: "dynatemp_range", Label: "Range", Type: spec.Number,
		Doc:     "How far the temperature goes below and above the middle. 0 leaves it there.",
		Default: 0, Min: 0, Max: 100, Off: 0, HasOff: true,
		Low: 0, High: 2, Step: 0.01, Scale: spec.Linear,
	}, {
		Name: "dynatemp_exponent", Label: "Exponent", Type: spec.Number,
		Doc:     "Above 1 the temperature stays low for longer.",
		Default: 1, Min: 0, Max: 10, OpenMin: true, Low: 0.1, High: 3, Step: 0.1, Scale: spec.Linear,
	}},
	New: func(a spec.Args) (Processor, error) {
		return dynamicTemperature{
			middle: a.Get("temperature"), reach: a.Get("dynatemp_range"),
			exponent: a.Get("dynatemp_exponent"),
		}, nil
	},
}

// dynamicTemperature divides scores by a T between max(0, middle-reach) and
// middle+reach: as far up as (H / log n)**exponent says, H the entropy of the
// row and n how many tokens are left. T = 0 is the greedy limit.
type dynamicTemperature struct{ middle, reach, exponent float64 }

func (d dynamicTemperature) Process(_ Context, scores []float32) {
	t := d.middle
	if d.reach > 0 {
		left := rows.Kept(scores)
		if left <= 1 {
			return
		}
		low := max(0, d.middle-d.reach)
		share := min(1, Entropy(scores)*math.Ln2/fmath.Log(float64(left)))
		if share > 0 {
			share = fmath.Exp(d.exponent * fmath.Log(share))
		}
		t = low + float64((d.middle+d.reach-low)*share)
	}
	heat(scores, t)
}
