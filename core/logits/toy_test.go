package logits

import (
	"math"
	"testing"
)

// The teaching row: what the model says after "The capital of Italy is not".
var (
	toyTokens = []string{".", "Paris", "Rome", "a", "the"}
	toyLogits = []float32{-1.2, 8.4, 3.1, 0.5, 1.0}
)

func TestToyProbabilities(t *testing.T) {
	for _, c := range []struct {
		temperature float64
		want        map[string]float64
		digits      float64
	}{
		{1, map[string]float64{"Paris": 0.9940, "Rome": 0.0050, "the": 0.0006, "a": 0.0004, ".": 0.0001}, 0.5e-4},
		{2, map[string]float64{"Paris": 0.891, "Rome": 0.063}, 0.5e-3},
	} {
		final := Pipeline{one(t, "temperature", c.temperature)}.Run(Context{}, toyLogits).Final()
		probs := Softmax([]float64(nil), final)
		for i, token := range toyTokens {
			if want, ok := c.want[token]; ok && math.Abs(probs[i]-want) > c.digits {
				t.Errorf("T=%v: %s has %v, want %v", c.temperature, token, probs[i], want)
			}
		}
	}
}

// Paris alone has 0.9940, with Rome 0.9989: 0.9995 needs the, too (0.99951).
func TestToyNucleus(t *testing.T) {
	for p, want := range map[float64][]int{0.9: {1}, 0.995: {1, 2}, 0.9995: {1, 2, 4}, 0.9999: {1, 2, 3, 4}, 1: {0, 1, 2, 3, 4}} {
		final := Pipeline{one(t, "top_p", p)}.Run(Context{}, toyLogits).Final()
		wantKept(t, final, want...)
		if n := NucleusSize(toyLogits, p); n != len(want) {
			t.Errorf("p=%v: nucleus of %d, want %d", p, n, len(want))
		}
	}
}
