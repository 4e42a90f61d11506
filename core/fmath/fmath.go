// Package fmath has the functions whose last bit must not depend on the
// machine: Go's math has assembly on some platforms, and a compiler may fuse a
// product and a sum.
package fmath

import "math"

// Exp is e**x.
func Exp(x float64) float64 { return math.Exp(x) }

// Log is the natural logarithm.
func Log(x float64) float64 { return math.Log(x) }

// Tanh is the hyperbolic tangent.
func Tanh(x float64) float64 { return math.Tanh(x) }

// Erf is the error function.
func Erf(x float64) float64 { return math.Erf(x) }
