package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Quantise packs a matrix, values row after row, into dst, WeightBytes long.
// bits, 2 to 8, is how many levels a weight may take: -(2^(bits-1)-1) up to its
// opposite; it is stored in a byte all the same. The result depends on nothing
// but the weights. Blocks of 8 rows are independent: a matrix may be packed in
// pieces of a multiple of that. The sums of squares of the error and of the
// weights are returned, in float64, row by row.
func Quantise(dst []byte, rows, cols, group, bits int, values []float32) (errSq, sumSq float64) {
	if len(dst) != WeightBytes(rows, cols, group) || len(values) != rows*cols || bits < 2 || bits > 8 {
		panic(fmt.Sprintf("kernel: %d numbers, %d by %d, of %d bits into %d bytes", len(values), rows, cols, bits, len(dst)))
	}
	limit := float32(int(1)<<(bits-1) - 1)
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
				scale, e := bestScale(x, limit)
				binary.LittleEndian.PutUint32(b[4*(r-r0):], math.Float32bits(scale))
				for i, v := range x {
					b[blockRows*4+place(r-r0, i)] = byte(int(level(v, scale, limit)) + bias)
					sumSq += float64(float64(v) * float64(v))
				}
				errSq += e
			}
		}
	}
	return errSq, sumSq
}

// Cuts tried are up to maxCut times cutStep of the largest weight.
const (
	maxCut  = 16
	cutStep = 0.03
)

// bestScale is the step between levels that loses least of a group, and the
// squared error it leaves. With few levels that is less than the largest weight
// asks for: an outlier is cut so that all others are told apart better.
func bestScale(x []float32, limit float32) (scale float32, errSq float64) {
	var most float32
	for _, v := range x {
		most = max(most, float32(math.Abs(float64(v))))
	}
	scale = shortScale(most / limit)
	errSq = squaredError(x, scale, limit)
	if limit == 127 || scale == 0 {
		return scale, errSq // no cut helps
	}
	for cut := 1; cut <= maxCut; cut++ {
		try := shortScale(most / limit * (1 - float32(float32(cut)*cutStep)))
		if e := squaredError(x, try, limit); e < errSq {
			scale, errSq = try, e
		}
	}
	return scale, errSq
}

func squaredError(x []float32, scale, limit float32) (sum float64) {
	for _, v := range x {
		d := float64(v) - float64(float32(level(v, scale, limit)*scale))
		sum += float64(d * d)
	}
	return sum
}

// level is the number of steps that v is rounded to, ties to even.
func level(v, scale, limit float32) float32 {
	if scale == 0 {
		return 0
	}
	q := float32(math.RoundToEven(float64(v) / float64(scale)))
	return min(max(q, -limit), limit)
}

// shortScale rounds a scale up to 9 bits: what is lost is far below the step
// of the weights, and half its bytes are zeros, which compress to nothing.
func shortScale(s float32) float32 {
	const low = 1<<15 - 1
	return math.Float32frombits((math.Float32bits(s) + low) &^ low)
}
