package kernel

import "fmt"

// Shared is a matrix in which many rows are equal: each is stored, and
// multiplied, once. It implements Matrix.
type Shared struct {
	rows  Matrix  // the distinct ones
	index []int32 // row of the whole matrix → row of rows
}

// NewShared keeps both arguments. An index outside rows is an error.
func NewShared(rows Matrix, index []int32) (*Shared, error) {
	n, _ := rows.Dims()
	for i, at := range index {
		if at < 0 || int(at) >= n {
			return nil, fmt.Errorf("shared rows: row %d is row %d, want 0 to %d", i, at, n-1)
		}
	}
	return &Shared{rows, index}, nil
}

// Dims implements Matrix.
func (s *Shared) Dims() (rows, cols int) {
	_, cols = s.rows.Dims()
	return len(s.index), cols
}

// Stride implements Matrix.
func (s *Shared) Stride() int { return len(s.index) }

// Row implements Matrix.
func (s *Shared) Row(dst []float32, r int) { s.rows.Row(dst, int(s.index[r])) }

// Mul implements Matrix.
func (s *Shared) Mul(dst, x []float32, n int, scratch *Scratch) {
	if len(dst) != n*len(s.index) {
		panic(fmt.Sprintf("kernel: dst has %d numbers, want %d of %d", len(dst), n, len(s.index)))
	}
	stride := s.rows.Stride()
	scratch.distinct = grow(scratch.distinct, n*stride)
	s.rows.Mul(scratch.distinct, x, n, scratch)
	for i := range n {
		from, to := scratch.distinct[i*stride:][:stride], dst[i*len(s.index):][:len(s.index)]
		for r, at := range s.index {
			to[r] = from[at]
		}
	}
}
