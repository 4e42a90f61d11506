package logits

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"decodingplayground/core/rows"
	"decodingplayground/core/spec"
)

func near(got, want float64) bool { return math.Abs(got-want) < 1e-6 }

func TestStats(t *testing.T) {
	p := Pipeline{one(t, "temperature", 1), one(t, "top_k", 3), one(t, "top_p", 0.7)}
	tr := p.Run(Context{}, logs(0.4, 0.3, 0.2, 0.1))
	st := tr.Stats(nil)
	for i, want := range []StageStats{
		{Count: 4, Entropy: 1.8464393},
		{Count: 4, Entropy: 1.8464393},
		{Count: 3, Cut: 1, CutMass: 0.1, Entropy: 1.5304931},
		{Count: 2, Cut: 1, CutMass: 0.2222222, Entropy: 0.9852281},
	} {
		got := st[i]
		if got.Count != want.Count || got.Cut != want.Cut || !near(got.CutMass, want.CutMass) || !near(got.Entropy, want.Entropy) {
			t.Errorf("%s: %+v, want %+v", tr.Names[i], got, want)
		}
		if got.LogSumExp != LogSumExp(tr.Scores[i]) {
			t.Errorf("%s: LogSumExp %v", tr.Names[i], got.LogSumExp)
		}
	}
	if tr.KeptCount() != 2 || !near(tr.KeptMass(tr.Stats(nil)), 0.7) || !near(tr.ModelKeptMass(tr.Stats(nil)), 0.7) {
		t.Errorf("kept %d, %v, of the model's %v", tr.KeptCount(), tr.KeptMass(tr.Stats(nil)), tr.ModelKeptMass(tr.Stats(nil)))
	}
	if tr.RemovedBy(0) != -1 || tr.RemovedBy(2) != 3 || tr.RemovedBy(3) != 2 {
		t.Errorf("removed by %d %d %d", tr.RemovedBy(0), tr.RemovedBy(2), tr.RemovedBy(3))
	}
}

// Kept mass is measured in the distribution that enters the first filter: after
// temperature where that comes first.
func TestKeptMassIsOfTheFirstFilter(t *testing.T) {
	tr := Pipeline{one(t, "temperature", 0.5), one(t, "top_k", 1)}.Run(Context{}, logs(1./3, 2./3))
	if !near(tr.KeptMass(tr.Stats(nil)), 0.8) || !near(tr.ModelKeptMass(tr.Stats(nil)), 2./3) {
		t.Errorf("kept mass %v, of the model's %v; want 0.8 and 2/3", tr.KeptMass(tr.Stats(nil)), tr.ModelKeptMass(tr.Stats(nil)))
	}
	tr = Pipeline{one(t, "repetition_penalty", 2)}.Run(Context{}, logs(0.5, 0.5))
	if tr.KeptMass(tr.Stats(nil)) != 1 {
		t.Errorf("without a filter %v, want 1", tr.KeptMass(tr.Stats(nil)))
	}
}

// A token that a stage removed and a later one brought back is kept.
func TestRemovedBySeesTokensComeBack(t *testing.T) {
	forced := stage(t, "forced_eos_token_id", spec.Args{Seq: map[string][]spec.Sequence{"forced_eos_token_id": {{IDs: []int{1}}}}})
	tr := Pipeline{one(t, "top_k", 1), forced}.Run(Context{IDs: []int{0}, MaxLength: 2}, []float32{5, 4, 1})
	if tr.RemovedBy(1) != -1 || tr.RemovedBy(0) != 2 || tr.RemovedBy(2) != 1 {
		t.Errorf("removed by %d %d %d", tr.RemovedBy(1), tr.RemovedBy(0), tr.RemovedBy(2))
	}
}

