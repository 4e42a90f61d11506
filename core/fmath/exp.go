package fmath

import "math"

// Exp is e**x: 0 below -745.2, +Inf above 709.8, NaN for NaN.
func Exp(x float64) float64 {
	if x > -708 && x < 709 {
		return exp(x)
	}
	switch {
	case x != x:
		return x
	case x > 709.782712893384:
		return math.Inf(1)
	case x < -745.1332191019412:
		return 0
	}
	k, p := expm1Reduced(x) // subnormal, or the last before +Inf
	return math.Ldexp(1+p, k)
}

// Exps sets dst[i] to e**(xs[i]-top), where that is at most 1, and returns
// their sum, in order, and the sum of them times xs[i]-top. What float32 could
// not tell from 0, e**-104, is 0; so it is for -Inf.
func Exps(dst []float64, xs []float32, top float64) (sum, dot float64) {
	return exps(dst[:len(xs)], xs, top)
}

// expsGeneric adds to sums of what stands before.
func expsGeneric(dst []float64, xs []float32, top, sum, dot float64) (float64, float64) {
	dst = dst[:len(xs)]
	for i, x := range xs {
		d := float64(x) - top
		e := 0.0
		if d >= tiny {
			e = exp(d)
			sum += e
			dot += float64(e * d)
		}
		dst[i] = e
	}
	return sum, dot
}

// ExpSums is the sums that Exps gives.
func ExpSums(xs []float32, top float64) (sum, dot float64) {
	for _, x := range xs {
		if d := float64(x) - top; d >= tiny {
			e := exp(d)
			sum += e
			dot += float64(e * d)
		}
	}
	return sum, dot
}

const (
	tiny  = -104
	steps = 512 // of the table, from 1 to 2
)

// table[j] and j<<43 add up to the bits of 2**(j/steps).
var table = func() (bits [steps]uint64) {
	for j := range bits {
		k, p := expm1Reduced(float64(j) / steps * math.Ln2)
		bits[j] = math.Float64bits((1+p)*pow2(k)) - uint64(j)<<43
	}
	return bits
}()

// exp is e**x for x from -708 to 709: 2**(n/steps) from the table, times the
// first terms of the series of what is left, which is below 0.0007. It is small
// enough for the compiler to put into loops.
func exp(x float64) float64 {
	n := math.RoundToEven(x * (steps * log2e))
	r := x - float64(n*(ln2hi/steps)) - float64(n*(ln2lo/steps))
	i := int64(n)
	t := math.Float64frombits(table[i&(steps-1)] + uint64(i)<<43)
	return t + float64(t*r*(1+float64(r*(1.0/2+float64(r*(1.0/6+float64(r*(1.0/24))))))))
}

// pow2 is 2**k, for k from -1022 to 1023.
func pow2(k int) float64 { return math.Float64frombits(uint64(k+1023) << 52) }

// expm1Reduced writes e**x as 2**k * (1 + p) with |p| < 0.42.
func expm1Reduced(x float64) (k int, p float64) {
	n := math.RoundToEven(float64(x * log2e))
	hi := x - float64(n*ln2hi)
	lo := float64(n * ln2lo)
	r := hi - lo
	lost := (hi - r) - lo // what the subtraction rounded away
	// Taylor: the first term left out is below 2^-57.
	q := 1.0 / 6227020800
	q = 1.0/479001600 + float64(q*r)
	q = 1.0/39916800 + float64(q*r)
	q = 1.0/3628800 + float64(q*r)
	q = 1.0/362880 + float64(q*r)
	q = 1.0/40320 + float64(q*r)
	q = 1.0/5040 + float64(q*r)
	q = 1.0/720 + float64(q*r)
	q = 1.0/120 + float64(q*r)
	q = 1.0/24 + float64(q*r)
	q = 1.0/6 + float64(q*r)
	q = 1.0/2 + float64(q*r)
	tail := float64(float64(r*r)*q) + lost
	return int(n), r + tail
}
