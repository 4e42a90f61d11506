package chart

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata again")

// example is a step and three panes with all that a real one has: ties, a
// nucleus, a crossing, gaps.
func example() Input {
	model := zipf(50257, 1.1)
	entering := Descending(zipf(40, 1.3))
	nan := math.NaN()
	return Input{
		Step: Step{Model: model, Entering: entering, K: 40, TopK: 40, TopP: 0.9, Kept: 19},
		Panes: []Pane{
			{Letter: "A", Entropy: []float64{5.5, 2, 0.25}, Nucleus: []float64{120, 8, 1}, Surprise: []float64{3.1, 0.5, 9}},
			{Letter: "B", Entropy: []float64{5.5, nan, 4}, Nucleus: []float64{120, nan, 57}, Surprise: []float64{0.1, nan, 2}},
			{Letter: "C"},
		},
		Own: 1,
		At:  3,
		Draws: []Outcome{
			{Label: " mouse", Expected: 0.339, Drawn: 0.35},
			{Label: " bird", Expected: 0.206, Drawn: 0.19},
			{Label: "\n", Expected: 0.125, Drawn: nan},
		},
	}
}

// zipf is a row of n probabilities that fall as rank^-power.
func zipf(n int, power float64) []float32 {
	row := make([]float32, n)
	sum := 0.0
	for i := range row {
		sum += math.Pow(float64(i+1), -power)
	}
	for i := range row {
		row[i] = float32(math.Pow(float64(i+1), -power) / sum)
	}
	return row
}

func TestGolden(t *testing.T) {
	for _, c := range All {
		t.Run(c.Name, func(t *testing.T) {
			option, err := c.Option(example())
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := json.Indent(&got, option, "", " "); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", c.Name+".json")
			if *update {
				if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s differs; go test -update writes it again", file)
			}
		})
	}
}

func TestFind(t *testing.T) {
	for _, c := range All {
		if found, err := Find(c.Name); err != nil || found.Title != c.Title {
			t.Errorf("Find(%q): %q, %v", c.Name, found.Title, err)
		}
		if c.Title == "" || c.Doc == "" {
			t.Errorf("%s: no title or doc", c.Name)
		}
	}
	if _, err := Find("pie"); err == nil || err.Error() != `unknown chart "pie"` {
		t.Errorf("error %v", err)
	}
}

// TestStrangeNumbers: whatever the numbers are, there is a picture.
func TestStrangeNumbers(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	bad := []float64{nan, inf, -inf, -1, 0, 1e308}
	bad32 := []float32{float32(nan), float32(inf), float32(-inf), -1, 0, 0.5}
	pane := Pane{Letter: "A", Entropy: bad, Nucleus: bad, Surprise: bad}
	for name, in := range map[string]Input{
		"zero":         {},
		"nothing":      {Own: -1, Step: Step{TopP: 1}},
		"bad rows":     {Step: Step{Model: bad32, Entering: bad32, TopP: 0.5, TopK: 3, Kept: 2}},
		"bad panes":    {Panes: []Pane{pane, pane}, At: 2},
		"outside":      {Panes: []Pane{pane}, Own: 7, At: 99, Step: Step{Model: bad32, Kept: 99, TopK: 99, TopP: 0.5}},
		"negative":     {Own: -5, At: -1, Step: Step{Model: bad32, Kept: -1, TopK: -1, TopP: -1}},
		"NaN p":        {Step: Step{Model: bad32, TopP: nan, Kept: 1}},
		"-Inf p":       {Step: Step{Model: bad32, TopP: -inf, Kept: 1}},
		"all removed":  {Step: Step{Model: slices.Repeat([]float32{float32(-inf)}, 100), TopP: 0.9, Kept: 1}},
		"one token":    {Step: Step{Model: []float32{1}, TopP: 0.9, Kept: 1}},
		"bad outcomes": {Draws: []Outcome{{"", nan, inf}, {"", -inf, -1}}},
	} {
		for _, c := range All {
			option, err := c.Option(in)
			if err != nil {
				t.Errorf("%s, %s: %v", name, c.Name, err)
			} else if !json.Valid(option) {
				t.Errorf("%s, %s: no JSON", name, c.Name)
			}
		}
	}
}

