// Package kernel multiplies a model's matrices with batches of activations,
// and has the few other loops in which a forward pass spends its time. Every
// function has a plain Go form that compiles everywhere; on WebAssembly some
// have an assembly twin with the same bits (build tag purego leaves it out).
//
// Shapes are checked once, in the exported functions, which panic on a
// mismatch: that is the caller's mistake, never the user's.
package kernel

// Matrix is rows outputs by cols inputs.
type Matrix interface {
	// Dims are the rows and columns.
	Dims() (rows, cols int)

	// Stride is the distance between the rows of Mul's dst: Dims' rows, or
	// more where the kernel writes whole blocks.
	Stride() int

	// Mul sets dst[i*Stride()+r] to row r times x[i*cols:(i+1)*cols] for each
	// of the n vectors of x. A vector's result does not depend on n.
	Mul(dst, x []float32, n int, scratch *Scratch)

	// Row writes row r, cols numbers, to dst.
	Row(dst []float32, r int)
}

// Scratch is memory that Mul uses again from call to call. Its zero value is
// ready; two calls at the same time need two.
type Scratch struct {
	act      Activations
	distinct []float32
}

// roundUp is the least multiple of m that is not below n.
func roundUp(n, m int) int { return (n + m - 1) / m * m }
