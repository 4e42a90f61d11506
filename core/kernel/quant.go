package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The layout of int8 weights. Rows go in blocks of 8, columns in groups that
// share a scale; both are filled up with zeros. A block is all groups of 8
// rows, group after group:
//
//	8 scales, float32 little endian, one for each row
//	for every 4 columns: 16 bytes for rows 0 to 3, 16 bytes for rows 4 to 7
//
// 16 bytes are 8 words of 2 bytes: for each of the 4 rows columns 0 and 1 in
// the low bytes, columns 2 and 3 in the high ones. So a mask and a shift make
// two vectors of 8 int16, whose pairs one instruction multiplies with a pair
// of activations and adds. Neither keeps a sign, hence bytes are stored plus
// 128 and the sum starts at -128 times the activations.
const (
	blockRows = 8
	bias      = 128
	maxGroup  = 256 // a sum of 256 products of 8 and 16 bits fits in an int32
)

// Weights is an int8 matrix in that layout. It implements Matrix.
type Weights struct {
	rows, cols, group int
	data              []byte
}

// CheckGroup says whether weights can have groups of that many columns.
func CheckGroup(group int) error {
	if group < 32 || group > maxGroup || group%32 != 0 {
		return fmt.Errorf("group: %d, want a multiple of 32 up to %d", group, maxGroup)
	}
	return nil
}

// WeightBytes is the size of a matrix in the layout.
func WeightBytes(rows, cols, group int) int {
	return roundUp(rows, blockRows) / blockRows * (roundUp(cols, group) / group) * groupBytes(group)
}

func groupBytes(group int) int { return blockRows*4 + blockRows*group }

// NewWeights uses data, which it keeps, as a matrix. A scale that is not
// finite or below 0 is an error.
func NewWeights(rows, cols, group int, data []byte) (*Weights, error) {
	if err := CheckGroup(group); err != nil {
		return nil, err
	}
	if rows < 1 || cols < 1 {
		return nil, fmt.Errorf("weights: %d by %d, want at least 1 by 1", rows, cols)
	}
	if want := WeightBytes(rows, cols, group); len(data) != want {
		return nil, fmt.Errorf("weights: %d bytes, want %d", len(data), want)
	}
	for at := 0; at < len(data); at += groupBytes(group) {
		for i := range blockRows {
			if s := scaleAt(data[at+4*i:]); !(s >= 0 && s <= math.MaxFloat32) {
				return nil, fmt.Errorf("weights: scale %v at byte %d, want a finite number of 0 or more", s, at+4*i)
			}
		}
	}
	return &Weights{rows, cols, group, data}, nil
}

func scaleAt(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

// Dims implements Matrix.
func (w *Weights) Dims() (rows, cols int) { return w.rows, w.cols }

// Stride implements Matrix.
func (w *Weights) Stride() int { return roundUp(w.rows, blockRows) }

func (w *Weights) groups() int { return roundUp(w.cols, w.group) / w.group }

// place is where a weight lies within its group's bytes, behind the scales:
// row of 8, col of the group.
func place(row, col int) int {
	return col/4*32 + row/4*16 + row%4*4 + col%2*2 + col%4/2
}

// Row implements Matrix.
func (w *Weights) Row(dst []float32, r int) {
	if len(dst) != w.cols || r < 0 || r >= w.rows {
		panic(fmt.Sprintf("kernel: row %d of %d into %d of %d columns", r, w.rows, len(dst), w.cols))
	}
	block := w.data[r/blockRows*w.groups()*groupBytes(w.group):]
	for g := 0; g*w.group < w.cols; g++ {
		b := block[g*groupBytes(w.group):][:groupBytes(w.group)]
		scale := scaleAt(b[4*(r%blockRows):])
		part := dst[g*w.group : min((g+1)*w.group, w.cols)]
		for c := range part {
			part[c] = scale * float32(int(b[blockRows*4+place(r%blockRows, c)])-bias)
		}
	}
}
