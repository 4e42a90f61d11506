//go:build wasm && !purego

package rows

import "math"

// Assembly takes whole vectors, the generic form the rest.

//go:noescape
func nextVector(xs *float32, floor float32, vectors int64) (at int64)

func next(xs []float32, floor float32) int {
	at := 0
	if whole := len(xs) / 4; whole > 0 {
		at = 4 * int(nextVector(&xs[0], floor, int64(whole)))
	}
	return at + nextGeneric(xs[at:], floor)
}

//go:noescape
func aboveVectors(xs *float32, floor float32, vectors int64) (n int64)

func above(xs []float32, floor float32) int {
	n, whole := 0, len(xs)&^3
	if whole > 0 {
		n = int(aboveVectors(&xs[0], floor, int64(whole/4)))
	}
	return n + aboveGeneric(xs[whole:], floor)
}

//go:noescape
func divideVectors(xs *float32, shift, by float32, vectors int64)

func divide(xs []float32, shift, by float32) {
	whole := len(xs) &^ 3
	if whole > 0 {
		divideVectors(&xs[0], shift, by, int64(whole/4))
	}
	divideGeneric(xs[whole:], shift, by)
}

//go:noescape
func cutVectors(xs *float32, floor float32, vectors int64)

func cut(xs []float32, floor float32) {
	whole := len(xs) &^ 3
	if whole > 0 {
		cutVectors(&xs[0], floor, int64(whole/4))
	}
	cutGeneric(xs[whole:], floor)
}

//go:noescape
func gatherVectors(ids *int32, scores, xs *float32, vectors int64) (n int64)

func gather(ids []int32, scores, xs []float32) int {
	n, whole := 0, len(xs)&^3
	if whole > 0 {
		n = int(gatherVectors(&ids[0], &scores[0], &xs[0], int64(whole/4)))
	}
	return gatherGeneric(ids, scores, xs[whole:], whole, n)
}

//go:noescape
func pickVectors(dst, weights *float64, xs *float32, vectors int64) (n int64, sum float64)

func pick(dst, weights []float64, xs []float32) (sum float64) {
	n, whole := int64(0), len(xs)&^3
	if whole > 0 {
		n, sum = pickVectors(&dst[0], &weights[0], &xs[0], int64(whole/4))
	}
	return pickGeneric(dst, weights[whole:], xs[whole:], int(n), sum)
}

//go:noescape
func sumVectors(weights *float64, xs *float32, vectors int64) (sum float64)

func sumOf(weights []float64, xs []float32) (sum float64) {
	whole := len(xs) &^ 3
	if whole > 0 {
		sum = sumVectors(&weights[0], &xs[0], int64(whole/4))
	}
	return sumGeneric(weights[whole:], xs[whole:], sum)
}

//go:noescape
func keyVectors(dst *uint32, xs *float32, vectors int64)

func keys(dst []uint32, xs []float32) {
	whole := len(xs) &^ 3
	if whole > 0 {
		keyVectors(&dst[0], &xs[0], int64(whole/4))
	}
	keysGeneric(dst[whole:], xs[whole:])
}

// spanVectors writes four smallest and four largest keys.
//
//go:noescape
func spanVectors(low, high, keys *uint32, vectors int64)

func span(keys []uint32) (low, high uint32) {
	low = math.MaxUint32
	whole := len(keys) &^ 3
	if whole > 0 {
		var least, most [4]uint32
		spanVectors(&least[0], &most[0], &keys[0], int64(whole/4))
		low, high = min(least[0], least[1], least[2], least[3]), max(most[0], most[1], most[2], most[3])
	}
	return spanGeneric(keys[whole:], low, high)
}

//go:noescape
func belowVectors(keys *uint32, key uint32, vectors int64) (n int64)

func below(keys []uint32, key uint32) int {
	n, whole := 0, len(keys)&^3
	if whole > 0 {
		n = int(belowVectors(&keys[0], key, int64(whole/4)))
	}
	return n + belowGeneric(keys[whole:], key)
}

//go:noescape
func addBins(bins *uint64, keys *uint32, weights *uint64, low, shift uint32, fours int64)

func addUp(b *Bins, keys []uint32, weights []uint64, low uint32, shift int) {
	whole := len(keys) &^ 3
	if whole > 0 {
		addBins(&b[0], &keys[0], &weights[0], low, uint32(shift), int64(whole/4))
	}
	addUpGeneric(b, keys[whole:], weights[whole:], low, shift)
}

//go:noescape
func sharePairs(probs *float32, units *uint64, weights *float64, sum float64, pairs int64)

func shares(probs []float32, units []uint64, weights []float64, sum float64) {
	whole := len(weights) &^ 1
	if whole > 0 {
		sharePairs(&probs[0], &units[0], &weights[0], sum, int64(whole/2))
	}
	sharesGeneric(probs[whole:], units[whole:], weights[whole:], sum)
}

//go:noescape
func weighFours(sums *[2]float64, by *uint8, xs *float32, weights *float64, top float64, fours int64)

func weigh(s *Sums, by []uint8, xs []float32, weights []float64, top float64) {
	whole := len(xs) &^ 3
	if whole > 0 {
		weighFours(&s[0], &by[0], &xs[0], &weights[0], top, int64(whole/4))
	}
	weighGeneric(s, by[whole:], xs[whole:], weights[whole:], top)
}

//go:noescape
func fallVectors(by *uint8, row, before *float32, here, later uint8, vectors int64) (fell int64, onlyCut bool)

func fall(by []uint8, row, before []float32, here, later uint8) (fell int, onlyCut bool) {
	onlyCut = true
	whole := len(row) &^ 15
	if whole > 0 {
		var n int64
		n, onlyCut = fallVectors(&by[0], &row[0], &before[0], here, later, int64(whole/16))
		fell = int(n)
	}
	n, only := fallGeneric(by[whole:], row[whole:], before[whole:], here, later)
	return fell + n, onlyCut && only
}

//go:noescape
func onlyVectors(dst, xs *float32, by *uint8, that uint8, vectors int64)

func only(dst, xs []float32, by []uint8, that uint8) {
	whole := len(xs) &^ 3
	if whole > 0 {
		onlyVectors(&dst[0], &xs[0], &by[0], that, int64(whole/4))
	}
	onlyGeneric(dst[whole:], xs[whole:], by[whole:], that)
}
