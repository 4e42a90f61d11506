package kernel

import (
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

// An outlier is cut where that helps the others, and never where it does not.
func TestOutliers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		bits    int
		largest float32
		cut     bool
	}{{8, 3, false}, {4, 3.5, true}, {4, 0, false}} {
		values := vector(r, 32)
		if c.largest > 0 {
			values[7] = c.largest
		} else {
			clear(values)
		}
		back, _ := quantised(t, 1, 32, c.bits, values)
		if cut := back[7] < values[7]-0.02; cut != c.cut {
			t.Errorf("%d bits: the largest, %v, became %v", c.bits, values[7], back[7])
		}
	}
}
