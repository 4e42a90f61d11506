package decode

import (
	"testing"

	"decodingplayground/core/golden"
	"decodingplayground/core/lm"
)

type greedyCase struct {
	oracleCase
	StepScores []golden.Row `json:"step_scores"`
}

func TestOracleGreedy(t *testing.T) {
	each(t, "greedy.json", "greedy", func(c *greedyCase) *oracleCase { return &c.oracleCase }, func(m lm.Model, c *greedyCase) {
		s := opened(t, m, c.Prompt, hfSettings(t, "greedy", c.Args, nil))
		finish(t, s)
		checkText(t, s, &c.oracleCase)
		for i, want := range c.StepScores {
			seen, err := s.View(i)
			if err != nil {
				t.Fatal(err)
			}
			for id, score := range seen[0].Trace.Final() {
				if !golden.Near(float64(score), float64(want[id]), golden.Tolerance{Abs: golden.Logit.Abs, Rel: golden.Processed.Rel}) {
					t.Fatalf("%s step %d: score of %d is %v, want %v", c.ID, i, id, score, want[id])
				}
			}
		}
	})
}

// One beam, and one beam drawn at temperature 0, are greedy search.
func TestOracleGreedyAsOneBeam(t *testing.T) {
	each(t, "greedy.json", "beam with one beam", plain, func(m lm.Model, c *oracleCase) {
		s := opened(t, m, c.Prompt, hfSettings(t, "beam", c.Args, map[string]float64{"num_beams": 1}))
		finish(t, s)
		checkText(t, s, c)
	})
}
