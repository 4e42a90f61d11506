package kernel

import (
	"fmt"
	"math"
)

// Mul implements Matrix: int8 weights times activations quantised to 16 bits.
// Products are summed as whole numbers within a group and the groups as
// float32 in their order, so the bits are the same on every machine.
func (w *Weights) Mul(dst, x []float32, n int, scratch *Scratch) {
	scratch.act.Set(x, n, w.cols, w.group)
	Dot(dst, w, &scratch.act)
}

// Dot sets dst[i*w.Stride()+r] to row r of w times vector i of x. Rows up to
// the stride, which w has as zeros, are written too.
func Dot(dst []float32, w *Weights, x *Activations) {
	if x.cols != w.cols || x.group != w.group {
		panic(fmt.Sprintf("kernel: activations %d in groups of %d, want %d in groups of %d", x.cols, x.group, w.cols, w.group))
	}
	if len(dst) != x.n*w.Stride() {
		panic(fmt.Sprintf("kernel: dst has %d numbers, want %d of %d", len(dst), x.n, w.Stride()))
	}
	dot(dst, w, x)
}

// dotGeneric is the definition of the result.
func dotGeneric(dst []float32, w *Weights, x *Activations) {
	groups, size, words := w.groups(), groupBytes(w.group), groupWords(w.group)
	for block := range w.Stride() / blockRows {
		rows := w.data[block*groups*size:]
		for i := range x.n {
			out := dst[i*w.Stride()+block*blockRows:][:blockRows]
			clear(out)
			for g := range groups {
				dotGroup(out, rows[g*size:][:size], x.words[(i*groups+g)*words:][:words])
			}
		}
	}
}

// dotGroup adds one group of 8 rows to out.
func dotGroup(out []float32, b []byte, x []int32) {
	var sum [blockRows]int32
	for r := range sum {
		sum[r] = x[0]
	}
	scale := math.Float32frombits(uint32(x[len(x)-1]))
	scales, b := b[:4*blockRows], b[4*blockRows:]
	for x = x[4:]; len(b) >= 32 && len(x) >= 8; b, x = b[32:], x[8:] {
		x0, x1, x2, x3 := int32(int16(x[0])), x[0]>>16, int32(int16(x[4])), x[4]>>16
		for r := range sum {
			p := b[r*4 : r*4+4]
			sum[r] += int32(p[0])*x0 + int32(p[2])*x1 + int32(p[1])*x2 + int32(p[3])*x3
		}
	}
	for r := range out {
		out[r] += float32(float32(sum[r]) * float32(scaleAt(scales[4*r:])*scale))
	}
}
