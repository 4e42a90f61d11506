package logits

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"decodingplayground/core/rows"
	"decodingplayground/core/spec"
)

// randomRow is a row with a long tail; some rows have ties and removed tokens.
func randomRow(rng *rand.Rand, n int) []float32 {
	row := make([]float32, n)
	step := []float64{1e-6, 0.5}[rng.IntN(2)]
	for i := range row {
		row[i] = float32(math.Round(rng.NormFloat64()*3/step) * step)
		if rng.IntN(5) == 0 && i > 0 {
			row[i] = gone
		}
	}
	return row
}

func randomContext(rng *rand.Rand, n int) Context {
	ids := make([]int, 1+rng.IntN(12))
	for i := range ids {
		ids[i] = rng.IntN(n)
	}
	without := randomRow(rng, n)
	return Context{
		IDs: ids, PromptLen: 1 + rng.IntN(len(ids)), MaxLength: len(ids) + rng.IntN(3),
		EOS: []int{rng.IntN(n)}, MinTokensToKeep: rng.IntN(3), Coin: rng.Float64(),
		Without: func([]int) []float32 { return without },
	}
}

// randomArgs are settings within the slider's ends.
func randomArgs(rng *rand.Rand, k spec.Kind[Processor], vocab int) spec.Args {
	a := spec.Args{Num: map[string]float64{}, Seq: map[string][]spec.Sequence{}}
	for _, p := range k.Params {
		switch p.Type {
		case spec.Sequences:
			a.Seq[p.Name] = []spec.Sequence{{IDs: []int{rng.IntN(vocab)}, Bias: rng.NormFloat64()}}
		case spec.Number:
			a.Num[p.Name] = p.Low + rng.Float64()*(p.High-p.Low)
		default:
			a.Num[p.Name] = p.Low + float64(rng.IntN(int(min(p.High, 20)-p.Low)+1))
		}
		if v := a.Num[p.Name]; p.OpenMax && v >= p.Max || p.OpenMin && v <= p.Min {
			a.Num[p.Name] = p.Default
		}
	}
	return a
}

// Left alone, a kind changes nothing, bit for bit.
func TestNeutralChangesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, k := range Kinds {
		p := Pipeline{stage(t, k.Name, spec.Args{})}
		for range 20 {
			row := randomRow(rng, 64)
			if got := p.Run(randomContext(rng, 64), row).Final(); !slices.Equal(got, row) {
				t.Errorf("%s changes a row when it is left alone", k.Name)
				break
			}
		}
	}
}

// A parameter's off value turns the kind off, whatever its other settings. Two
// that share their kind with others do not: where the pull to the end begins,
// and the range of a temperature that may itself be other than 1.
func TestOffIsOff(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	alone := []string{minTokensToKeep.Name, "start_index", "dynatemp_range"}
	for _, k := range Kinds {
		for _, param := range k.Params {
			if !param.HasOff || slices.Contains(alone, param.Name) {
				continue
			}
			args := randomArgs(rng, k, 64)
			args.Num[param.Name] = param.Off
			row := randomRow(rng, 64)
			if got := (Pipeline{stage(t, k.Name, args)}).Run(randomContext(rng, 64), row).Final(); !slices.Equal(got, row) {
				t.Errorf("%s: %s = %v is not off", k.Name, param.Name, param.Off)
			}
		}
	}
}

// Each kind changes something, somewhere.
func TestEveryKindActs(t *testing.T) {
	for _, k := range Kinds {
		rng := rand.New(rand.NewPCG(2, 3))
		acts := false
		for range 500 {
			row, c := randomRow(rng, 16), randomContext(rng, 16)
			got := Pipeline{stage(t, k.Name, randomArgs(rng, k, 16))}.Run(c, row).Final()
			acts = acts || !slices.Equal(got, row)
		}
		if !acts {
			t.Errorf("%s never changes a row", k.Name)
		}
	}
}

// bringsBack are the kinds whose doc says that removed tokens return.
var bringsBack = []string{"forced_bos_token_id", "forced_eos_token_id", "remove_invalid_values"}

// checkStage checks what holds for any stage on any row.
func checkStage(s Stage, before, after []float32) error {
	if !slices.Contains(bringsBack, s.Name) {
		for id := range before {
			if removed(before[id]) && !removed(after[id]) {
				return fmt.Errorf("token %d came back", id)
			}
		}
	}
	if !s.Cut {
		return nil
	}
	if rows.Kept(before) > 0 && rows.Kept(after) == 0 {
		return errors.New("no token is left")
	}
	for id := range before {
		if !removed(after[id]) && math.Float32bits(after[id]) != math.Float32bits(before[id]) {
			return fmt.Errorf("token %d stays with another score", id)
		}
	}
	return nil
}

func TestStagesKeepTheRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, k := range Kinds {
		for range 300 {
			row, c, args := randomRow(rng, 24), randomContext(rng, 24), randomArgs(rng, k, 24)
			s := stage(t, k.Name, args)
			if err := checkStage(s, row, Pipeline{s}.Run(c, row).Final()); err != nil {
				t.Errorf("%s %v on %v: %v", k.Name, args.Num, row, err)
				break
			}
		}
	}
}

func TestTopPSetsGrow(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	for range 50 {
		row := randomRow(rng, 200)
		var smaller []int
		for p := 0.0; p <= 1; p += 0.02 {
			ids := keptIDs(Pipeline{one(t, "top_p", min(p, 1))}.Run(Context{}, row).Final())
			for _, id := range smaller {
				if !slices.Contains(ids, id) {
					t.Fatalf("p=%v drops token %d, which a smaller p keeps", p, id)
				}
			}
			smaller = ids
		}
	}
}

func TestTemperatureKeepsRanks(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		row := randomRow(rng, 100)
		for _, temperature := range []float64{0.1, 0.7, 3, 100} {
			hot := Pipeline{one(t, "temperature", temperature)}.Run(Context{}, row).Final()
			if got := Order(nil, hot); !slices.Equal(got, Order(nil, row)) {
				t.Fatalf("T=%v changes the order", temperature)
			}
		}
	}
}

// A kind's description is fit to be shown, and its defaults are what it accepts.
func TestKindsAreDescribed(t *testing.T) {
	letters := map[string]string{}
	for _, k := range Kinds {
		if k.Label == "" || k.Letter == "" || k.Doc == "" || k.Formula == "" || k.Source == "" {
			t.Errorf("%s: a label, letter, doc, formula or source is missing", k.Name)
		}
		if other, ok := letters[k.Letter]; ok {
			t.Errorf("%s and %s share the letter %s", k.Name, other, k.Letter)
		}
		letters[k.Letter] = k.Name
		if !slices.Contains([]string{"Shape", "Cut", "Repeat", "Ban", "Length"}, k.Group) {
			t.Errorf("%s: no such group %q", k.Name, k.Group)
		}
		if k.Group == "Cut" && !k.Warper {
			t.Errorf("%s cuts without sampling", k.Name)
		}
		for _, p := range k.Params {
			if p.Label == "" || p.Doc == "" {
				t.Errorf("%s: %s has no label or doc", k.Name, p.Name)
			}
			if p.Type == spec.Sequences {
				continue
			}
			for _, v := range []float64{p.Low, p.High, p.Default} {
				if _, err := spec.Check(k.Params, num(p.Name, v)); err != nil {
					t.Errorf("%s: %v", k.Name, err)
				}
			}
			if p.Low >= p.High || p.Step <= 0 {
				t.Errorf("%s: %s has no slider", k.Name, p.Name)
			}
		}
	}
}

func TestOrderings(t *testing.T) {
	all := slices.Sorted(slices.Values(hfOrder()))
	for _, o := range Orderings {
		if got := slices.Sorted(slices.Values(o.Kinds)); !slices.Equal(got, all) {
			t.Errorf("%s: %v", o.Name, o.Kinds)
		}
	}
	chain := []string{"repetition_penalty", "dry", "top_n_sigma", "top_k", "typical_p", "top_p", "min_p", "xtc", "temperature"}
	if !subsequence(chain, Orderings[1].Kinds) {
		t.Errorf("llama.cpp's order is %v", Orderings[1].Kinds)
	}
}

func TestCheckNamesTheToken(t *testing.T) {
	s := stage(t, "suppress_tokens", spec.Args{Seq: map[string][]spec.Sequence{"suppress_tokens": {{IDs: []int{50300}}}}})
	err := Pipeline{one(t, "top_k", 3), s}.Check(50257)
	if err == nil || err.Error() != "suppress_tokens: token 50300, want 0 to 50256" {
		t.Errorf("error %v", err)
	}
	if err := (Pipeline{s}).Check(50301); err != nil {
		t.Errorf("error %v", err)
	}
	if got := (Pipeline{s}).Run(Context{}, []float32{1}).Final(); got[0] != 1 {
		t.Errorf("a token that is not there removes %v", got)
	}
}