func TestNucleusOf(t *testing.T) {
	for _, c := range []struct {
		p    float64
		want Nucleus
	}{
		{0.6, Nucleus{Size: 2, Mass: 0.75, Crossing: 2, SlipSize: 1, SlipMass: 0.5}},
		{0.75, Nucleus{Size: 2, Mass: 0.75, Crossing: 2, SlipSize: 2, SlipMass: 0.75}},
		{0, Nucleus{Size: 1, Mass: 0.5, Crossing: 1, SlipSize: 1, SlipMass: 0.5}},
		{1, Nucleus{Size: 4, Mass: 1, Crossing: -1, SlipSize: 4, SlipMass: 1}},
	} {
		if got := NucleusOf(logs(0.125, 0.5, 0.25, 0.125), c.p); got != c.want {
			t.Errorf("p=%v: %+v, want %+v", c.p, got, c.want)
		}
	}
	if got := NucleusOf([]float32{gone, gone}, 0.5); got != (Nucleus{Crossing: -1}) {
		t.Errorf("no distribution: %+v", got)
	}
}

func TestRankAndSurprise(t *testing.T) {
	row := logs(0.25, 0.5, 0.25)
	for id, want := range []struct {
		rank     int
		surprise float64
	}{{2, 2}, {1, 1}, {3, 2}} {
		if r, s := Rank(row, id), Surprise(row, id); r != want.rank || !near(s, want.surprise) {
			t.Errorf("token %d: rank %d, surprise %v, want %v", id, r, s, want)
		}
	}
	if s := Surprise([]float32{0, gone}, 1); !math.IsInf(s, 1) {
		t.Errorf("a removed token surprises by %v, want +Inf", s)
	}
	if r := Rank([]float32{gone, 0, gone}, 2); r != 3 {
		t.Errorf("a removed token has rank %d, want 3", r)
	}
}

// Nothing of a row that is no distribution is NaN.
func TestNothingIsNaN(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, row := range [][]float32{{}, {gone, gone}, {nan, 1}, {inf, 1}, {inf, gone, nan}} {
		tr := Pipeline{one(t, "temperature", 0.5), one(t, "top_p", 0.5)}.Run(Context{}, row)
		numbers := []float64{tr.KeptMass(tr.Stats(nil)), tr.ModelKeptMass(tr.Stats(nil)), Entropy(row), LogSumExp(row), NucleusOf(row, 0.5).Mass}
		for _, st := range tr.Stats(nil) {
			numbers = append(numbers, st.CutMass, st.Entropy, st.LogSumExp)
		}
		numbers = append(numbers, Softmax([]float64(nil), row)...)
		for id, s := range row {
			numbers = append(numbers, Prob(s, LogSumExp(row)), Surprise(row, id), float64(LogSoftmax(nil, row)[id]))
		}
		if slices.ContainsFunc(numbers, math.IsNaN) {
			t.Errorf("%v: %v", row, numbers)
		}
	}
}

// A Runner's rows are its own and are used again; raw is not changed.
func TestRunnerMakesNoGarbage(t *testing.T) {
	var r Runner
	var order []int
	p := Pipeline{
		one(t, "repetition_penalty", 1.2), one(t, "temperature", 0.8), one(t, "top_k", 40),
		one(t, "top_p", 0.9), one(t, "min_p", 0.01), one(t, "typical_p", 0.9), one(t, "epsilon_cutoff", 0.001),
	}
	raw := realRows(t)[0].logits
	before := slices.Clone(raw)
	event := func() {
		tr := r.Run(p, Context{IDs: []int{1, 2, 3, 2}}, raw)
		r.Stats()
		order = Order(order, tr.Final())
	}
	if n := testing.AllocsPerRun(10, event); n > 1 {
		t.Errorf("%v allocations an event, want none", n)
	}
	if !slices.Equal(raw, before) {
		t.Error("the model's row was changed")
	}
	if tr := r.Run(p, Context{IDs: []int{1, 2, 3, 2}}, raw); !slices.Equal(tr.Final(), p.Run(Context{IDs: []int{1, 2, 3, 2}}, raw).Final()) {
		t.Error("a Runner's rows differ from a Pipeline's")
	}
}

// The model's row is measured again when another row comes.
func TestRunnerStatsAreOfTheLastRun(t *testing.T) {
	var r Runner
	p := Pipeline{one(t, "top_k", 2)}
	for _, raw := range [][]float32{logs(0.5, 0.25, 0.25), logs(0.7, 0.2, 0.1), logs(0.5, 0.5)} {
		for range 2 {
			if tr := r.Run(p, Context{}, raw); !slices.Equal(r.Stats(), tr.Stats(nil)) {
				t.Errorf("%v: %+v, want %+v", raw, r.Stats(), tr.Stats(nil))
			}
		}
	}
}

