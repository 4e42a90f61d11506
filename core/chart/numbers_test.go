package chart

import (
	"math"
	"slices"
	"testing"

	"github.com/go-echarts/go-echarts/v2/opts"
)

func TestDescending(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	probs := []float32{0.25, 0, nan, 0.5, -inf, inf, -1, 0.25, math.SmallestNonzeroFloat32}
	want := []float32{0.5, 0.25, 0.25, math.SmallestNonzeroFloat32}
	if got := Descending(probs); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if probs[0] != 0.25 || probs[3] != 0.5 {
		t.Error("the row was changed")
	}
	if got := Descending(nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestRanks(t *testing.T) {
	for _, n := range []int{1, 2, 11, 12, 13, 40, 400, 1000, 50257, 250_000} {
		must := []int{n / 2, 19, -1, n + 1}
		list := ranks(n, must...)
		if len(list) > 400 {
			t.Errorf("%d: %d points, want at most 400", n, len(list))
		}
		if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Errorf("%d: not ascending: %v", n, list)
		}
		if list[0] != 1 || list[len(list)-1] != n {
			t.Errorf("%d: from %d to %d", n, list[0], list[len(list)-1])
		}
		for rank := 1; rank <= min(n, everyRank); rank++ {
			if !slices.Contains(list, rank) {
				t.Errorf("%d: rank %d is missing", n, rank)
			}
		}
		for _, rank := range must {
			if inside := rank >= 1 && rank <= n; inside != slices.Contains(list, rank) {
				t.Errorf("%d: rank %d: shown %v, want %v", n, rank, !inside, inside)
			}
		}
		// Evenly spread: no step is wider than four hundredths of a decade.
		for i := everyRank; i < len(list); i++ {
			if a, b := list[i-1], list[i]; b > a+1 && math.Log10(float64(b)/float64(a)) > 0.04 {
				t.Errorf("%d: from %d to %d is too wide a step", n, a, b)
			}
		}
	}
}

func TestRunning(t *testing.T) {
	nan := float32(math.NaN())
	row := []float32{0.5, 0.25, nan, -1, 0.125, 0.5}
	got := running(row, []int{1, 2, 4, 5, 6})
	want := []float64{0.5, 0.75, 0.75, 0.875, 1}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestStairs: thinning changes no height. A point of the long curve is the sum
// to its rank.
func TestStairs(t *testing.T) {
	row := zipf(50257, 1.1)
	points := stairs("", row, 1234).Data.([]opts.LineData)
	if len(points) > 400 {
		t.Errorf("%d points, want at most 400", len(points))
	}
	sum, n := 0.0, 0
	crossing := false
	for _, p := range points[1:] {
		xy := p.Value.([]any)
		rank, y := xy[0].(int), xy[1].(float64)
		for ; n < rank; n++ {
			sum += float64(row[n])
		}
		if math.Abs(y-100*min(sum, 1)) > 1e-5 {
			t.Errorf("rank %d: %v, want %v", rank, y, 100*sum)
		}
		crossing = crossing || rank == 1234
	}
	if !crossing {
		t.Error("rank 1234 is missing")
	}
}

func TestRound(t *testing.T) {
	for _, c := range []struct{ in, want float64 }{
		{0.12345678, 0.123457}, {-0.12345678, -0.123457}, {90, 90}, {1e300, 1e300}, {math.MaxFloat64, math.MaxFloat64},
	} {
		if got := round(c.in); got != c.want {
			t.Errorf("round(%v) = %v, want %v", c.in, got, c.want)
		}
	}
}
