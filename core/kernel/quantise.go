package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Quantise packs a matrix, values row after row, into dst, WeightBytes long.
// bits, 2 to 8, is how many levels a weight may take, in steps of its group's
// scale; each is stored in a byte all the same. The result depends on nothing
// but the weights. Blocks of 8 rows are independent: a matrix may be packed in
// pieces of a multiple of that. The sums of squares of the error and of the
// weights are returned, in float64, row by row.
func Quantise(dst []byte, rows, cols, group, bits int, values []float32) (errSq, sumSq float64) {
	if len(dst) != WeightBytes(rows, cols, group) || len(values) != rows*cols || bits < 2 || bits > 8 {
		panic(fmt.Sprintf("kernel: %d numbers, %d by %d, of %d bits into %d bytes", len(values), rows, cols, bits, len(dst)))
	}
	for r0 := 0; r0 < rows; r0 += blockRows {
		for c0 := 0; c0 < cols; c0 += group {
			b := dst[:groupBytes(group)]
			dst = dst[groupBytes(group):]
			clear(b[:blockRows*4])
			for i := range b[blockRows*4:] {
				b[blockRows*4+i] = bias
			}
			for r := r0; r < min(r0+blockRows, rows); r++ {
				x := values[r*cols:][c0:min(c0+group, cols)]
				g, e := bestGrid(x, bits)
				binary.LittleEndian.PutUint32(b[4*(r-r0):], math.Float32bits(g.scale))
				for i, v := range x {
					b[blockRows*4+place(r-r0, i)] = byte(int(g.level(v)) + bias)
					sumSq += float64(float64(v) * float64(v))
				}
				errSq += e
			}
		}
	}
	return errSq, sumSq
}

// grid is the levels of a group: whole multiples of scale from low to high.
type grid struct{ scale, low, high float32 }

// level is the number of steps that v is rounded to, ties to even.
func (g grid) level(v float32) float32 {
	if g.scale == 0 {
		return 0
	}
	q := float32(math.RoundToEven(float64(v) / float64(g.scale)))
	return min(max(q, g.low), g.high)
}

// squaredError ends early when the sum comes to enough.
func (g grid) squaredError(x []float32, enough float64) (sum float64) {
	for i, v := range x {
		d := float64(v) - float64(float32(g.level(v)*g.scale))
		sum += float64(d * d)
		if i%8 == 7 && sum >= enough {
			break
		}
	}
	return sum
}

// Steps tried are from minStep to maxStep times the one that the largest
// weight asks for.
const (
	minStep, maxStep = 0.55, 1.05
	tries            = 18
)

// bestGrid is the levels that lose least of a group, and the squared error they
// leave. 8 bits are symmetric and reach the largest weight. With fewer, an
// outlier may be cut so that all others are told apart better, and the level
// left over by an odd count goes to the side that gains from it.
func bestGrid(x []float32, bits int) (best grid, errSq float64) {
	var most float32
	for _, v := range x {
		most = max(most, float32(math.Abs(float64(v))))
	}
	limit := float32(int(1)<<(bits-1) - 1)
	best = grid{shortScale(most / limit), -limit, limit}
	errSq = best.squaredError(x, math.Inf(1))
	if bits == 8 || most == 0 {
		return best, errSq
	}
	for i := range tries {
		stretch := maxStep - float64((maxStep-minStep)*float64(i))/(tries-1)
		scale := shortScale(float32(float64(most/limit) * stretch))
		for _, g := range []grid{{scale, -limit - 1, limit}, {scale, -limit, limit + 1}} {
			if e := g.squaredError(x, errSq); e < errSq {
				best, errSq = g, e
			}
		}
	}
	return best, errSq
}

// shortScale rounds a scale up to 9 bits: what is lost is far below the step
// of the weights, and half its bytes are zeros, which compress to nothing.
func shortScale(s float32) float32 {
	const low = 1<<15 - 1
	return math.Float32frombits((math.Float32bits(s) + low) &^ low)
}
