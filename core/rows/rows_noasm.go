//go:build !wasm || purego

package rows

import "math"

func next(xs []float32, floor float32) int { return nextGeneric(xs, floor) }

func above(xs []float32, floor float32) int { return aboveGeneric(xs, floor) }

func divide(xs []float32, shift, by float32) { divideGeneric(xs, shift, by) }

func cut(xs []float32, floor float32) { cutGeneric(xs, floor) }

func gather(ids []int32, scores, xs []float32) int { return gatherGeneric(ids, scores, xs, 0, 0) }

func pick(dst, weights []float64, xs []float32) float64 { return pickGeneric(dst, weights, xs, 0, 0) }

func sumOf(weights []float64, xs []float32) float64 { return sumGeneric(weights, xs, 0) }

func keys(dst []uint32, xs []float32) { keysGeneric(dst, xs) }

func span(keys []uint32) (low, high uint32) { return spanGeneric(keys, math.MaxUint32, 0) }

func below(keys []uint32, key uint32) int { return belowGeneric(keys, key) }

func addUp(b *Bins, keys []uint32, weights []uint64, low uint32, shift int) {
	addUpGeneric(b, keys, weights, low, shift)
}

func shares(probs []float32, units []uint64, weights []float64, sum float64) {
	sharesGeneric(probs, units, weights, sum)
}

func weigh(s *Sums, by []uint8, xs []float32, weights []float64, top float64) {
	weighGeneric(s, by, xs, weights, top)
}

func fall(by []uint8, row, before []float32, here, later uint8) (fell int, onlyCut bool) {
	return fallGeneric(by, row, before, here, later)
}

func only(dst, xs []float32, by []uint8, that uint8) { onlyGeneric(dst, xs, by, that) }
