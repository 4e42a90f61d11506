package kernel

import "fmt"

// Floats is a float32 matrix, row after row: for checking the engine against
// other people's numbers. It implements Matrix.
type Floats struct {
	rows, cols int
	data       []float32
}

// NewFloats uses data, which it keeps, as a matrix.
func NewFloats(rows, cols int, data []float32) (*Floats, error) {
	if rows < 1 || cols < 1 || len(data) != rows*cols {
		return nil, fmt.Errorf("floats: %d numbers, want %d by %d", len(data), rows, cols)
	}
	return &Floats{rows, cols, data}, nil
}

// Dims implements Matrix.
func (f *Floats) Dims() (rows, cols int) { return f.rows, f.cols }

// Stride implements Matrix.
func (f *Floats) Stride() int { return f.rows }

// Row implements Matrix.
func (f *Floats) Row(dst []float32, r int) { copy(dst, f.data[r*f.cols:][:f.cols]) }

// Mul implements Matrix. Sums are in four parts, column c in part c%4.
func (f *Floats) Mul(dst, x []float32, n int, _ *Scratch) {
	if len(x) != n*f.cols || len(dst) != n*f.rows {
		panic(fmt.Sprintf("kernel: %d by %d times %d gives %d", f.rows, f.cols, len(x), len(dst)))
	}
	for r := range f.rows {
		row := f.data[r*f.cols:][:f.cols]
		for i := range n {
			dst[i*f.rows+r] = dotFloats(row, x[i*f.cols:][:f.cols])
		}
	}
}

func dotFloats(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for ; len(a) >= 4 && len(b) >= 4; a, b = a[4:], b[4:] {
		s0 += float32(a[0] * b[0])
		s1 += float32(a[1] * b[1])
		s2 += float32(a[2] * b[2])
		s3 += float32(a[3] * b[3])
	}
	for i := range min(len(a), len(b)) {
		s0 += float32(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}
