package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// random is a matrix of random bytes and scales.
func random(r *rand.Rand, rows, cols, group int) *Weights {
	data := make([]byte, WeightBytes(rows, cols, group))
	for at := 0; at < len(data); at += groupBytes(group) {
		for i := range groupBytes(group) {
			data[at+i] = byte(r.Uint32())
		}
		for i := range blockRows {
			bits := math.Float32bits(r.Float32() * 0.01)
			for k := range 4 {
				data[at+4*i+k] = byte(bits >> (8 * k))
			}
		}
	}
	w, err := NewWeights(rows, cols, group, data)
	if err != nil {
		panic(err)
	}
	return w
}

func vector(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

func TestDotIsGeneric(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, rows := range []int{1, 7, 8, 9, 64, 301} {
		for _, cols := range []int{1, 4, 31, 32, 36, 100, 768} {
			for _, group := range []int{32, 64, 96, 256} {
				for _, n := range []int{1, 2, 3, 4, 5, 9, 16} {
					w := random(r, rows, cols, group)
					checkDot(t, w, vector(r, n*cols), n)
				}
			}
		}
	}
}

// checkDot compares dot with its definition, and sees that nothing beside dst
// is written.
func checkDot(t *testing.T, w *Weights, x []float32, n int) {
	t.Helper()
	var act Activations
	act.Set(x, n, w.cols, w.group)
	const guard = 9
	size := n * w.Stride()
	memory := make([]float32, size+2*guard)
	for i := range memory {
		memory[i] = -7
	}
	Dot(memory[guard:][:size], w, &act)
	want := make([]float32, size)
	dotGeneric(want, w, &act)
	for i, v := range memory {
		switch inside := i - guard; {
		case inside < 0 || inside >= size:
			if v != -7 {
				t.Fatalf("%d by %d, %d vectors: wrote beside dst at %d", w.rows, w.cols, n, inside)
			}
		case math.Float32bits(v) != math.Float32bits(want[inside]):
			t.Fatalf("%d by %d in %d, %d vectors: dst[%d] is %v, want %v", w.rows, w.cols, w.group, n, inside, v, want[inside])
		}
	}
}

func BenchmarkDot(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 4, 16} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := random(r, 768, 768, 64)
			x := vector(r, n*768)
			dst := make([]float32, n*w.Stride())
			var act Activations
			act.Set(x, n, 768, 64)
			for b.Loop() {
				Dot(dst, w, &act)
			}
			b.ReportMetric(float64(n*768*768)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
		})
	}
}

// BenchmarkToken does the products of one token of GPT-2 124M.
func BenchmarkToken(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	const layers, d, vocab, group = 12, 768, 50257, 64
	var ms []*Weights
	for range layers {
		ms = append(ms, random(r, 3*d, d, group), random(r, d, d, group), random(r, 4*d, d, group), random(r, d, 4*d, group))
	}
	ms = append(ms, random(r, vocab, d, group))
	for _, n := range []int{1, 4} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := vector(r, n*4*d)
			dst := make([]float32, n*(vocab+7))
			var scratch Scratch
			for b.Loop() {
				for _, m := range ms {
					m.Mul(dst[:n*m.Stride()], x[:n*m.cols], n, &scratch)
				}
			}
		})
	}
}
