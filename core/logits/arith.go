package logits

import "math"

// power is base**n for n >= 0, by squaring.
func power(base float64, n int) float64 {
	p := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p *= base
		}
		base *= base
	}
	return p
}

// finite is v, or the largest float32 of its sign where it is infinite.
func finite(v float32) float32 { return max(-math.MaxFloat32, min(v, math.MaxFloat32)) }

// saturate is v, a result computed from the score from: where a finite score
// overflowed it is the largest float32 of its sign.
func saturate(v, from float32) float32 {
	if math.Abs(float64(from)) <= math.MaxFloat32 {
		return finite(v)
	}
	return v
}
