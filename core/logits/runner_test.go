package logits

import (
	"math/rand/v2"
	"slices"
	"testing"

	"decodingplayground/core/fmath"
	"decodingplayground/core/rows"
)

// What a Runner keeps from event to event is what a run of its own would give,
// bit for bit: one setting, the row or the context changes at a time.
func TestRunnerKeepsWhatHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	const n = 200
	for range 40 {
		var r Runner
		p := Pipeline{}
		for range 1 + rng.IntN(5) {
			p = append(p, randomStage(t, rng, n))
		}
		row, c := randomRow(rng, n), randomContext(rng, n)
		for range 25 {
			switch rng.IntN(8) {
			case 0:
				row = randomRow(rng, n)
			case 1:
				c = randomContext(rng, n)
			case 2: // the same again
			case 3:
				p = append(slices.Clone(p[:len(p)-1]), randomStage(t, rng, n), p[len(p)-1])[:min(6, len(p)+1)]
			default:
				p = slices.Clone(p)
				p[rng.IntN(len(p))] = randomStage(t, rng, n)
			}
			got, want := r.Run(p, c, row), p.Run(c, row)
			for i := range want.Scores {
				checkRow(t, got, want, i)
			}
			if got.LogSumExp() != LogSumExp(want.Final()) {
				t.Fatalf("LogSumExp %v, want %v", got.LogSumExp(), LogSumExp(want.Final()))
			}
		}
	}
}

func randomStage(t *testing.T, rng *rand.Rand, vocab int) Stage {
	k := Kinds[rng.IntN(len(Kinds))]
	return stage(t, k.Name, randomArgs(rng, k, vocab))
}

func checkRow(t *testing.T, got, want Trace, i int) {
	t.Helper()
	row := want.Scores[i]
	if got.Names[i] != want.Names[i] || !sameBits(got.Scores[i], row) || got.Count(i) != rows.Kept(row) {
		t.Fatalf("row %d, %s: %v, %d left, want %v", i, want.Names[i], got.Scores[i], got.Count(i), row)
	}
	exps, top, ok := got.Weights(i)
	best, isRow := peak(row)
	if ok != isRow || ok && top != best {
		t.Fatalf("row %d, %s: top %v, %v, want %v, %v", i, want.Names[i], top, ok, best, isRow)
	}
	if !ok {
		return
	}
	each := make([]float64, len(row))
	fmath.Exps(each, row, top)
	for id, x := range row {
		if !removed(x) && exps[id] != each[id] {
			t.Fatalf("row %d, %s: token %d weighs %v, want %v", i, want.Names[i], id, exps[id], each[id])
		}
	}
}

// Stages before the one whose setting changes are not run again.
func TestRunnerRunsOnlyWhatChanges(t *testing.T) {
	var r Runner
	runs := 0
	count := counter{&runs}
	row := logs(0.5, 0.25, 0.25)
	for i, want := range []int{1, 1, 1, 2} {
		p := Pipeline{{Name: "count", Processor: count}, one(t, "top_p", []float64{0.9, 0.8, 0.7, 0.7}[i])}
		if i == 3 {
			row = slices.Clone(row)
		}
		if r.Run(p, Context{}, row); runs != want {
			t.Errorf("run %d: the first stage ran %d times, want %d", i, runs, want)
		}
	}
}

type counter struct{ runs *int }

func (c counter) Process(Context, []float32) { *c.runs++ }
