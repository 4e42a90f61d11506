package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// quantised is a matrix packed and read back.
func quantised(t *testing.T, rows, cols, bits int, values []float32) (back []float32, errSq float64) {
	t.Helper()
	data := make([]byte, WeightBytes(rows, cols, 32))
	for i := range data {
		data[i] = 0xaa // what lay there before must not matter
	}
	errSq, _ = Quantise(data, rows, cols, 32, bits, values)
	w, err := NewWeights(rows, cols, 32, data)
	if err != nil {
		t.Fatal(err)
	}
	back = make([]float32, rows*cols)
	for r := range rows {
		w.Row(back[r*cols:][:cols], r)
	}
	return back, errSq
}

func TestQuantiseTellsItsError(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for bits := 2; bits <= 8; bits++ {
		values := vector(r, 13*50)
		back, told := quantised(t, 13, 50, bits, values)
		var errSq float64
		for i, v := range values {
			d := float64(v) - float64(back[i])
			errSq += d * d
		}
		if errSq > told*1.0001 || errSq < told*0.9999 {
			t.Errorf("%d bits: squared error %v, told %v", bits, errSq, told)
		}
	}
}

// An outlier is cut where that helps the others, and not with 8 bits, where it
// would not.
func TestOutliers(t *testing.T) {
	values := make([]float32, 32)
	for i := range values {
		values[i] = float32(i%15-7) / 2
	}
	values[7] = 4.4
	for bits, cut := range map[int]bool{4: true, 8: false} {
		back, errSq := quantised(t, 1, 32, bits, values)
		if got := back[7] < 4.2; got != cut {
			t.Errorf("%d bits: %v became %v, squared error %v", bits, values[7], back[7], errSq)
		}
	}
	back, errSq := quantised(t, 1, 32, 4, make([]float32, 32))
	if back[0] != 0 || errSq != 0 {
		t.Errorf("zeros became %v", back)
	}
}

func BenchmarkQuantise(b *testing.B) {
	const rows, cols = 64, 768
	values := vector(rand.New(rand.NewPCG(1, 2)), rows*cols)
	dst := make([]byte, WeightBytes(rows, cols, 64))
	for _, bits := range []int{8, 6, 4} {
		b.Run(fmt.Sprint(bits), func(b *testing.B) {
			for b.Loop() {
				Quantise(dst, rows, cols, 64, bits, values)
			}
			b.ReportMetric(float64(b.N)*rows*cols/b.Elapsed().Seconds()/1e6, "Mweights/s")
		})
	}
}
