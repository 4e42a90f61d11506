package fmath

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

var functions = []struct {
	name string
	got  func(float64) float64
	want func(float64) float64
	low  float64
	high float64
	ulp  float64
}{
	{"Exp", Exp, math.Exp, -740, 709, 2},
	{"Exp near 0", Exp, math.Exp, -1, 1, 2},
	{"Log", Log, math.Log, 0, 1e300, 2},
	{"Log near 1", Log, math.Log, 0.5, 2, 2},
	{"Log small", Log, math.Log, 0, 1e-300, 2},
	{"Tanh", Tanh, math.Tanh, -20, 20, 3},
	{"Tanh near 0", Tanh, math.Tanh, -1, 1, 3},
	{"Erf", Erf, math.Erf, -6, 6, 3},
	{"Erf near 0", Erf, math.Erf, -0.5, 0.5, 3},
}

func TestAccuracy(t *testing.T) {
	for _, f := range functions {
		r := rand.New(rand.NewPCG(7, 7))
		worst := 0.0
		for range 100000 {
			x := f.low + r.Float64()*(f.high-f.low)
			got, want := f.got(x), f.want(x)
			ulp := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want)
			worst = max(worst, math.Abs(got-want)/ulp)
		}
		t.Logf("%s: %.2f units in the last place from math's", f.name, worst)
		if worst > f.ulp {
			t.Errorf("%s: %v units in the last place, want at most %v", f.name, worst, f.ulp)
		}
	}
}

// TestBits pins the results, so that another machine or compiler cannot
// differ unseen.
func TestBits(t *testing.T) {
	for i, f := range functions {
		r := rand.New(rand.NewPCG(8, 8))
		sum := fnv.New64a()
		for range 1000 {
			x := f.low + r.Float64()*(f.high-f.low)
			bits := math.Float64bits(f.got(x))
			for k := range 8 {
				sum.Write([]byte{byte(bits >> (8 * k))})
			}
		}
		if got := sum.Sum64(); got != pinned[i] {
			t.Errorf("%s: the bits of 1,000 results hash to %#x, want %#x", f.name, got, pinned[i])
		}
	}
}

func TestEnds(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name string
		f    func(float64) float64
		x    float64
		want float64
	}{
		{"Exp", Exp, 0, 1},
		{"Exp", Exp, inf, inf},
		{"Exp", Exp, -inf, 0},
		{"Exp", Exp, nan, nan},
		{"Exp", Exp, 710, inf},
		{"Exp", Exp, -746, 0},
		{"Exp", Exp, 1e-300, 1},
		{"Log", Log, 0, -inf},
		{"Log", Log, 1, 0},
		{"Log", Log, -1, nan},
		{"Log", Log, inf, inf},
		{"Log", Log, nan, nan},
		{"Tanh", Tanh, 0, 0},
		{"Tanh", Tanh, inf, 1},
		{"Tanh", Tanh, -inf, -1},
		{"Tanh", Tanh, nan, nan},
		{"Erf", Erf, 0, 0},
		{"Erf", Erf, inf, 1},
		{"Erf", Erf, -inf, -1},
		{"Erf", Erf, nan, nan},
	} {
		got := c.f(c.x)
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s(%v) is %v, want %v", c.name, c.x, got, c.want)
		}
	}
}

// The loop for whole rows and its plain form have the same bits, whatever the
// length and however many of the numbers count.
func TestExpsIsGeneric(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	hard := []float32{float32(math.Inf(-1)), -math.MaxFloat32, -104, -104.00001, -103.99999, -1e-45, 0, float32(math.NaN()), -1e9}
	for n := range 60 {
		xs := append(make([]float32, n), hard[n%len(hard):]...)
		for i := range n {
			xs[i] = -float32(math.Exp(20*r.Float64() - 14))
		}
		for _, top := range []float64{0, 0.3, 2.5} {
			got, want := make([]float64, len(xs)), make([]float64, len(xs))
			sum, dot := Exps(got, xs, top)
			wantSum, wantDot := expsGeneric(want, xs, top, 0, 0)
			if sum != wantSum || dot != wantDot {
				t.Fatalf("of %d: %v and %v, want %v and %v", len(xs), sum, dot, wantSum, wantDot)
			}
			for i := range want {
				if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
					t.Fatalf("e**(%v-%v) is %v, want %v", xs[i], top, got[i], want[i])
				}
			}
		}
	}
}

func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	xs := []float32{3, float32(math.Inf(-1)), 3 - 104, 3 - 104.1}
	for range 1000 {
		xs = append(xs, 3-float32(110*r.Float64()))
	}
	exps := make([]float64, len(xs))
	gotSum, gotDot := Exps(exps, xs, 3)
	sum, dot := 0.0, 0.0
	for i, x := range xs {
		want := Exp(float64(x) - 3)
		if float64(x)-3 < -104 {
			want = 0
		} else {
			dot += float64(want * (float64(x) - 3))
		}
		if exps[i] != want {
			t.Fatalf("e**(%v-3) is %v, want %v", x, exps[i], want)
		}
		sum += want
	}
	if gotSum != sum || gotDot != dot {
		t.Errorf("the sums are %v and %v, want %v and %v", gotSum, gotDot, sum, dot)
	}
	if s, d := ExpSums(xs, 3); s != sum || d != dot {
		t.Errorf("the sums are %v and %v, want %v and %v", s, d, sum, dot)
	}
}

var pinned = []uint64{
	0x60b2db1fcc59e87a, // Exp
	0xb4ef37533062fc56, // Exp near 0
	0xef30dff984fdaa41, // Log
	0x4b015988506ade6b, // Log near 1
	0xf40fd4838d79712a, // Log small
	0x68052ccb96c3f2ad, // Tanh
	0xb34165423d32c921, // Tanh near 0
	0x1a2ea6193514379d, // Erf
	0xe7db3ae9ffdf4337, // Erf near 0
}

func BenchmarkExp(b *testing.B) {
	x := -20.0
	for b.Loop() {
		x = -20 + Exp(x)
	}
}

// BenchmarkExps is a row of GPT-2's vocabulary.
func BenchmarkExps(b *testing.B) {
	xs, dst := make([]float32, 50257), make([]float64, 50257)
	for i := range xs {
		xs[i] = float32(-i % 40)
	}
	for b.Loop() {
		Exps(dst, xs, 0)
	}
}
