package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// sameBits compares what an assembly loop did with what Go did. Any NaN equals
// any other: WebAssembly leaves their bits open.
func sameBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) && (got[i] == got[i] || want[i] == want[i]) {
			t.Fatalf("%s: [%d] is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// hard are numbers at which something ends or begins.
var hard = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, 0.5, -87, -87.5, -86.99999, -88, 88, 89, 1e30, -1e30, 1e-30, -1e-31, 1e-45,
	math.MaxFloat32, -math.MaxFloat32, 3e38, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
}

func TestExp(t *testing.T) {
	worst := 0.0
	for x := float32(-86.99); x < 88; x += 0.0137 {
		want := math.Exp(float64(x))
		worst = max(worst, math.Abs(float64(exp32(x))-want)/want)
	}
	if worst > 2.4e-7 { // 2 units in the last place
		t.Errorf("relative error %v", worst)
	}
	for _, c := range []struct{ x, want float32 }{
		{0, 1}, {-87.1, 0}, {float32(math.Inf(-1)), 0}, {float32(math.NaN()), 0}, {1000, exp32(88)}, {float32(math.Inf(1)), exp32(88)},
	} {
		if got := exp32(c.x); got != c.want {
			t.Errorf("exp32(%v) is %v, want %v", c.x, got, c.want)
		}
	}
}

func TestGeluIsGeneric(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 40 {
		x := append(vector(r, n), hard...)
		for i := range n {
			x[i] *= 5
		}
		want := append([]float32(nil), x...)
		geluNewGeneric(want)
		GeluNew(x)
		sameBits(t, "gelu", x, want)
	}
}

func TestSoftmaxLoopsAreGeneric(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := 4; n < 60; n += 4 {
		for _, more := range [][]float32{nil, hard[:12], hard[2:]} {
			x := append(vector(r, n), more...)
			x = x[len(x)%4:]
			var got, want [4]float32
			maxOf(&got, x)
			maxOfGeneric(&want, x)
			sameBits(t, "maximum", got[:], want[:])
			most := max(want[0], want[1], want[2], want[3])
			y := append([]float32(nil), x...)
			expSum(&got, x, most)
			expSumGeneric(&want, y, most)
			sameBits(t, "sum", got[:], want[:])
			sameBits(t, "exp", x, y)
		}
	}
}

func TestSoftmax(t *testing.T) {
	x := []float32{1, 3, 2, 1, 0, 99, 99, 99}
	inv := softmax(x, 5)
	want := []float64{0.0807, 0.5963, 0.2194, 0.0807, 0.0297}
	sum := 0.0
	for _, v := range want {
		sum += v
	}
	for i, w := range want {
		if got := float64(x[i] * inv); math.Abs(got-w/sum) > 1e-4 {
			t.Errorf("[%d] is %v, want %v", i, got, w/sum)
		}
	}
}

func TestQuantiseIsGeneric(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, group := range []int{32, 64, 96, 256} {
		for _, scale := range []float32{1, 1e30, 1e-28, 1e-35, 0} {
			for _, extra := range append(hard, -8191, 32767) {
				x := vector(r, group)
				for i := range x {
					x[i] *= scale
				}
				x[r.IntN(group)] = extra
				size := groupWords(group)
				got, want := make([]int32, size), make([]int32, size)
				quantise(got, x)
				quantiseGeneric(want, x)
				sameBits(t, "scale", scaleWords(got), scaleWords(want))
				if want := scaleWords(want)[0]; want != want {
					continue // NaN is all that counts
				}
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("group %d, scale %v, extra %v: word %d is %#x, want %#x", group, scale, extra, i, got[i], want[i])
					}
				}
			}
		}
	}
}

// scaleWords are the 4 copies of a group's scale.
func scaleWords(words []int32) (scale []float32) {
	for _, w := range words[len(words)-4:] {
		scale = append(scale, math.Float32frombits(uint32(w)))
	}
	return scale
}

func TestQuantiseIsExact(t *testing.T) {
	x := make([]float32, 32)
	for i := range x {
		x[i] = float32(i-16) / 16
	}
	x[5] = -1
	words := make([]int32, groupWords(32))
	quantise(words, x)
	sum := int32(0)
	for i, v := range x {
		for copied := range 4 {
			got := words[4+i/2*4+copied] << (16 - i%2*16) >> 16
			if want := math.RoundToEven(float64(v) * 32767); float64(got) != want {
				t.Errorf("x[%d] = %v became %d, want %v", i, v, got, want)
			}
			if copied == 0 {
				sum += got
			}
		}
	}
	for i, scale := range scaleWords(words) {
		if start := words[i]; scale != 1/float32(32767) || start != -128*sum {
			t.Errorf("copy %d: scale %v, start %d", i, scale, start)
		}
	}
}

