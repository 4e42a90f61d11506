package logits

import (
	"math"
	"slices"
	"testing"

	"decodingplayground/core/spec"
)

// The slips of other decoders, each with the input that shows it.

func num(pairs ...any) spec.Args {
	a := spec.Args{Num: map[string]float64{}}
	for i := 0; i < len(pairs); i += 2 {
		a.Num[pairs[i].(string)] = float64(pairs[i+1].(float64))
	}
	return a
}

func stage(t testing.TB, kind string, args spec.Args) Stage {
	t.Helper()
	s, err := Make(kind, args)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// one is a stage whose kind and parameter have the same name.
func one(t testing.TB, kind string, v float64) Stage { return stage(t, kind, num(kind, v)) }

func logs(probs ...float64) []float32 { return handRow{Probs: probs}.scores() }

func keptIDs(scores []float32) []int {
	var ids []int
	for id, s := range scores {
		if !removed(s) {
			ids = append(ids, id)
		}
	}
	return ids
}

func wantKept(t *testing.T, scores []float32, want ...int) {
	t.Helper()
	if got := keptIDs(scores); !slices.Equal(got, want) {
		t.Errorf("kept %v, want %v", got, want)
	}
}

// The token that crosses p stays: the kept mass is never below p.
func TestSlipTopPDropsTheCrossingToken(t *testing.T) {
	tr := Pipeline{one(t, "top_p", 0.9)}.Run(Context{}, logs(0.5, 0.41, 0.09))
	wantKept(t, tr.Final(), 0, 1)
	if m := tr.KeptMass(tr.Stats(nil)); math.Abs(m-0.91) > 1e-6 {
		t.Errorf("kept mass %v, want 0.91", m)
	}
}

// A sum that equals p is enough: no token more.
func TestSlipTopPKeepsOneTooManyAtEquality(t *testing.T) {
	wantKept(t, Pipeline{one(t, "top_p", 0.9)}.Run(Context{}, logs(0.5, 0.4, 0.1)).Final(), 0, 1)
	wantKept(t, Pipeline{one(t, "top_p", 0.75)}.Run(Context{}, logs(0.5, 0.25, 0.125, 0.125)).Final(), 0, 1)
}

// p = 1 and k = 0 are off; they do not turn greedy.
func TestSlipOffTurnsGreedy(t *testing.T) {
	flat := make([]float32, 50257)
	p := Pipeline{one(t, "top_p", 1), one(t, "top_k", 0), one(t, "min_p", 0), one(t, "typical_p", 1)}
	if n := p.Run(Context{}, flat).KeptCount(); n != len(flat) {
		t.Errorf("%d kept, want all %d", n, len(flat))
	}
}

func TestSlipTopK1KeepsTwo(t *testing.T) {
	wantKept(t, Pipeline{one(t, "top_k", 1)}.Run(Context{}, []float32{1, 3, 2}).Final(), 1)
}

func TestSlipTinyPRemovesAll(t *testing.T) {
	for _, p := range []float64{0, 5e-324, 1e-12} {
		wantKept(t, Pipeline{one(t, "top_p", p)}.Run(Context{}, []float32{1, 3, 2}).Final(), 1)
	}
}

// Temperature comes before top-p, so it changes what survives.
func TestSlipTemperatureAfterTopP(t *testing.T) {
	row := logs(0.4, 0.3, 0.15, 0.1, 0.05)
	size := func(temperature float64) int {
		return Pipeline{one(t, "temperature", temperature), one(t, "top_p", 0.9)}.Run(Context{}, row).KeptCount()
	}
	if cold, hot := size(0.5), size(2); cold != 3 || hot != 5 {
		t.Errorf("nucleus %d at T=0.5 and %d at T=2, want 3 and 5", cold, hot)
	}
}

// 0 is a value, not a missing one.
func TestSlipZeroIsReplacedByTheDefault(t *testing.T) {
	wantKept(t, Pipeline{one(t, "temperature", 0)}.Run(Context{}, []float32{1, 3, 2}).Final(), 1)
	wantKept(t, Pipeline{one(t, "top_p", 0)}.Run(Context{}, []float32{1, 3, 2}).Final(), 1)
}

// Probabilities of what is left add up to 1; what is cut has 0.
func TestSlipProbabilitiesAboveOne(t *testing.T) {
	final := Pipeline{one(t, "top_k", 2)}.Run(Context{}, logs(0.4, 0.3, 0.2, 0.1)).Final()
	probs := Softmax([]float64(nil), final)
	if math.Abs(probs[0]+probs[1]-1) > 1e-12 || probs[2] != 0 || probs[3] != 0 {
		t.Errorf("probabilities %v", probs)
	}
}

// At T = 0 the list is sorted, the first has all the mass, and the model's own
// probabilities are still there.
func TestSlipGreedyListIsUnsorted(t *testing.T) {
	tr := Pipeline{one(t, "temperature", 0)}.Run(Context{}, logs(0.1, 0.2, 0.4, 0.3))
	if got := Top(nil, tr.Scores[0], 3); !slices.Equal(got, []int{2, 3, 1}) {
		t.Errorf("top three %v, want [2 3 1]", got)
	}
	if got := Top(nil, tr.Final(), 3); !slices.Equal(got, []int{2}) {
		t.Errorf("kept %v, want [2]", got)
	}
	if p := Softmax([]float64(nil), tr.Final())[2]; p != 1 {
		t.Errorf("the top token has %v, want 1", p)
	}
	if p := Prob(tr.Scores[0][2], LogSumExp(tr.Scores[0])); math.Abs(p-0.4) > 1e-6 {
		t.Errorf("the model gave it %v, want 0.4", p)
	}
}

// Penalties act at T = 0, too.
func TestSlipGreedySkipsPenalties(t *testing.T) {
	p := Pipeline{one(t, "repetition_penalty", 2), one(t, "temperature", 0)}
	wantKept(t, p.Run(Context{IDs: []int{0}}, []float32{3, 2}).Final(), 1)
}

// A penalty makes a repeat less likely for either sign of its logit.
func TestSlipPenaltyInvertedForNegativeLogits(t *testing.T) {
	for _, logit := range []float32{-3, 3} {
		raw := []float32{logit, 0}
		final := Pipeline{one(t, "repetition_penalty", 1.5)}.Run(Context{IDs: []int{0}}, raw).Final()
		before, after := Softmax([]float64(nil), raw)[0], Softmax([]float64(nil), final)[0]
		if after >= before {
			t.Errorf("logit %v: probability went from %v to %v", logit, before, after)
		}
	}
}

// A penalty acts once a token, not once an occurrence.
func TestSlipPenaltyOncePerOccurrence(t *testing.T) {
	p, raw := Pipeline{one(t, "repetition_penalty", 1.2)}, []float32{3, 1}
	once := p.Run(Context{IDs: []int{0}}, raw).Final()[0]
	often := p.Run(Context{IDs: []int{0, 0, 0, 0, 0}}, raw).Final()[0]
	if once != often || once != float32(3)/float32(1.2) {
		t.Errorf("once %v, five times %v", once, often)
	}
}

// typical_p may cut the top token, and its rule is >= p.
func TestSlipTypicalPKeepsTheTopToken(t *testing.T) {
	wantKept(t, Pipeline{one(t, "typical_p", 0.3)}.Run(Context{}, logs(0.4, 0.2, 0.2, 0.2)).Final(), 1, 2, 3)
	wantKept(t, Pipeline{one(t, "typical_p", 0.25)}.Run(Context{}, logs(0.5, 0.25, 0.125, 0.125)).Final(), 1)
}

// The softmax is over the whole vocabulary, not over the 50 largest.
func TestSlipSoftmaxOfTheTop50(t *testing.T) {
	for _, r := range realRows(t) {
		hot := Pipeline{one(t, "temperature", 10)}.Run(Context{}, r.logits).Final()
		probs := Softmax([]float64(nil), hot)
		var top50, all float64
		for _, id := range Top(nil, hot, 50) {
			top50 += probs[id]
		}
		for _, p := range probs {
			all += p
		}
		if math.Abs(all-1) > 1e-9 || top50 > 0.1 {
			t.Errorf("%s: sum %v, of the 50 largest %v", r.name, all, top50)
		}
	}
}

// Equal scores stay two tokens, and ids are ordered as numbers.
func TestSlipTokensAsObjectKeys(t *testing.T) {
	row := []float32{1, 1, 5, 1, 0, 0, 0, 0, 0, 0, 9, 1}
	if got := Order(nil, row); !slices.Equal(got, []int{10, 2, 0, 1, 3, 11, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("order %v", got)
	}
}

func TestSlipEntropyOfOneHot(t *testing.T) {
	for _, row := range [][]float32{{gone, 3, gone}, {0, 200, 0}, {7}} {
		if h := Entropy(row); h < 0 || h > 1e-9 {
			t.Errorf("entropy of %v is %v, want 0", row, h)
		}
	}
}
