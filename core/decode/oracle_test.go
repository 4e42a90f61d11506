package decode

import (
	"encoding/json"
	"slices"
	"testing"

	"decodingplayground/core/golden"
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

var loaded = map[string]lm.Model{}

// oracleModel loads a model of the folder once, or gives nil where the folder
// lacks it.
func oracleModel(t testing.TB, name string) lm.Model {
	t.Helper()
	if m, ok := loaded[name]; ok {
		return m
	}
	var m lm.Model
	switch {
	case slices.Contains(golden.Tables(t), name):
		d := golden.Table(t, name)
		var err error
		if m, err = table.NewPairs(table.Pairs{A: d.A, B: d.B, H: d.H, G: d.G}); err != nil {
			t.Fatal(err)
		}
	}
	loaded[name] = m
	return m
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
	for name, v := range own {
		args.Num[name] = v
	}
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
	for {
		if _, _, err := s.Feed(MaxFeed); err != nil {
			t.Fatal(err)
		}
		if s.Ready() {
			return s
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

func TestOracleGreedy(t *testing.T) {
	var doc struct{ Cases []oracleCase }
	golden.Read(t, "greedy.json", &doc)
	for _, c := range doc.Cases {
		m := oracleModel(t, c.Model)
		if m == nil {
			golden.LeftOutModel(t, "greedy.json", "greedy", c.Model)
			continue
		}
		s := opened(t, m, c.Prompt, hfSettings(t, "greedy", c.Args, nil))
		finish(t, s)
		if got := newIDs(s, s.Best()); !slices.Equal(got, c.Sequence) {
			t.Errorf("%s %s: %v, want %v", c.ID, c.Model, got, c.Sequence)
		}
		golden.Count(t, "greedy.json", "greedy", 1)
	}
}

func TestOracleBeam(t *testing.T) {
	for _, file := range []string{"beam", "beam_stop"} {
		var doc struct{ Cases []oracleCase }
		golden.Read(t, file+".json", &doc)
		newer := golden.V5(t, file)
		for _, c := range doc.Cases {
			m := oracleModel(t, c.Model)
			if m == nil {
				golden.LeftOutModel(t, file+".json", "beam", c.Model)
				continue
			}
			checkSearch(t, m, c, hfSettings(t, "beam", c.Args, map[string]float64{"rules": 1}))
			golden.Count(t, file+".json", "beam by the rules of 4.46", 1)
			if raw, ok := newer[c.ID]; ok {
				if err := json.Unmarshal(raw, &c); err != nil {
					t.Fatal(err)
				}
				golden.Count(t, "v5_differences.json", "beam by the rules of 5.x", 1)
			}
			checkSearch(t, m, c, hfSettings(t, "beam", c.Args, nil))
			golden.Count(t, file+".json", "beam by the rules of 5.x", 1)
		}
	}
}

func TestOracleGroupBeam(t *testing.T) {
	var doc struct{ Cases []oracleCase }
	golden.Read(t, "group_beam.json", &doc)
	for _, c := range doc.Cases {
		m := oracleModel(t, c.Model)
		if m == nil {
			golden.LeftOutModel(t, "group_beam.json", "group_beam", c.Model)
			continue
		}
		checkSearch(t, m, c, hfSettings(t, "group_beam", c.Args, nil))
		golden.Count(t, "group_beam.json", "group_beam", 1)
	}
}

// checkSearch runs a beam search and compares texts and scores.
func checkSearch(t *testing.T, m lm.Model, c oracleCase, set Settings) {
	t.Helper()
	s := opened(t, m, c.Prompt, set)
	finish(t, s)
	results := s.Results()
	if len(results) != len(c.Sequences) {
		t.Errorf("%s %s: %d texts, want %d", c.ID, c.Model, len(results), len(c.Sequences))
		return
	}
	for i, h := range results {
		if got := newIDs(s, h); !slices.Equal(got, c.Sequences[i]) {
			t.Errorf("%s %s: text %d is %v, want %v", c.ID, c.Model, i, got, c.Sequences[i])
		} else if !golden.Near(h.Final, float64(c.Scores[i]), golden.SequenceScore) {
			t.Errorf("%s %s: score %d is %v, want %v", c.ID, c.Model, i, h.Final, c.Scores[i])
		}
	}
}
