package decode

import (
	"slices"
	"testing"

	"decodingplayground/core/lm/lmtest"
)

// TestNothingIsReadTwice counts the tokens that a model reads while a page
// compares, rewinds, branches and edits.
func TestNothingIsReadTwice(t *testing.T) {
	m := &lmtest.Fake{Vocab: 50, Context: 200}
	set := func(kind string, num map[string]float64) Settings {
		return Settings{Strategy: made(t, kind, num), Die: -1, Seed: 3, MaxNewTokens: 50}
	}
	reads := func(want int, what string, do func()) {
		t.Helper()
		before := m.Tokens
		do()
		if got := m.Tokens - before; got != want {
			t.Errorf("%s: %d tokens read, want %d", what, got, want)
		}
	}
	var sessions []*Session
	open := func(prompt []int) (s *Session) {
		t.Helper()
		s, err := Open(m, prompt, set("sampling", nil))
		if err != nil {
			t.Fatal(err)
		}
		s.Share(sessions...)
		sessions = append(sessions, s)
		feedAll(t, s)
		return s
	}
	all := func(sessions ...*Session) {
		t.Helper()
		for _, err := range StepAll(sessions...) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	prompt := make([]int, 100)
	for i := range prompt {
		prompt[i] = i % 37
	}

	var base *Session
	reads(100, "a prompt", func() { base = open(prompt) })
	reads(0, "a second session on it", func() { open(prompt) })
	var panes []*Session
	reads(0, "six panes on it", func() {
		for range 6 {
			panes = append(panes, base.Fork())
		}
	})
	reads(6, "a step of six panes", func() { all(panes...) })
	reads(6, "another", func() { all(panes...) })

	reads(3, "three steps", func() { step(t, base, 3) })
	reads(2, "two taken back and drawn again", func() {
		if err := base.Rewind(2); err != nil {
			t.Fatal(err)
		}
		step(t, base, 2)
	})
	var branch *Session
	reads(1, "a branch with a token by hand", func() {
		branch = base.Fork()
		if err := branch.Rewind(1); err != nil {
			t.Fatal(err)
		}
		if err := branch.Force(7); err != nil {
			t.Fatal(err)
		}
	})
	reads(2, "a step of both", func() { all(base, branch) })

	edited := slices.Clone(prompt)
	edited[80] = 49
	reads(20, "a prompt that is another from token 80 on", func() { open(edited) })
	reads(1, "one that ends early", func() { open(prompt[:60]) })
	reads(5, "a longer one", func() { open(append(slices.Clone(prompt), 40, 41, 42, 43, 44)) })
	text := base.Best().Sequence()
	reads(1, "one that is the text so far", func() { open(text) })
	reads(100, "one that starts otherwise", func() { open(append([]int{48}, prompt[:99]...)) })

	beams := base.Fork()
	if err := beams.Rewind(beams.Steps()); err != nil {
		t.Fatal(err)
	}
	if err := beams.Retune(set("beam", map[string]float64{"num_beams": 4})); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		reads(4, "a step of four beams", func() { step(t, beams, 1) })
	}
}

// TestShareGivesTheSame: what follows a start that was shared, wholly or in
// part read, is what follows one that was read.
func TestShareGivesTheSame(t *testing.T) {
	m := &lmtest.Fake{Vocab: 50, Context: 200}
	prompt := []int{1, 2, 3, 4, 5, 6, 7, 8}
	set := settingsOf(t, "contrastive", m, 0)
	alone := opened(t, m, prompt, set)
	step(t, alone, 6)
	for _, other := range [][]int{{1, 2, 3, 9, 9}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, prompt, {1}, {2}} {
		for _, fed := range []int{1, 3, 64} {
			donor, err := Open(m, other, set)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := donor.Feed(fed); err != nil {
				t.Fatal(err)
			}
			s, err := Open(m, prompt, set)
			if err != nil {
				t.Fatal(err)
			}
			n := s.Share(donor)
			if want := n == len(prompt); s.Ready() != want {
				t.Fatalf("%d tokens shared, ready %v, want %v", n, s.Ready(), want)
			}
			feedAll(t, s)
			if s.Share(donor) != 0 {
				t.Error("a session that has read its prompt shares another's")
			}
			step(t, s, 6)
			if got, want := shape(s), shape(alone); got != want {
				t.Errorf("after %d of %v: %s, want %s", fed, other, got, want)
			}
		}
	}
}

func TestShareWantsTheSameModel(t *testing.T) {
	one, two := &lmtest.Fake{}, &lmtest.Fake{}
	set := settingsOf(t, "greedy", one, 0)
	donor := opened(t, one, []int{1, 2, 3}, set)
	set.Draft = two
	s, err := Open(two, []int{1, 2, 3}, set)
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Share(donor); n != 0 {
		t.Errorf("%d tokens of another model shared", n)
	}
}
