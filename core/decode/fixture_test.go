package decode

import (
	"testing"

	"decodingplayground/core/golden"
	"decodingplayground/core/lm"
	"decodingplayground/core/lm/table"
	"decodingplayground/core/logits"
	"decodingplayground/core/spec"
)

// someTable is a table model of the oracle, with its EOS.
func someTable(t testing.TB) (lm.Model, int) {
	t.Helper()
	names := golden.Tables(t)
	if len(names) == 0 {
		t.Skip("the oracle folder has no table model")
	}
	d := golden.Table(t, names[0])
	m, err := table.NewPairs(table.Pairs{A: d.A, B: d.B, H: d.H, G: d.G})
	if err != nil {
		t.Fatal(err)
	}
	return m, d.EOS
}

// toy has five words. Greedy search misses its best text, two beams find it.
func toy(t testing.TB) (lm.Model, table.Toy) {
	t.Helper()
	v := table.Toy{
		Prompt: "We went to", Vocab: []string{".", "Paris", "Rome", "a", "the"},
		Start: []float32{-3.91, -2.3, -3.51, -0.92, -0.8},
		Rows: map[string][]float32{
			"Paris": {-0.11, -4.61, -3.91, -3.51, -3.22},
			"Rome":  {-0.11, -3.22, -4.61, -3.51, -3.91},
			"a":     {-3.69, -2.53, -0.16, -4.2, -3.51},
			"the":   {-1.61, -1.05, -1.2, -2.3, -3.0},
		},
		Hidden:        [][]float32{{-0.9397, -0.342}, {0.9397, 0.342}, {0.766, 0.6428}, {-0.342, 0.9397}, {-0.5, 0.866}},
		HiddenContext: []float32{0, -1},
	}
	m, err := table.NewToy(v)
	if err != nil {
		t.Fatal(err)
	}
	return m, v
}

func made(t testing.TB, kind string, num map[string]float64) Strategy {
	t.Helper()
	k, err := Find(kind)
	if err != nil {
		t.Fatal(err)
	}
	s, err := k.Make(spec.Args{Num: num})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func stageOf(t testing.TB, name string, value float64) logits.Stage {
	t.Helper()
	s, err := logits.Make(name, spec.Args{Num: map[string]float64{name: value}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// settingsOf are usual settings for a kind: a penalty, a filter, an EOS, the
// model itself as the draft.
func settingsOf(t testing.TB, kind string, m lm.Model, eos int) Settings {
	t.Helper()
	return Settings{
		Strategy: made(t, kind, nil),
		Pipeline: logits.Pipeline{stageOf(t, "repetition_penalty", 1.2), stageOf(t, "temperature", 0.9), stageOf(t, "top_k", 20)},
		Seed:     7, Die: -1, MaxNewTokens: 20, EOS: []int{eos}, Draft: m,
	}
}

var somePrompt = []int{28, 55, 54, 32, 31, 28, 55}

// counting counts what a model is asked.
type counting struct {
	lm.Model
	forwards, heads int
}

func (c *counting) Forward(batch ...lm.Input) ([]lm.Output, error) {
	c.forwards++
	return c.Model.Forward(batch...)
}

func (c *counting) Head(hidden ...[]float32) [][]float32 {
	c.heads++
	return c.Model.Head(hidden...)
}
