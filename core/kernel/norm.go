package kernel

import (
	"fmt"
	"math"
)

// Add adds src to dst, number by number.
func Add(dst, src []float32) {
	if len(dst) != len(src) {
		panic(fmt.Sprintf("kernel: %d numbers plus %d", len(dst), len(src)))
	}
	add(dst, src)
}

func addGeneric(dst, src []float32) {
	for i, v := range src {
		dst[i] += v
	}
}

// LayerNorm sets dst to (x - mean) / sqrt(variance + epsilon) * weight + bias.
// Mean and variance are summed in float64, in four parts: number i in part
// i%4.
func LayerNorm(dst, x, weight, bias []float32, epsilon float64) {
	n := len(x)
	if n == 0 || len(dst) != n || len(weight) != n || len(bias) != n {
		panic(fmt.Sprintf("kernel: layer norm of %d numbers into %d, with %d and %d", n, len(dst), len(weight), len(bias)))
	}
	var parts [4]float64
	sumOf(&parts, x)
	mean := float32(((parts[0] + parts[1]) + (parts[2] + parts[3])) / float64(n))
	squaresOf(&parts, x, mean)
	variance := ((parts[0] + parts[1]) + (parts[2] + parts[3])) / float64(n)
	normalise(dst, x, weight, bias, mean, float32(1/math.Sqrt(variance+epsilon)))
}

func sumOfGeneric(parts *[4]float64, x []float32) {
	*parts = [4]float64{}
	addSums(parts, x)
}

func addSums(parts *[4]float64, x []float32) {
	for i, v := range x {
		parts[i%4] += float64(v)
	}
}

func squaresOfGeneric(parts *[4]float64, x []float32, mean float32) {
	*parts = [4]float64{}
	addSquares(parts, x, mean)
}

func addSquares(parts *[4]float64, x []float32, mean float32) {
	for i, v := range x {
		d := float64(v - mean)
		parts[i%4] += float64(d * d)
	}
}

func normaliseGeneric(dst, x, weight, bias []float32, mean, factor float32) {
	for i, v := range x {
		dst[i] = float32(float32((v-mean)*factor)*weight[i]) + bias[i]
	}
}
