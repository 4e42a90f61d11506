package chart

import (
	"math"
	"slices"

	"decodingplayground/core/logits"
)

// Descending returns a sorted copy of probs, the largest first, without zeros,
// negative numbers, NaN and infinities.
func Descending(probs []float32) []float32 {
	sorted := make([]float32, 0, len(probs))
	for _, id := range logits.Order(nil, probs) {
		if p := probs[id]; p > 0 && !math.IsInf(float64(p), 0) {
			sorted = append(sorted, p)
		}
	}
	return sorted
}

// running gives the sum of the first n numbers of row for each n in ranks, which
// ascend. What isn't a positive number adds nothing. No sum is above 1.
func running(row []float32, ranks []int) []float64 {
	sums := make([]float64, len(ranks))
	sum, n := 0.0, 0
	for i, rank := range ranks {
		for ; n < rank; n++ {
			if p := float64(row[n]); p > 0 && !math.IsInf(p, 0) {
				sum += p
			}
		}
		sums[i] = min(sum, 1)
	}
	return sums
}

const (
	maxRanks   = 390 // points of a curve: below one for each of its pixels
	everyRank  = 12  // ranks shown one by one
	roundTo    = 1e6 // a millionth is far below a pixel
	percentage = 100
)

// ranks lists the ranks of 1 to n that a curve shows: the first everyRank, the
// must that lie in the range, the last, and in between so many that they are
// evenly spread on a log axis. They ascend.
func ranks(n int, must ...int) []int {
	var list []int
	for rank := 1; rank <= min(n, everyRank); rank++ {
		list = append(list, rank)
	}
	ratio := math.Pow(max(1, float64(n)/everyRank), 1.0/float64(maxRanks-everyRank-len(must)-1))
	for at := float64(everyRank + 1); at < float64(n); at = max(at+1, at*ratio) {
		list = append(list, int(at))
	}
	for _, rank := range append(must, n) {
		if rank >= 1 && rank <= n {
			list = append(list, rank)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// finite reports whether v can be drawn, and be JSON.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// round drops digits that nobody sees, so that the JSON is short.
func round(v float64) float64 {
	if math.Abs(v) >= math.MaxFloat64/roundTo {
		return v
	}
	return math.Round(v*roundTo) / roundTo
}
