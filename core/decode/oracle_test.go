package decode

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"decodingplayground/core/golden"
	"decodingplayground/core/gpt2"
	"decodingplayground/core/lm"
	"decodingplayground/core/lm/table"
	"decodingplayground/core/logits"
	"decodingplayground/core/spec"
)

// oracleCase is what the files of the oracle have in common.
type oracleCase struct {
	ID        string      `json:"id"`
	Model     string      `json:"model"`
	Prompt    []int       `json:"prompt"`
	Args      golden.Args `json:"args"`
	Sequence  []int       `json:"sequence"`
	Sequences [][]int     `json:"sequences"`
	Scores    golden.Row  `json:"scores"`
}

var loaded = map[string]*remembering{}

// oracleModel loads a model of the folder once, or gives nil where the folder
// lacks it.
func oracleModel(t testing.TB, name string) lm.Model {
	t.Helper()
	if m, ok := loaded[name]; ok {
		if m.texts > maxTexts {
			m.forget()
		}
		return m
	}
	var m lm.Model
	switch {
	case slices.Contains(golden.Models(t), name):
		cfg, err := gpt2.ParseConfig(golden.Config(t, name))
		if err != nil {
			t.Fatal(err)
		}
		file := golden.Safetensors(t, name)
		weights, err := gpt2.OpenSafetensors(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if m, err = gpt2.Load(cfg, weights, gpt2.Quantisation{Bits: 32}); err != nil {
			t.Fatal(err)
		}
	case slices.Contains(golden.Tables(t), name):
		d := golden.Table(t, name)
		var err error
		if m, err = table.NewPairs(table.Pairs{A: d.A, B: d.B, H: d.H, G: d.G}); err != nil {
			t.Fatal(err)
		}
	}
	if m == nil {
		return nil
	}
	loaded[name] = newRemembering(m)
	return loaded[name]
}

// hfPipeline is the pipeline of generate's parameters, in the default order.
func hfPipeline(t testing.TB, a golden.Args) logits.Pipeline {
	t.Helper()
	var p logits.Pipeline
	for _, k := range logits.Kinds {
		if !a.Has(k.Name) {
			continue
		}
		stage, err := logits.Make(k.Name, hfStage(t, k.Name, a))
		if err != nil {
			t.Fatal(err)
		}
		p = append(p, stage)
	}
	return p
}

func hfStage(t testing.TB, name string, a golden.Args) spec.Args {
	t.Helper()
	var list []spec.Sequence
	switch name {
	case "exponential_decay_length_penalty":
		var pair []float64
		a.Get(t, name, &pair)
		return spec.Args{Num: map[string]float64{"start_index": pair[0], "decay_factor": pair[1]}}
	case "bad_words_ids":
		var words [][]int
		a.Get(t, name, &words)
		for _, ids := range words {
			list = append(list, spec.Sequence{IDs: ids})
		}
	case "sequence_bias":
		var pairs [][2]json.RawMessage
		a.Get(t, name, &pairs)
		for _, pair := range pairs {
			var s spec.Sequence
			if err := json.Unmarshal(pair[0], &s.IDs); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(pair[1], &s.Bias); err != nil {
				t.Fatal(err)
			}
			list = append(list, s)
		}
	case "suppress_tokens", "begin_suppress_tokens", "forced_bos_token_id", "forced_eos_token_id":
		list = []spec.Sequence{{IDs: a.Ints(t, name)}}
	default:
		return spec.Args{Num: map[string]float64{name: a.Num(t, name, 0)}}
	}
	return spec.Args{Seq: map[string][]spec.Sequence{name: list}}
}

// hfSettings are the settings of generate's parameters for a strategy, whose
// own parameters are taken from them, too.
func hfSettings(t testing.TB, kind string, a golden.Args, own map[string]float64) Settings {
	t.Helper()
	k, err := Find(kind)
	if err != nil {
		t.Fatal(err)
	}
	args := spec.Args{Num: map[string]float64{}, Seq: map[string][]spec.Sequence{}}
	for _, p := range k.Params {
		if a.Has(p.Name) && p.Type != spec.Choice {
			args.Num[p.Name] = a.Num(t, p.Name, 0)
		}
	}
	if i := slices.Index([]string{"false", "true", `"never"`}, string(a["early_stopping"])); i > 0 {
		args.Num["early_stopping"] = float64(i)
	}
	maps.Copy(args.Num, own)
	strategy, err := k.Make(args)
	if err != nil {
		t.Fatalf("%s %v: %v", kind, a, err)
	}
	return Settings{
		Strategy: strategy, Pipeline: hfPipeline(t, a), Die: -1, EOS: a.Ints(t, "eos_token_id"),
		MaxNewTokens: a.Int(t, "max_new_tokens", 0), MaxLength: a.Int(t, "max_length", 0),
	}
}

// opened is a session whose prompt is read.
func opened(t testing.TB, m lm.Model, prompt []int, set Settings) *Session {
	t.Helper()
	s, err := Open(m, prompt, set)
	if err != nil {
		t.Fatal(err)
	}
	feedAll(t, s)
	return s
}

func feedAll(t testing.TB, s *Session) {
	t.Helper()
	for !s.Ready() {
		if _, _, err := s.Feed(MaxFeed); err != nil {
			t.Fatal(err)
		}
	}
}

// run steps until the session stops.
func finish(t testing.TB, s *Session) {
	t.Helper()
	for {
		moved, err := s.Step()
		if err != nil {
			t.Fatal(err)
		}
		if !moved {
			return
		}
	}
}

// newIDs are the tokens after the prompt.
func newIDs(s *Session, h *Hypothesis) []int { return h.Sequence()[len(s.Prompt()):] }

// each calls f for the cases of a file whose model the folder has.
func each[C any](t *testing.T, file, kind string, of func(*C) *oracleCase, f func(m lm.Model, c *C)) {
	t.Helper()
	var doc struct{ Cases []C }
	golden.Read(t, file, &doc)
	for i := range doc.Cases {
		c := of(&doc.Cases[i])
		m := oracleModel(t, c.Model)
		if m == nil {
			golden.LeftOutModel(t, file, kind, c.Model)
			continue
		}
		f(m, &doc.Cases[i])
		golden.Count(t, file, kind, 1)
	}
}

func plain(c *oracleCase) *oracleCase { return c }

func checkText(t *testing.T, s *Session, c *oracleCase) {
	t.Helper()
	if got := newIDs(s, s.Best()); !slices.Equal(got, c.Sequence) {
		t.Errorf("%s %s: %v, want %v", c.ID, c.Model, got, c.Sequence)
	}
}
