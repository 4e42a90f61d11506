package decode

import (
	"fmt"
	"slices"
	"testing"

	"decodingplayground/core/lm"
)

// A tree is whole: parents come before children, steps grow, every pruned node
// says why, and the chained ones spell the best text.
func TestTreeIsWhole(t *testing.T) {
	eachKind(t, func(t *testing.T, _ lm.Model, s *Session) {
		for {
			nodes := s.Tree()
			var chain []int
			for i, n := range nodes {
				if n.Parent >= i || i > 0 && n.Parent < 0 {
					t.Fatalf("node %d has parent %d", i, n.Parent)
				}
				if i > 0 && n.Step < nodes[n.Parent].Step {
					t.Fatalf("node %d of step %d follows one of step %d", i, n.Step, nodes[n.Parent].Step)
				}
				if n.State == Pruned && n.Reason == "" {
					t.Errorf("node %d was pruned without a reason", i)
				}
				if n.State != Live && n.State != Done && n.State != Pruned {
					t.Errorf("node %d is %q", i, n.State)
				}
				if n.State == Live && !n.Kept {
					t.Errorf("node %d goes on, and was not kept", i)
				}
				if n.Chained && i > 0 {
					chain = append(chain, n.ID)
				}
			}
			if want := newIDs(s, s.Best()); !slices.Equal(chain, want) {
				t.Fatalf("the chain spells %v, want %v", chain, want)
			}
			if step(t, s, 1) == 0 {
				return
			}
		}
	})
}

func TestTreeOfBeams(t *testing.T) {
	m, v := toy(t)
	set := settingsOf(t, "beam", m, v.EOS)
	set.Pipeline, set.Strategy = nil, made(t, "beam", map[string]float64{"num_beams": 2})
	s := opened(t, m, nil, set)
	step(t, s, 2)

	// The step: "the" -0.80, "a" -0.92 | "a Rome" -1.08, "the Paris" -1.85.
	type short struct {
		parent, step, id, place int
		state                   State
	}
	var got []short
	for _, n := range s.Tree() {
		got = append(got, short{n.Parent, n.Step, n.ID, n.Place, n.State})
	}
	want := []short{
		{-1, 0, 0, 0, Live},
		{0, 1, 4, 1, Live},
		{0, 1, 3, 2, Live},
		{0, 1, 1, 3, Pruned},
		{0, 1, 2, 4, Pruned},
		{2, 2, 2, 1, Live},
		{1, 2, 1, 2, Live},
		{1, 2, 2, 3, Pruned},
		{1, 2, 0, 4, Pruned},
	}
	if !slices.Equal(got, want) {
		t.Errorf("tree %v, want %v", got, want)
	}
	reason := s.Tree()[8].Reason
	if reason != "it ends at place 4, beyond num_beams 2: thrown away" {
		t.Errorf("the late end was pruned since %q", reason)
	}
	finish(t, s)
	if stop := s.Stop(); stop.Reason != StopEarly || stop.Doc == "" {
		t.Errorf("stopped by %+v, want early_stopping with a reason in words", stop)
	}
	if best := s.Best(); best.Stop.Reason != StopEOS {
		t.Errorf("the best text ended by %q, want %q", best.Stop.Reason, StopEOS)
	}
}

// A text that a step kept, and that no later step went on from, says so with
// the last step that kept something of it.
func TestTreeOfTextsThatDiedOut(t *testing.T) {
	m, eos := someTable(t)
	s := opened(t, m, somePrompt, settingsOf(t, "beam", m, eos))
	step(t, s, 4)
	nodes := s.Tree()
	kept := map[int]int{} // the last step that kept something of a node
	for i, n := range nodes {
		if !n.Kept {
			continue
		}
		for at := i; at > 0; at = nodes[at].Parent {
			kept[at] = max(kept[at], n.Step)
		}
	}
	died := 0
	for i, n := range nodes {
		if !n.Kept || n.State != Pruned {
			continue
		}
		died++
		if want := fmt.Sprintf("no continuation stayed after step %d", kept[i]); n.Reason != want {
			t.Errorf("node %d of step %d: %q, want %q", i, n.Step, n.Reason, want)
		}
	}
	if died == 0 {
		t.Error("no text died out")
	}
}
