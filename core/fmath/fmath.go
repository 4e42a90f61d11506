// Package fmath has the functions whose last bit must not depend on the
// machine: Go's math has assembly on some platforms, and a compiler may fuse a
// product and a sum. Every product that is added to something is therefore
// converted explicitly, which the language forbids to fuse.
//
// Results are within 3 units in the last place of math's, and most equal.
package fmath

import "math"

const (
	log2e = 1 / math.Ln2
	ln2hi = 0x1.62e42feep-1 // its products with whole numbers up to 2^20 are exact
	ln2lo = 0x1.a39ef35793c76p-33
)

// Log is the natural logarithm: -Inf for 0, NaN below 0 and for NaN.
func Log(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case x > math.MaxFloat64:
		return x
	}
	m, k := math.Frexp(x) // 1/2 <= m < 1
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	// log(1+f) = f - f*f/2 + s*(f*f/2 + r), with s = f/(2+f) and
	// r = 2/3 s^2 + 2/5 s^4 + ...
	f := m - 1
	s := f / (2 + f)
	z := float64(s * s)
	r := 2.0 / 25
	for d := 23.0; d >= 3; d -= 2 {
		r = 2/d + float64(r*z)
	}
	r = float64(r * z)
	half := float64(float64(0.5*f) * f)
	low := float64(float64(k) * ln2lo)
	return float64(float64(k)*ln2hi) - ((half - (float64(s*(half+r)) + low)) - f)
}

// Tanh is the hyperbolic tangent.
func Tanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x || a < 0x1p-28:
		return x
	case a > 22:
		return math.Copysign(1, x)
	}
	// tanh a = t / (t + 2) with t = e**(2a) - 1.
	k, p := expm1Reduced(2 * a)
	two := pow2(k)
	t := (two - 1) + float64(two*p)
	if k > 2 {
		return math.Copysign(1-2/(t+2), x)
	}
	return math.Copysign(t/(t+2), x)
}

// Erf is the error function.
func Erf(x float64) float64 {
	a := math.Abs(x)
	z := float64(x * x)
	switch {
	case x != x:
		return x
	case a < 0x1p-28:
		return float64(2 / sqrtPi * x)
	case a > 6:
		return math.Copysign(1, x)
	}
	if a < 1 { // Maclaurin: 2/sqrt(pi) (a - a^3/3 + a^5/10 - a^7/42 + ...)
		tail, term := 0.0, 1.0
		for n := 1.0; math.Abs(term) > 0x1p-58; n++ {
			term = -float64(term*z) / n
			tail += term / (2*n + 1)
		}
		first := float64(2 / sqrtPi * x)
		return first + float64(first*tail)
	}
	// 1 - erf a is e**(-a*a)/sqrt(pi) over the continued fraction
	// a + (1/2)/(a + (2/2)/(a + (3/2)/(a + ...))).
	below := a
	for n := 200.0; n > 0; n-- {
		below = a + n/(2*below)
	}
	return math.Copysign(1-Exp(-z)/float64(sqrtPi*below), x)
}

const sqrtPi = 1.77245385090551602729816748334114518
