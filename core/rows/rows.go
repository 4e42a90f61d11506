// Package rows has the passes over a row of scores, one number a token of the
// vocabulary, that a slider waits for. Every function has a plain Go form that
// compiles everywhere; on WebAssembly, where the turn of a Go loop takes longer
// than what is done in it, each has an assembly twin with the same bits (build
// tag purego leaves it out).
//
// A removed token has the score -Inf. Lengths are checked here, in the exported
// functions, which panic where they differ.
package rows

import "math"

// lowest is the least score of a token that is not removed.
const lowest = -math.MaxFloat32

var gone = float32(math.Inf(-1))

// Removed says whether a score is -Inf: a comparison with a constant is quick.
func Removed(score float32) bool { return score < lowest }

// Next is the place of the first score that is above floor or NaN, len(xs) where
// there is none.
func Next(xs []float32, floor float32) int { return next(xs, floor) }

func nextGeneric(xs []float32, floor float32) int {
	i := 0
	for ; len(xs)-i >= 4; i += 4 {
		if x := (*[4]float32)(xs[i:]); !(x[0] <= floor && x[1] <= floor && x[2] <= floor && x[3] <= floor) {
			break
		}
	}
	for ; i < len(xs) && xs[i] <= floor; i++ {
	}
	return i
}

// Above is how many scores are above floor or NaN.
func Above(xs []float32, floor float32) int { return above(xs, floor) }

func aboveGeneric(xs []float32, floor float32) (n int) {
	for _, x := range xs {
		if !(x <= floor) {
			n++
		}
	}
	return n
}

// Kept is how many tokens are left.
func Kept(xs []float32) int { return above(xs, gone) }

// Divide makes each x (x-shift)/by.
func Divide(xs []float32, shift, by float32) { divide(xs, shift, by) }

func divideGeneric(xs []float32, shift, by float32) {
	for i, x := range xs {
		xs[i] = (x - shift) / by
	}
}

// Cut removes what is below floor.
func Cut(xs []float32, floor float32) { cut(xs, floor) }

func cutGeneric(xs []float32, floor float32) {
	for i, x := range xs {
		if x < floor {
			xs[i] = gone
		}
	}
}

// Gather writes the ids and scores of the tokens that are left, in the order of
// ids, and says how many there are. ids and scores are as long as xs; what they
// hold behind that is lost.
func Gather(ids []int32, scores, xs []float32) int {
	return gather(ids[:len(xs)], scores[:len(xs)], xs)
}

func gatherGeneric(ids []int32, scores, xs []float32, first, n int) int {
	for i, x := range xs {
		if !Removed(x) {
			ids[n], scores[n] = int32(first+i), x
			n++
		}
	}
	return n
}

// Pick writes the weights of the tokens that are left to dst, as Gather does
// their scores, and returns their sum, in order.
func Pick(dst, weights []float64, xs []float32) (sum float64) {
	return pick(dst[:len(xs)], weights[:len(xs)], xs)
}

func pickGeneric(dst, weights []float64, xs []float32, n int, sum float64) float64 {
	for i, x := range xs {
		if !Removed(x) {
			dst[n] = weights[i]
			sum += weights[i]
			n++
		}
	}
	return sum
}

// Sum adds up the weights of the tokens that are left, in order.
func Sum(weights []float64, xs []float32) float64 { return sumOf(weights[:len(xs)], xs) }

func sumGeneric(weights []float64, xs []float32, sum float64) float64 {
	for i := 0; i < len(xs); i++ {
		if four := xs[i:]; len(four) >= 4 && Removed(four[0]) && Removed(four[1]) && Removed(four[2]) && Removed(four[3]) {
			i += 3
		} else if !Removed(xs[i]) {
			sum += weights[i]
		}
	}
	return sum
}
