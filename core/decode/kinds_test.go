package decode

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"decodingplayground/core/golden"
	"decodingplayground/core/spec"
)

// rowsOf says where each kind's recorded results are, or why there are none.
// The tests TestOracle… run them all.
var rowsOf = map[string]struct {
	file string
	why  string
}{
	"greedy":        {file: "greedy.json"},
	"sampling":      {file: "sampling.json"},
	"beam":          {file: "beam.json"},
	"beam_sampling": {file: "sampling_replay.json"},
	"group_beam":    {file: "group_beam.json"},
	"contrastive":   {file: "contrastive.json"},
	"dola":          {file: "dola.json"},
	"prompt_lookup": {file: "speculative.json"},
	"assisted":      {file: "speculative.json"},
	"mirostat":      {why: "transformers has no mirostat; rows computed by hand are in TestZipfCut and TestMirostatMoves"},
	"mirostat_v2":   {why: "transformers has no mirostat; rows computed by hand are in TestSurpriseCut and TestMirostatMoves"},
}

func TestEveryKindHasRows(t *testing.T) {
	for _, k := range Kinds {
		rows, known := rowsOf[k.Name]
		switch {
		case !known || rows.file == "" && rows.why == "":
			t.Errorf("%s has neither rows nor a reason", k.Name)
		case rows.why != "":
			t.Logf("%s: %s", k.Name, rows.why)
		case !golden.HasFile(t, rows.file):
			golden.LeftOut(t, rows.file, k.Name, 0, "the folder has no such file")
		default:
			var doc struct{ Cases []json.RawMessage }
			golden.Read(t, rows.file, &doc)
			if len(doc.Cases) == 0 {
				t.Errorf("%s has no rows in %s", k.Name, rows.file)
			}
		}
	}
	for name := range rowsOf {
		if _, err := Find(name); err != nil {
			t.Errorf("rows of a kind that does not exist: %v", err)
		}
	}
}

func TestKindsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds {
		if seen[k.Name] {
			t.Errorf("%s stands twice", k.Name)
		}
		seen[k.Name] = true
		if k.Label == "" || k.Group == "" || k.Doc == "" || k.Formula == "" || k.Source == "" {
			t.Errorf("%s lacks a label, group, doc, formula or source", k.Name)
		}
		if _, err := k.Make(spec.Args{}); err != nil {
			t.Errorf("%s with its defaults: %v", k.Name, err)
		}
		for _, p := range k.Params {
			checkParam(t, k, p)
		}
	}
}

// checkParam tries the ends of a parameter's range and what lies outside.
func checkParam(t *testing.T, k Kind, p spec.Param) {
	t.Helper()
	if p.Label == "" || p.Doc == "" || p.Type == "" {
		t.Errorf("%s %s lacks a label, doc or type", k.Name, p.Name)
	}
	if p.Type == spec.Sequences {
		return
	}
	if p.Low < p.Min || p.High > p.Max || p.Default < p.Min || p.Default > p.Max || p.Step <= 0 {
		t.Errorf("%s %s: slider %v to %v by %v, default %v, range %s", k.Name, p.Name, p.Low, p.High, p.Step, p.Default, p.Range())
	}
	if p.Type == spec.Choice && len(p.Choices) != int(p.Max)+1 {
		t.Errorf("%s %s: %d choices, largest index %v", k.Name, p.Name, len(p.Choices), p.Max)
	}
	for _, v := range []float64{p.Min - 1, p.Max + 1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err := k.Make(spec.Args{Num: map[string]float64{p.Name: v}})
		if err == nil || !strings.HasPrefix(err.Error(), p.Name+": ") {
			t.Errorf("%s with %s %v: %v, want an error that names it", k.Name, p.Name, v, err)
		}
	}
}

func TestKindsRefuse(t *testing.T) {
	for _, c := range []struct {
		kind string
		num  map[string]float64
		want string
	}{
		{"beam", map[string]float64{"num_beams": 2, "num_return_sequences": 3}, "num_return_sequences: 3, want at most num_beams, 2"},
		{"group_beam", map[string]float64{"num_beams": 4, "num_beam_groups": 3}, "num_beam_groups: 3, want a divisor of num_beams, 4"},
		{"dola", map[string]float64{"dola_layers": 2}, "dola_layer_list: empty, want at least one layer"},
		{"greedy", map[string]float64{"num_beams": 2}, "num_beams: no such number here"},
		{"beam", map[string]float64{"num_beams": 2.5}, "num_beams: 2.5, want a whole number"},
	} {
		k, err := Find(c.kind)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.Make(spec.Args{Num: c.num}); err == nil || err.Error() != c.want {
			t.Errorf("%s %v: %v, want %q", c.kind, c.num, err, c.want)
		}
	}
	if _, err := Find("nucleus"); err == nil || !strings.Contains(err.Error(), `strategy: "nucleus", want one of [greedy `) {
		t.Errorf("an unknown kind: %v", err)
	}
}

func TestTraits(t *testing.T) {
	var samples, beams []string
	for _, k := range Kinds {
		if k.Traits().Samples {
			samples = append(samples, k.Name)
		}
		if k.Traits().Beams {
			beams = append(beams, k.Name)
		}
	}
	if want := []string{"sampling", "beam_sampling", "mirostat", "mirostat_v2"}; !slices.Equal(samples, want) {
		t.Errorf("%v sample, want %v", samples, want)
	}
	if want := []string{"beam", "beam_sampling", "group_beam"}; !slices.Equal(beams, want) {
		t.Errorf("%v follow several texts, want %v", beams, want)
	}
}

func TestDoLaOnAModelOfTooFewLayers(t *testing.T) {
	m, eos := someTable(t)
	set := settingsOf(t, "dola", m, eos)
	set.Strategy = dola{layers: "list", list: []int{3}}
	s := opened(t, m, somePrompt, set)
	if _, err := s.Step(); err == nil || !strings.HasPrefix(err.Error(), "dola_layers: ") {
		t.Errorf("layer 3 of a model with one: %v", err)
	}
	if s.Steps() != 0 {
		t.Error("a failed step was kept")
	}
}