// TestHostileLabels: what a user or a vocabulary says comes out as a string.
func TestHostileLabels(t *testing.T) {
	for _, label := range []string{
		"</script><script>alert(1)</script>", "__f__alert(1)__f__", "__f__function(){}__f__", "--kept", "{value}", "\u2028", "\"}],", "\x00\xff",
	} {
		in := Input{
			Panes: []Pane{{Letter: label, Entropy: []float64{1}, Nucleus: []float64{1}, Surprise: []float64{1}}},
			Draws: []Outcome{{label, 0.5, 0.5}},
		}
		want := strings.ToValidUTF8(label, "\ufffd")
		for _, c := range All {
			option, err := c.Option(in)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(option, []byte("</script")) {
				t.Errorf("%s: %q is not escaped", c.Name, label)
			}
			var o struct {
				XAxis  []struct{ Data []string }
				Series []struct{ Name string }
			}
			if err := json.Unmarshal(option, &o); err != nil {
				t.Fatalf("%s, %q: %v", c.Name, label, err)
			}
			var got string
			switch c.Name {
			case "cumulative":
				continue // has no labels of others
			case "draws":
				got = o.XAxis[0].Data[0]
			default:
				got = o.Series[0].Name
			}
			if got != want {
				t.Errorf("%s: label %q, want %q", c.Name, got, want)
			}
		}
	}
}

// TestColours: every colour is a custom property, nothing else is a colour.
func TestColours(t *testing.T) {
	property := regexp.MustCompile(`^--[a-z0-9-]+$`)
	var walk func(t *testing.T, key string, v any)
	walk = func(t *testing.T, key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, inner := range v {
				walk(t, k, inner)
			}
		case []any:
			for _, inner := range v {
				walk(t, key, inner)
			}
		case string:
			isColour := slices.Contains([]string{"color", "borderColor", "backgroundColor"}, key)
			if isColour != property.MatchString(v) {
				t.Errorf("%s: %q", key, v)
			}
		}
	}
	for _, c := range All {
		t.Run(c.Name, func(t *testing.T) {
			option, err := c.Option(example())
			if err != nil {
				t.Fatal(err)
			}
			var v any
			if err := json.Unmarshal(option, &v); err != nil {
				t.Fatal(err)
			}
			walk(t, "", v)
		})
	}
}

// TestPageNeeds: what a page lays over the plot hangs on these.
func TestPageNeeds(t *testing.T) {
	pixels := regexp.MustCompile(`^\d+$`)
	for _, c := range All {
		option, err := c.Option(example())
		if err != nil {
			t.Fatal(err)
		}
		var o struct {
			Animation *bool
			Grid      []struct{ Left, Top, Right, Bottom string }
			Legend    any
		}
		if err := json.Unmarshal(option, &o); err != nil {
			t.Fatal(err)
		}
		if o.Animation == nil || *o.Animation {
			t.Errorf("%s: animation is not off", c.Name)
		}
		if o.Legend != nil {
			t.Errorf("%s: a legend, want none", c.Name)
		}
		if len(o.Grid) != 1 {
			t.Fatalf("%s: %d grids, want 1", c.Name, len(o.Grid))
		}
		for _, margin := range []string{o.Grid[0].Left, o.Grid[0].Top, o.Grid[0].Right, o.Grid[0].Bottom} {
			if !pixels.MatchString(margin) {
				t.Errorf("%s: margin %q, want pixels", c.Name, margin)
			}
		}
	}
}

func BenchmarkCumulative(b *testing.B) {
	in := example()
	for b.Loop() {
		if _, err := cumulative.Option(in); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDescending(b *testing.B) {
	row := zipf(50257, 1.1)
	for i := range row { // as out of order as ids are
		j := i * 48271 % len(row)
		row[i], row[j] = row[j], row[i]
	}
	for b.Loop() {
		Descending(row)
	}
}