func TestBest(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		row  []float32
		want int
	}{{[]float32{1, 3, 3}, 1}, {[]float32{gone, -5}, 1}, {[]float32{gone, gone}, -1}, {nil, -1}, {[]float32{9, nan}, 1}} {
		if got := Best(c.row); got != c.want {
			t.Errorf("best of %v is %d, want %d", c.row, got, c.want)
		}
	}
}

// TestNucleusSizeIsThatOfNucleusOf: peaked, flat and tied rows, with removed
// tokens and without.
func TestNucleusSizeIsThatOfNucleusOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		row := make([]float32, 1+r.IntN(3000))
		width, step := r.Float64()*20, []float64{0, 0.5, 3}[r.IntN(3)]
		for i := range row {
			x := r.NormFloat64() * width
			if step > 0 {
				x = math.Round(x/step) * step
			}
			row[i] = float32(x)
			if r.IntN(20) == 0 {
				row[i] = gone
			}
		}
		for _, p := range []float64{0, 1e-9, 0.3, 0.9, 0.999999, 1 - 1e-12, 1, r.Float64()} {
			if got, want := NucleusSize(row, p), NucleusOf(row, p).Size; got != want {
				t.Fatalf("%d tokens, p = %v: %d, want %d", len(row), p, got, want)
			}
			checkSummary(t, row, p)
		}
	}
}

// TestSummaryOfOddRows: the nucleus is that of a sorted row, and the rest is what
// its definition says, where a row is tied, short, cut or nearly no distribution.
func TestSummaryOfOddRows(t *testing.T) {
	long := func(f func(i int) float32) []float32 {
		row := make([]float32, 1003)
		for i := range row {
			row[i] = f(i)
		}
		return row
	}
	for name, row := range map[string][]float32{
		"one token":  {-3},
		"one left":   {gone, gone, 2, gone, gone},
		"two equal":  {1, 1},
		"all equal":  long(func(int) float32 { return 0.25 }),
		"zeros":      long(func(i int) float32 { return float32(math.Copysign(0, float64(i%2)-0.5)) }),
		"ties":       long(func(i int) float32 { return float32(i % 3) }),
		"most gone":  long(func(i int) float32 { return []float32{gone, 1, gone, gone, 2, gone, gone}[i%7] }),
		"half below": long(func(i int) float32 { return float32(-200 * (i % 2)) }),
		"a peak":     long(func(i int) float32 { return float32(-i) }),
		"far apart":  {math.MaxFloat32, -math.MaxFloat32, 0, gone},
	} {
		for _, p := range []float64{0, 1e-9, 1.0 / 3, 0.5, 0.9, 1 - 1e-12, 1} {
			got := Summarise(row, p)
			if want := simpleNucleus(row, p); got.Nucleus != want {
				t.Errorf("%s, p = %v: a nucleus of %d, want %d", name, p, got.Nucleus, want)
			}
			checkSummary(t, row, p)
		}
	}
}

// simpleNucleus sorts the probabilities and lets the smallest fall, one by one.
func simpleNucleus(row []float32, p float64) int {
	if p == 1 {
		return len(slices.DeleteFunc(slices.Clone(row), removed))
	}
	probs := slices.Sorted(slices.Values(Softmax([]float32(nil), row)))
	var fallen uint64
	for i, prob := range probs {
		if fallen += rows.UnitsOf(prob); mass(fallen) > float32(1-p) {
			return len(probs) - i
		}
	}
	return 1
}

// checkSummary compares what Summarise gives with what it stands for.
func checkSummary(t *testing.T, row []float32, p float64) {
	t.Helper()
	lse, entropy := Measure(row)
	want := Summary{lse, entropy, Best(row), NucleusSize(row, p)}
	if got := Summarise(row, p); got != want {
		t.Fatalf("%d tokens, p = %v: %+v, want %+v", len(row), p, got, want)
	}
}

func TestSummaryOfNoDistribution(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, row := range [][]float32{nil, {gone}, {1, float32(math.NaN()), 2}, {1, inf}, {inf, gone}} {
		checkSummary(t, row, 0.9)
	}
}