// heads makes n positions of keys and values for two heads, of which the
// second is used.
func heads(r *rand.Rand, n, width int) (keys, values [][]float32, at int) {
	for range roundUp(n, PageRows) / PageRows {
		keys = append(keys, vector(r, 2*width*PageRows))
		values = append(values, vector(r, 2*width*PageRows))
	}
	return keys, values, width * PageRows
}

func TestAttendIsGeneric(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, width := range []int{4, 8, 12, 16, 20, 64, 100} {
		for _, n := range []int{1, 2, 15, 16, 17, 31, 33, 200} {
			keys, values, at := heads(r, n, width)
			query := vector(r, width)
			got, want := make([]float32, len(keys)*PageRows), make([]float32, len(keys)*PageRows)
			keyScores(got, query, keys, at)
			keyScoresGeneric(want, query, keys, at)
			sameBits(t, "scores", got, want)

			sum, wantSum := vector(r, width+8), make([]float32, width+8)
			copy(wantSum, sum)
			valueSum(sum[4:4+width], got[:n], values, at)
			valueSumGeneric(wantSum[4:4+width], got[:n], values, at)
			sameBits(t, "values", sum, wantSum)
		}
	}
}

func TestHeadsAreGeneric(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for n := range 40 {
		x := append(vector(r, n), hard...)
		for _, by := range []float32{1, 0.125, 1.7} {
			got, want := make([]float32, len(x)), make([]float32, len(x))
			Scale(got, x, by)
			scaleGeneric(want, x, by)
			sameBits(t, "scaled", got, want)
		}
		for slot := range PageRows {
			got, want := vector(r, PageRows*len(x)), make([]float32, PageRows*len(x))
			copy(want, got)
			PutKey(got, x, slot)
			putKeyGeneric(want[slot:], x)
			sameBits(t, "key", got, want)
		}
	}
}

func TestAttendMeansValues(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	const width, n = 76, 37
	keys, _, at := heads(r, n, width)
	_, values, _ := heads(r, n, width)
	rows := vector(r, n*width)
	for j := range n {
		PutValue(values[j/PageRows][at:], rows[j*width:][:width], j%PageRows, width)
	}
	query, out := vector(r, width), make([]float32, width)
	Attend(out, query, keys, values, at, n, make([]float32, len(keys)*PageRows))
	weights, sum := make([]float64, n), 0.0
	for j := range weights {
		dot := 0.0
		for i, q := range query {
			dot += float64(q) * float64(keys[j/PageRows][at+i*PageRows+j%PageRows])
		}
		weights[j] = math.Exp(dot)
		sum += weights[j]
	}
	for i := range out {
		want := 0.0
		for j, w := range weights {
			want += w / sum * float64(rows[j*width+i])
		}
		if math.Abs(float64(out[i])-want) > 1e-5 {
			t.Errorf("out[%d] is %v, want %v", i, out[i], want)
		}
	}
}

func TestNormLoopsAreGeneric(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, n := range []int{1, 3, 4, 5, 8, 33, 192, 771} {
		x, w, b := vector(r, n), vector(r, n), vector(r, n)
		var got, want [4]float64
		check := func(what string) {
			t.Helper()
			if got != want {
				t.Fatalf("%s of %d: %v, want %v", what, n, got, want)
			}
		}
		sumOf(&got, x)
		sumOfGeneric(&want, x)
		check("sum")
		squaresOf(&got, x, 0.125)
		squaresOfGeneric(&want, x, 0.125)
		check("squares")
		y, z := make([]float32, n), make([]float32, n)
		normalise(y, x, w, b, 0.1, 1.7)
		normaliseGeneric(z, x, w, b, 0.1, 1.7)
		sameBits(t, "normalised", y, z)
		add(y, w)
		addGeneric(z, w)
		sameBits(t, "sum", y, z)
	}
}

func TestLayerNorm(t *testing.T) {
	got := make([]float32, 5)
	LayerNorm(got, []float32{1, 2, 3, 4, 5}, []float32{1, 1, 1, 2, 1}, []float32{0, 0, 0, 0, 10}, 0)
	for i, want := range []float64{-math.Sqrt2, -math.Sqrt2 / 2, 0, math.Sqrt2, 10 + math.Sqrt2} {
		if math.Abs(float64(got[i])-want) > 1e-6 {
			t.Errorf("[%d] is %v, want %v", i, got[i], want)
		}
	}
}
