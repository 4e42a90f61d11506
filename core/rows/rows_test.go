package rows

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// hard are numbers at which something ends or begins.
var hard = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, 1e-45, -1e-45, math.MaxFloat32, -math.MaxFloat32, -3.4e38,
	float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
}

// eachRow calls f with rows of every small length: scores with many ties, of
// which some, most or none are removed, some with hard numbers.
func eachRow(t *testing.T, f func(r *rand.Rand, xs []float32)) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 80 {
		for _, left := range []float64{0.05, 0.5, 1} {
			xs := make([]float32, n)
			for i := range xs {
				xs[i] = float32(r.IntN(40)-20) / 4
				if r.Float64() > left {
					xs[i] = gone
				}
			}
			if n%3 == 0 && n > 0 {
				for _, x := range hard[:1+r.IntN(len(hard))] {
					xs[r.IntN(len(xs))] = x
				}
			}
			f(r, xs)
		}
	}
}

// same compares bits, as what is printed does. Any NaN equals any other: WebAssembly
// leaves theirs open.
func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

func weightsOf(r *rand.Rand, xs []float32) []float64 {
	weights := make([]float64, len(xs))
	for i := range weights {
		weights[i] = math.Exp(-30 * r.Float64())
	}
	return weights
}

func byOf(r *rand.Rand, xs []float32) []uint8 {
	by := make([]uint8, len(xs))
	for i := range by {
		by[i] = []uint8{0, 1, 2, 3, 3, 3, 255}[r.IntN(7)]
	}
	return by
}

func TestScoresAreGeneric(t *testing.T) {
	eachRow(t, func(_ *rand.Rand, xs []float32) {
		for _, floor := range append(hard, -5.25, 4.5, 4.75) {
			same(t, "next", Next(xs, floor), nextGeneric(xs, floor))
			same(t, "above", Above(xs, floor), aboveGeneric(xs, floor))
			got, want := slices.Clone(xs), slices.Clone(xs)
			Cut(got, floor)
			cutGeneric(want, floor)
			same(t, "cut", got, want)
			got, want = slices.Clone(xs), slices.Clone(xs)
			Divide(got, floor, 0.7)
			divideGeneric(want, floor, 0.7)
			same(t, "divided", got, want)
		}
		got, want := make([]uint32, len(xs)), make([]uint32, len(xs))
		Keys(got, xs)
		keysGeneric(want, xs)
		same(t, "keys", got, want)
	})
}

func TestGatheringIsGeneric(t *testing.T) {
	eachRow(t, func(r *rand.Rand, xs []float32) {
		var ids, wantIDs [80]int32
		var scores, wantScores [80]float32
		n, want := Gather(ids[:len(xs)], scores[:len(xs)], xs), gatherGeneric(wantIDs[:], wantScores[:], xs, 0, 0)
		same(t, "gathered", n, want)
		same(t, "ids", ids[:n], wantIDs[:n])
		same(t, "scores", scores[:n], wantScores[:n])
		weights := weightsOf(r, xs)
		var picked, wantPicked [80]float64
		same(t, "sum", Pick(picked[:len(xs)], weights, xs), pickGeneric(wantPicked[:], weights, xs, 0, 0))
		same(t, "picked", picked[:n], wantPicked[:n])
		same(t, "sum", Sum(weights, xs), pickGeneric(wantPicked[:], weights, xs, 0, 0))
	})
}

func TestSharesAreGeneric(t *testing.T) {
	eachRow(t, func(r *rand.Rand, xs []float32) {
		weights := weightsOf(r, xs)
		probs, units := make([]float32, len(xs)), make([]uint64, len(xs))
		wantProbs, wantUnits := make([]float32, len(xs)), make([]uint64, len(xs))
		for _, sum := range []float64{1, 1.7, 40000} {
			Shares(probs, units, weights, sum)
			sharesGeneric(wantProbs, wantUnits, weights, sum)
			same(t, "probabilities", probs, wantProbs)
			same(t, "units", units, wantUnits)
		}
		var got, want Sums
		by := byOf(r, xs)
		got.Weigh(by, xs, weights, 5)
		weighGeneric(&want, by, xs, weights, 5)
		same(t, "sums", got, want)
	})
}

func TestFallsAreGeneric(t *testing.T) {
	eachRow(t, func(r *rand.Rand, xs []float32) {
		for _, kind := range []string{"only cut", "a score changes", "one comes back"} {
			by, before := byOf(r, xs), slices.Clone(xs)
			for i, x := range xs {
				if Removed(x) {
					by[i], before[i] = 3, 1
				}
			}
			if len(xs) > 0 {
				switch at := r.IntN(len(xs)); kind {
				case "a score changes":
					before[at]++
				case "one comes back":
					by[at] = 4
				}
			}
			want := slices.Clone(by)
			fell, onlyCut := Fall(by, xs, before, 2, 3)
			wantFell, wantOnly := fallGeneric(want, xs, before, 2, 3)
			same(t, kind, fell, wantFell)
			same(t, kind, onlyCut, wantOnly)
			same(t, kind, by, want)
			got, wantOnes := make([]float32, len(xs)), make([]float32, len(xs))
			Only(got, xs, by, 3)
			onlyGeneric(wantOnes, xs, by, 3)
			same(t, "only", got, wantOnes)
		}
	})
}

