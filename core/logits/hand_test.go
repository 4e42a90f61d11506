package logits

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"decodingplayground/core/golden"
	"decodingplayground/core/spec"
)

// handRow is a row of testdata/hand.json, computed by hand; why says how. A row
// gives scores (in, out) or probabilities (probs, out_probs).
type handRow struct {
	Kind      string                     `json:"kind"`
	Why       string                     `json:"why"`
	Num       map[string]float64         `json:"num"`
	Seq       map[string][]spec.Sequence `json:"seq"`
	IDs       []int                      `json:"ids"`
	PromptLen int                        `json:"prompt_len"`
	MaxLength int                        `json:"max_length"`
	EOS       []int                      `json:"eos"`
	Coin      float64                    `json:"coin"`
	Without   golden.Row                 `json:"without"`
	In        golden.Row                 `json:"in"`
	Out       golden.Row                 `json:"out"`
	Probs     []float64                  `json:"probs"`
	OutProbs  []float64                  `json:"out_probs"`
}

func handRows(t testing.TB) []handRow {
	t.Helper()
	data, err := os.ReadFile("testdata/hand.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []handRow
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

func (r handRow) context() Context {
	c := Context{IDs: r.IDs, PromptLen: r.PromptLen, MaxLength: r.MaxLength, EOS: r.EOS, Coin: r.Coin}
	if r.Without != nil {
		c.Without = func([]int) []float32 { return r.Without.Floats() }
	}
	return c
}

func (r handRow) scores() []float32 {
	if r.Probs == nil {
		return r.In.Floats()
	}
	scores := make([]float32, len(r.Probs))
	for i, p := range r.Probs {
		scores[i] = float32(math.Log(p))
	}
	return scores
}

func TestHandRows(t *testing.T) {
	for _, r := range handRows(t) {
		what := fmt.Sprintf("%s, %s", r.Kind, r.Why)
		s, err := Make(r.Kind, spec.Args{Num: r.Num, Seq: r.Seq})
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		got := Pipeline{s}.Run(r.context(), r.scores()).Final()
		if r.Probs == nil {
			golden.Close(t, what, got, r.Out.Floats(), golden.Tolerance{Abs: 1e-6, Rel: 1e-6})
		} else {
			golden.Close(t, what, Softmax([]float64(nil), got), r.OutProbs, golden.Tolerance{Abs: 1e-6})
		}
		golden.Count(t, "testdata/hand.json", r.Kind, 1)
	}
}

// Every kind has rows that say what it does: recorded from transformers or
// computed by hand.
func TestEveryKindHasRows(t *testing.T) {
	var doc processFile
	golden.Read(t, "process.json", &doc)
	recorded, byHand := map[string]int{}, map[string]int{}
	for _, c := range doc.Cases {
		for _, k := range c.Order {
			recorded[k]++
		}
	}
	for _, c := range doc.Special {
		for k := range c.Params {
			recorded[k]++
		}
	}
	for _, r := range handRows(t) {
		byHand[r.Kind]++
	}
	for _, k := range Kinds {
		t.Logf("%-34s %4d recorded %3d by hand", k.Name, recorded[k.Name], byHand[k.Name])
		if recorded[k.Name]+byHand[k.Name] == 0 {
			t.Errorf("%s has no rows", k.Name)
		}
	}
}
