package api

import (
	"math"
	"slices"
	"testing"

	"decodingplayground/core/chart"
	"decodingplayground/core/logits"
)

// A curve's row is sorted, whether or not it has kept the model's order.
func TestDescendingFollowsEachRow(t *testing.T) {
	model := rankingOf(row())
	flat, turned := slices.Clone(row()), slices.Clone(row())
	for id := range flat {
		flat[id] /= 3
		turned[id] *= -1
	}
	cut := slices.Clone(flat)
	for id := range cut[:len(cut)/2] {
		cut[id] = float32(math.Inf(-1))
	}
	for name, scores := range map[string][]float32{"model": row(), "flat": flat, "turned": turned, "cut": cut} {
		got, want := model.descending(scores), chart.Descending(logits.Softmax[float32](nil, scores))
		same := func(a, b float32) bool { return near(float64(a), float64(b), 1e-7) }
		if !slices.EqualFunc(got, want, same) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
