package decode

import (
	"testing"

	"decodingplayground/core/lm"
)

func TestOracleGreedy(t *testing.T) {
	each(t, "greedy.json", "greedy", plain, func(m lm.Model, c *oracleCase) {
		s := opened(t, m, c.Prompt, hfSettings(t, "greedy", c.Args, nil))
		finish(t, s)
		checkText(t, s, c)
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
