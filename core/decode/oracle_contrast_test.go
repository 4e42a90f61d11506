package decode

import (
	"slices"
	"testing"

	"decodingplayground/core/golden"
	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
)

type contrastiveCase struct {
	oracleCase
	Steps []struct {
		Cand    []int
		Probs   golden.Row
		Penalty golden.Row
		Pick    int
	}
}

func TestOracleContrastive(t *testing.T) {
	each(t, "contrastive.json", "contrastive", func(c *contrastiveCase) *oracleCase { return &c.oracleCase }, func(m lm.Model, c *contrastiveCase) {
		s := opened(t, m, c.Prompt, hfSettings(t, "contrastive", c.Args, nil))
		finish(t, s)
		checkText(t, s, &c.oracleCase)
		for i, want := range c.Steps {
			if i >= s.Steps() {
				t.Fatalf("%s: %d steps, want %d", c.ID, s.Steps(), len(c.Steps))
			}
			seen, err := s.View(i)
			if err != nil {
				t.Fatal(err)
			}
			final := seen[0].Trace.Final()
			// The order of near ties is not told apart.
			got := logits.Top(nil, final, len(want.Cand))
			if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want.Cand))) {
				t.Errorf("%s step %d: candidates %v, want %v", c.ID, i, got, want.Cand)
			}
			probs := logits.Softmax[float64](nil, final)
			for _, n := range s.Frontier(i + 1).Candidates {
				j := slices.Index(want.Cand, n.ID)
				if j < 0 {
					continue
				}
				if !golden.Near(probs[n.ID], float64(want.Probs[j]), golden.Prob) || !golden.Near(n.Penalty, float64(want.Penalty[j]), golden.Prob) {
					t.Errorf("%s step %d: token %d has %v, penalty %v, want %v, %v", c.ID, i, n.ID, probs[n.ID], n.Penalty, want.Probs[j], want.Penalty[j])
				}
				if (n.State == Live) != (j == want.Pick) {
					t.Errorf("%s step %d: token %d is %s", c.ID, i, n.ID, n.State)
				}
			}
		}
	})
}

type dolaCase struct {
	oracleCase
	Layers []int
	Steps  []struct {
		NKept  int `json:"n_kept"`
		Top    []int
		Scores golden.Row
	}
}

func TestOracleDoLa(t *testing.T) {
	each(t, "dola.json", "dola", func(c *dolaCase) *oracleCase { return &c.oracleCase }, func(m lm.Model, c *dolaCase) {
		set := hfSettings(t, "dola", c.Args, nil)
		switch layers := string(c.Args["dola_layers"]); layers {
		case `"low"`, `"high"`:
			set.Strategy = dola{layers: layers[1 : len(layers)-1]}
		default:
			set.Strategy = dola{layers: "list", list: c.Args.Ints(t, "dola_layers")}
		}
		s := opened(t, m, c.Prompt, set)
		finish(t, s)
		checkText(t, s, &c.oracleCase)
		for i, want := range c.Steps {
			if i >= s.Steps() {
				t.Fatalf("%s: %d steps, want %d", c.ID, s.Steps(), len(c.Steps))
			}
			seen, err := s.View(i)
			if err != nil {
				t.Fatal(err)
			}
			final := seen[0].Trace.Final()
			if kept := len(logits.Order(nil, final)); kept != want.NKept {
				t.Errorf("%s step %d: %d kept, want %d", c.ID, i, kept, want.NKept)
			}
			for j, id := range want.Top {
				if !golden.Near(float64(final[id]), float64(want.Scores[j]), golden.Tolerance{Abs: 2e-4, Rel: 1e-5}) {
					t.Errorf("%s step %d: score of %d is %v, want %v", c.ID, i, id, final[id], want.Scores[j])
				}
			}
		}
	})
}