func TestBinsAreGeneric(t *testing.T) {
	eachRow(t, func(r *rand.Rand, xs []float32) {
		keys, weights := make([]uint32, len(xs)), make([]uint64, len(xs))
		Keys(keys, xs)
		for i := range weights {
			weights[i] = r.Uint64()
		}
		low, high := Span(keys)
		wantLow, wantHigh := spanGeneric(keys, math.MaxUint32, 0)
		same(t, "lowest", low, wantLow)
		same(t, "highest", high, wantHigh)
		for _, key := range append(slices.Clone(keys), 0, 1<<31, nanKey) {
			same(t, "below", Below(keys, key), belowGeneric(keys, key))
		}
		for _, shift := range []int{0, 9, 21} {
			var got, want Bins
			got.Add(keys, weights, low, shift)
			addUpGeneric(&want, keys, weights, low, shift)
			same(t, "bins", got, want)
		}
	})
}

// What the passes are for, by hand.
func TestRows(t *testing.T) {
	nan := float32(math.NaN())
	row := []float32{1, gone, 3, nan, 3, -2}
	if at := Next(row, 1); at != 2 {
		t.Errorf("the next above 1 is at %d, want 2", at)
	}
	if n := Kept(row); n != 5 {
		t.Errorf("%d are left, want 5", n)
	}
	if n := Below([]uint32{3, 0, 2, nanKey, 2, 1}, 2); n != 2 {
		t.Errorf("%d keys are below 2, want 2", n)
	}
	if n := Above(row, 1); n != 3 {
		t.Errorf("%d above 1, want 3: NaN counts", n)
	}
	ids, scores := make([]int32, 6), make([]float32, 6)
	if n := Gather(ids, scores, row); !slices.Equal(ids[:n], []int32{0, 2, 3, 4, 5}) {
		t.Errorf("%v are left, want all but 1", ids[:n])
	}
	if sum := Sum([]float64{1, 2, 4, 8, 16, 32}, row); sum != 61 {
		t.Errorf("the sum is %v, want 61", sum)
	}
	by := []uint8{2, 2, 2, 2, 2, 2}
	if fell, only := Fall(by, []float32{1, gone}, []float32{1, 7}, 1, 2); fell != 1 || !only || by[1] != 1 {
		t.Errorf("%d fell, %v, by %v, want 1 at place 1", fell, only, by)
	}
	if fell, only := Fall(by, []float32{1, 2}, []float32{1, 7}, 1, 2); fell != 0 || only {
		t.Errorf("%d fell, %v, want none and another score", fell, only)
	}
	for _, x := range hard {
		if back := OfKey(Key(x)); back != x && x == x {
			t.Errorf("the key of %v is that of %v", x, back)
		}
	}
}

func TestLengthsAreChecked(t *testing.T) {
	row, short := make([]float32, 8), make([]float32, 7)
	for what, f := range map[string]func(){
		"Gather": func() { Gather(make([]int32, 8), short, row) },
		"Pick":   func() { Pick(make([]float64, 8), make([]float64, 7), row) },
		"Sum":    func() { Sum(make([]float64, 7), row) },
		"Keys":   func() { Keys(make([]uint32, 7), row) },
		"Add":    func() { new(Bins).Add(make([]uint32, 8), make([]uint64, 7), 0, 0) },
		"Shares": func() { Shares(short, make([]uint64, 8), make([]float64, 8), 1) },
		"Weigh":  func() { new(Sums).Weigh(make([]uint8, 7), row, make([]float64, 8), 0) },
		"Fall":   func() { Fall(make([]uint8, 8), row, short, 1, 2) },
		"Only":   func() { Only(row, row, make([]uint8, 7), 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s takes slices of different lengths", what)
				}
			}()
			f()
		}()
	}
}

// BenchmarkPasses are those over a row of GPT-2's vocabulary, half of it removed
// where that counts.
func BenchmarkPasses(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	xs := make([]float32, 50257)
	for i := range xs {
		xs[i] = float32(r.NormFloat64() * 3)
	}
	half := slices.Clone(xs)
	Cut(half, 0)
	n := len(xs)
	weights, by := weightsOf(r, xs), byOf(r, xs)
	ids, scores, picked := make([]int32, n), make([]float32, n), make([]float64, n)
	keys, units := make([]uint32, n), make([]uint64, n)
	var sums Sums
	var bins Bins
	Keys(keys, xs)
	for _, p := range []struct {
		name string
		f    func()
	}{
		{"Next", func() { Next(xs, 100) }},
		{"Above", func() { Above(xs, 0) }},
		{"Divide", func() { Divide(xs, 0, 1) }},
		{"Cut", func() { Cut(half, 0) }},
		{"Gather", func() { Gather(ids, scores, half) }},
		{"Pick", func() { Pick(picked, weights, half) }},
		{"Sum", func() { Sum(weights, half) }},
		{"Keys", func() { Keys(keys, xs) }},
		{"Span", func() { Span(keys) }},
		{"Below", func() { Below(keys, 1<<31) }},
		{"Add", func() { bins.Add(keys, units, 0, 21) }},
		{"Shares", func() { Shares(scores, units, weights, 1.5) }},
		{"Weigh", func() { sums.Weigh(by, half, weights, 3) }},
		{"Fall", func() { Fall(by, half, xs, 2, 3) }},
		{"Only", func() { Only(scores, xs, by, 3) }},
	} {
		b.Run(p.name, func(b *testing.B) {
			for b.Loop() {
				p.f()
			}
		})
	}
}
