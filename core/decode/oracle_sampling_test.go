package decode

import (
	"math"
	"slices"
	"testing"

	"decodingplayground/core/golden"
	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
)

type samplingCase struct {
	oracleCase
	Steps []struct {
		NKept   int `json:"n_kept"`
		Entropy float64
		IDs     []int
		Probs   golden.Row
		Forced  int
		Fragile bool
	}
}

func TestOracleSampling(t *testing.T) {
	each(t, "sampling.json", "sampling", func(c *samplingCase) *oracleCase { return &c.oracleCase }, func(m lm.Model, c *samplingCase) {
		s := opened(t, m, c.Prompt, hfSettings(t, "sampling", c.Args, nil))
		for i, want := range c.Steps {
			final := finalScores(t, s)
			if !want.Fragile {
				probs := logits.Softmax[float64](nil, final)
				kept := len(logits.Order(nil, final))
				if kept != want.NKept {
					t.Errorf("%s step %d: %d kept, want %d", c.ID, i, kept, want.NKept)
				}
				for j, id := range want.IDs {
					if !golden.Near(probs[id], float64(want.Probs[j]), golden.Prob) {
						t.Errorf("%s step %d: probability of %d is %v, want %v", c.ID, i, id, probs[id], want.Probs[j])
					}
				}
				if got := logits.Entropy(final) * math.Ln2; !golden.Near(got, want.Entropy, golden.Logit) {
					t.Errorf("%s step %d: entropy %v nats, want %v", c.ID, i, got, want.Entropy)
				}
			}
			if err := s.Force(want.Forced); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// finalScores are the scores of the next token after the pipeline.
func finalScores(t *testing.T, s *Session) []float32 {
	t.Helper()
	seen, err := s.View(-1)
	if err != nil {
		t.Fatal(err)
	}
	return seen[0].Trace.Final()
}

type replayCase struct {
	oracleCase
	Steps []struct {
		FlatIndex       []int `json:"flat_index"`
		Probs           golden.Row
		Drawn           []int
		BeamScoresAfter golden.Row `json:"beam_scores_after"`
	}
}

func TestOracleSamplingReplay(t *testing.T) {
	each(t, "sampling_replay.json", "sampling and beam_sampling", func(c *replayCase) *oracleCase { return &c.oracleCase }, func(m lm.Model, c *replayCase) {
		if c.Args.Int(t, "num_beams", 1) > 1 {
			replayBeams(t, m, c)
			return
		}
		s := opened(t, m, c.Prompt, hfSettings(t, "sampling", c.Args, nil))
		for i, want := range c.Steps {
			probs := logits.Softmax[float64](nil, finalScores(t, s))
			for j, id := range want.FlatIndex {
				if !golden.Near(probs[id], float64(want.Probs[j]), golden.Prob) {
					t.Errorf("%s step %d: probability of %d is %v, want %v", c.ID, i, id, probs[id], want.Probs[j])
				}
			}
			// A die in the middle of the token's place draws it.
			d := place(finalScores(t, s), want.Drawn[0])
			set := s.Settings()
			set.Die = (d.low + d.high) / 2
			if err := s.Retune(set); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Step(); err != nil {
				t.Fatal(err)
			}
		}
		c.Sequence = c.Sequences[0]
		checkText(t, s, &c.oracleCase)
	})
}

// replayBeams hands the recorded draws to beam sampling. The rules are those of
// 4.46, which made the record.
func replayBeams(t *testing.T, m lm.Model, c *replayCase) {
	t.Helper()
	set := hfSettings(t, "beam_sampling", c.Args, map[string]float64{"rules": 1})
	step := 0
	vocab := m.Info().Vocab
	b := set.Strategy.(beamSampling)
	b.choose = func(live []*Hypothesis, all []candidate, _ int) []candidate {
		want := c.Steps[step]
		flat := map[int]candidate{}
		var lse float64
		for _, one := range all {
			flat[slices.Index(live, one.h)*vocab+one.id] = one
			lse += math.Exp(one.score - all[0].score)
		}
		lse = all[0].score + math.Log(lse)
		for j, index := range want.FlatIndex {
			if p := math.Exp(flat[index].score - lse); !golden.Near(p, float64(want.Probs[j]), golden.Prob) {
				t.Errorf("%s step %d: probability of %d is %v, want %v", c.ID, step, index, p, want.Probs[j])
			}
		}
		var chosen []candidate
		for _, index := range want.Drawn {
			// Where too few tokens are left, torch draws impossible ones.
			if one, ok := flat[index]; ok {
				chosen = append(chosen, one)
			}
		}
		return chosen
	}
	set.Strategy = b
	s := opened(t, m, c.Prompt, set)
	for moved := true; moved; step++ {
		var err error
		if moved, err = s.Step(); err != nil {
			t.Fatal(err)
		}
		if !moved || step+1 == len(c.Steps) {
			continue
		}
		for i, h := range s.newest().Live {
			if want := float64(c.Steps[step].BeamScoresAfter[i]); !golden.Near(h.Score, want, golden.SequenceScore) {
				t.Errorf("%s step %d: beam %d has %v, want %v", c.ID, step, i, h.Score, want)
			}
		}
	}
	for i, h := range s.Results() {
		if got := newIDs(s, h); !slices.Equal(got, c.Sequences[i]) || !golden.Near(h.Final, float64(c.Scores[i]), golden.SequenceScore) {
			t.Errorf("%s: text %d is %v %v, want %v %v", c.ID, i, got, h.Final, c.Sequences[i], c.Scores[i])
		}
	}
}
