package decode

import (
	"encoding/json"
	"slices"
	"testing"

	"decodingplayground/core/golden"
	"decodingplayground/core/lm"
)

type beamCase struct {
	oracleCase
	Steps int // by the rules of 4.46
}

func TestOracleBeam(t *testing.T) {
	common := func(c *beamCase) *oracleCase { return &c.oracleCase }
	for _, file := range []string{"beam", "beam_stop"} {
		newer := golden.V5(t, file)
		each(t, file+".json", "beam by the rules of 4.46", common, func(m lm.Model, c *beamCase) {
			s := checkSearch(t, m, &c.oracleCase, hfSettings(t, "beam", c.Args, map[string]float64{"rules": 1}))
			if s.Steps() != c.Steps {
				t.Errorf("%s: %d steps, want %d", c.ID, s.Steps(), c.Steps)
			}
		})
		if !golden.HasFile(t, "v5_differences.json") {
			golden.LeftOut(t, file+".json", "beam by the rules of 5.x", 0, "the folder does not have 5.x's results")
			continue
		}
		each(t, file+".json", "beam by the rules of 5.x", plain, func(m lm.Model, c *oracleCase) {
			if raw, ok := newer[c.ID]; ok {
				c.Sequences, c.Scores = nil, nil
				if err := json.Unmarshal(raw, c); err != nil {
					t.Fatal(err)
				}
				golden.Count(t, "v5_differences.json", file+" by the rules of 5.x", 1)
			}
			checkSearch(t, m, c, hfSettings(t, "beam", c.Args, nil))
		})
	}
}

func TestOracleGroupBeam(t *testing.T) {
	each(t, "group_beam.json", "group_beam", plain, func(m lm.Model, c *oracleCase) {
		checkSearch(t, m, c, hfSettings(t, "group_beam", c.Args, nil))
	})
}

// checkSearch runs a beam search and compares texts and scores.
func checkSearch(t *testing.T, m lm.Model, c *oracleCase, set Settings) *Session {
	t.Helper()
	s := opened(t, m, c.Prompt, set)
	finish(t, s)
	results := s.Results()
	if len(results) != len(c.Sequences) {
		t.Errorf("%s %s: %d texts, want %d", c.ID, c.Model, len(results), len(c.Sequences))
		return s
	}
	for i, h := range results {
		if got := newIDs(s, h); !slices.Equal(got, c.Sequences[i]) {
			t.Errorf("%s %s: text %d is %v, want %v", c.ID, c.Model, i, got, c.Sequences[i])
		} else if len(c.Scores) > 0 && !golden.Near(h.Final, float64(c.Scores[i]), golden.SequenceScore) {
			t.Errorf("%s %s: score %d is %v, want %v", c.ID, c.Model, i, h.Final, c.Scores[i])
		}
	}
	return s
}

type traceCase struct {
	oracleCase
	Steps []struct {
		Group      int
		BeamsIn    [][]int `json:"beams_in"`
		Candidates [][3]float64
		Next       [][3]float64
		Finished   []struct {
			Tokens []int
			Score  float64
		}
		Done bool
	}
}

func TestOracleBeamTrace(t *testing.T) {
	each(t, "beam_trace.json", "beam and group_beam", func(c *traceCase) *oracleCase { return &c.oracleCase }, func(m lm.Model, c *traceCase) {
		kind, own := "beam", map[string]float64{"rules": 1}
		groups := c.Args.Int(t, "num_beam_groups", 1)
		if groups > 1 {
			kind, own = "group_beam", nil
		}
		s := checkSearch(t, m, &c.oracleCase, hfSettings(t, kind, c.Args, own))
		for i := range c.Steps {
			step := i/groups + 1
			if step > s.Steps() {
				t.Fatalf("%s: %d steps, want %d", c.ID, s.Steps(), len(c.Steps)/groups)
			}
			checkTraceStep(t, c, s, step, i)
		}
	})
}

// checkTraceStep compares the candidates of one group's step and what became
// of them.
func checkTraceStep(t *testing.T, c *traceCase, s *Session, step, i int) {
	t.Helper()
	want := c.Steps[i]
	var notes []Candidate
	for _, n := range s.Frontier(step).Candidates {
		if n.Child == nil || n.Child.Memo == nil || n.Child.Memo == group(want.Group) {
			notes = append(notes, n)
		}
	}
	if c.Args.Has("num_beam_groups") {
		// Pruned candidates do not say their group: compare those that stayed.
		notes = slices.DeleteFunc(notes, func(n Candidate) bool { return n.Child == nil })
		var ids []int
		for _, n := range notes {
			if n.State == Live {
				ids = append(ids, n.ID)
			}
		}
		for _, next := range want.Next {
			if len(ids) > 0 && !slices.Contains(ids, int(next[2])) {
				t.Errorf("%s step %d group %d: tokens %v, want %v among them", c.ID, step, want.Group, ids, next[2])
			}
		}
		return
	}
	live := 0
	for place, n := range notes {
		wanted := want.Candidates[place]
		parent := newIDs(s, n.Parent)
		if n.ID != int(wanted[2]) || !slices.Equal(parent, want.BeamsIn[int(wanted[1])]) {
			t.Errorf("%s step %d place %d: token %d after %v, want %v after %v", c.ID, step, place+1, n.ID, parent, wanted[2], want.BeamsIn[int(wanted[1])])
		}
		if !golden.Near(n.Score, wanted[0], golden.SequenceScore) {
			t.Errorf("%s step %d place %d: score %v, want %v", c.ID, step, place+1, n.Score, wanted[0])
		}
		if n.State == Live {
			if next := want.Next[live]; n.ID != int(next[2]) {
				t.Errorf("%s step %d: beam %d takes %d, want %v", c.ID, step, live, n.ID, next[2])
			}
			live++
		}
	}
	if step == s.Steps() {
		return // the record lacks what the end of the search adds
	}
	done := s.Frontier(step).Done
	if len(done) != len(want.Finished) {
		t.Fatalf("%s step %d: %d finished, want %d", c.ID, step, len(done), len(want.Finished))
	}
	for j, h := range done {
		ids := newIDs(s, h)
		if got, want := ids[:len(ids)-1], want.Finished[j]; !slices.Equal(got, want.Tokens) || !golden.Near(h.Final, want.Score, golden.SequenceScore) {
			t.Errorf("%s step %d: finished %v %v, want %v %v", c.ID, step, got, h.Final, want.Tokens, want.Score)
		}
	}
}
