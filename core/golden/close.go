package golden

import (
	"math"
	"testing"
)

// Tolerance is how far a number may be off: Abs + Rel*|want|.
type Tolerance struct{ Abs, Rel float64 }

// The tolerances that oracle/README.md gives. Tokens are compared exactly.
var (
	Logit         = Tolerance{Abs: 1e-4} // logits and log-probs of a float32 engine
	Prob          = Tolerance{Abs: 2e-5}
	Processed     = Tolerance{Abs: 1e-7, Rel: 1e-5} // scores out of the pipeline
	SequenceScore = Tolerance{Abs: 1e-6, Rel: 1e-4}
)

// Near reports whether got is want within tol. NaN is near NaN, an infinity
// near itself only.
func Near(got, want float64, tol Tolerance) bool {
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return true
	}
	if math.IsInf(got, 0) || math.IsInf(want, 0) {
		return false
	}
	return math.Abs(got-want) <= tol.Abs+tol.Rel*math.Abs(want)
}

// Close fails the test, naming what and the first number that is off, unless
// got is want within tol. It reports whether it was.
func Close[G, W ~float32 | ~float64](t testing.TB, what string, got []G, want []W, tol Tolerance) bool {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
		return false
	}
	for i := range got {
		if !Near(float64(got[i]), float64(want[i]), tol) {
			t.Errorf("%s: [%d] is %v, want %v", what, i, got[i], want[i])
			return false
		}
	}
	return true
}
