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

// TestDotExtremes sums the largest products there are, exactly.
func TestDotExtremes(t *testing.T) {
	for _, group := range []int{32, 64, maxGroup} {
		for _, b := range []byte{0, 1, 127, 128, 255} {
			for _, x := range []float32{1, -1} {
				w := filled(9, group, b)
				v := make([]float32, 4*group)
				for i := range v {
					v[i] = x
				}
				checkDot(t, w, v, 4)
				dst := make([]float32, w.Stride())
				w.Mul(dst, v[:group], 1, &Scratch{})
				weight, act := float32(int(b)-bias), x/maxAct*maxAct
				if want := weight * act * float32(group); math.Abs(float64(dst[8]-want)) > 1e-4*math.Abs(float64(want)) {
					t.Errorf("group of %d, weight %v, activation %v: %v, want %v", group, weight, act, dst[8], want)
				}
			}
		}
	}
}

// filled has one group of weights that are all the same, with a scale of 1.
func filled(rows, cols int, b byte) *Weights {
	data := make([]byte, WeightBytes(rows, cols, cols))
	for at := 0; at < len(data); at += groupBytes(cols) {
		for i := range groupBytes(cols) {
			data[at+i] = b
		}
		for i := range blockRows {
			copy(data[at+4*i:], []byte{0, 0, 0x80, 0x3f})
		}
	}
	w, err := NewWeights(rows, cols, cols, data)
	if err != nil {
		panic(err)
	}
	return w
}

func TestDotAtAnyAddress(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	w := random(r, 24, 100, 32)
	for shift := range 17 {
		moved := *w
		moved.data = append(make([]byte, shift, shift+len(w.data)), w.data...)[shift:]
		checkDot(t, &moved, vector(r, 7*100), 7)
	}
}

func TestDotOfMatrixIsProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	const rows, cols = 50, 100
	w := random(r, rows, cols, 32)
	x := vector(r, 3*cols)
	dst := make([]float32, 3*w.Stride())
	w.Mul(dst, x, 3, &Scratch{})
	row := make([]float32, cols)
	for i := range 3 {
		for k := range rows {
			w.Row(row, k)
			want := 0.0
			for c, v := range row {
				want += float64(v) * float64(x[i*cols+c])
			}
			if got := float64(dst[i*w.Stride()+k]); math.Abs(got-want) > 1e-3 {
				t.Fatalf("row %d, vector %d: %v, want %v", k, i, got, want)
			}
		}
	}
}

func FuzzDot(f *testing.F) {
	f.Add(uint64(1), uint8(8), uint8(32), uint8(1), uint8(4))
	f.Add(uint64(2), uint8(13), uint8(77), uint8(3), uint8(6))
	f.Fuzz(func(t *testing.T, seed uint64, rows, cols, group, n uint8) {
		r := rand.New(rand.NewPCG(seed, 0))
		w := random(r, 1+int(rows)%70, 1+int(cols), 32*(1+int(group)%8))
		vectors := 1 + int(n)%9
		x := vector(r, vectors*w.cols)
		for range 5 { // numbers far beyond the others
			x[r.IntN(len(x))] *= float32(math.Exp(r.NormFloat64() * 20))
		}
		checkDot(t, w, x, vectors)
	})
}

func BenchmarkDot(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 4, 16} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := random(r, 768, 768, 64)
			x := vector(r, n*768)
			dst := make([]float32, n*w.Stride())
			var scratch Scratch
			for b.Loop() {
				w.Mul(dst, x, n, &scratch)
			}
			b.ReportMetric(float64(n*768*768)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
		})
	}
}
