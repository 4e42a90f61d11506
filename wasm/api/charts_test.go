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

// Turning top-p down to 1 and leaving it out are the same step.
func TestCurveIsThatOfTopPWhereItIsOff(t *testing.T) {
	c := newClient(t)
	curve := func(stages ...Stage) string {
		s := c.openToy(sampling(stages...))
		return call[ChartJSON](c, "chart", ChartOf{Name: "cumulative", Sessions: []int{s.Session}, Step: -1}).Option
	}
	warm, open, minP := stage("temperature", 2), stage("top_p", 1), stage("min_p", 0.1)
	for name, pair := range map[string][2]string{
		"nothing":           {curve(), curve(open)},
		"temperature":       {curve(warm), curve(warm, open)},
		"a filter after it": {curve(warm, minP), curve(warm, open, minP)},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s, want %s", name, pair[0], pair[1])
		}
	}
	if curve() == curve(warm) {
		t.Error("temperature leaves the curve as it is")
	}
}
