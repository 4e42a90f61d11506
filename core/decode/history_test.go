package decode

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
)

func TestRewindAndStepAgainIsTheSame(t *testing.T) {
	eachKind(t, func(t *testing.T, _ lm.Model, s *Session) {
		n := step(t, s, 6)
		want := shape(s)
		for back := 1; back <= n; back++ {
			if err := s.Rewind(back); err != nil {
				t.Fatal(err)
			}
			if s.Steps() != n-back {
				t.Fatalf("%d steps after taking back %d of %d", s.Steps(), back, n)
			}
			step(t, s, back)
			if got := shape(s); got != want {
				t.Fatalf("%d steps back and again:\n%s\nwant\n%s", back, got, want)
			}
		}
	})
}

func TestForkDoesNotDisturbItsSibling(t *testing.T) {
	eachKind(t, func(t *testing.T, _ lm.Model, s *Session) {
		step(t, s, 3)
		alone := s.Fork()
		finish(t, alone)
		want := shape(alone)

		fork := s.Fork()
		set := fork.Settings()
		set.Seed = 99
		set.Die = 0.5
		if err := fork.Retune(set); err != nil {
			t.Fatal(err)
		}
		for _, f := range []func() error{
			func() error { return fork.Force(3) },
			func() error { return fork.Rewind(3) },
			func() error { return fork.Force(4) },
		} {
			if err := f(); err != nil {
				t.Fatal(err)
			}
			step(t, fork, 2)
		}
		finish(t, s)
		if got := shape(s); got != want {
			t.Errorf("a fork has changed its sibling:\n%s\nwant\n%s", got, want)
		}
	})
}

// What a view shows before a step is what the step does, and what a view of
// the past shows is what was done.
func TestViewTellsTheStep(t *testing.T) {
	eachKind(t, func(t *testing.T, _ lm.Model, s *Session) {
		for range 5 {
			before, err := s.View(-1)
			if err != nil {
				t.Fatal(err)
			}
			if step(t, s, 1) == 0 {
				return
			}
			after, err := s.View(s.Steps() - 1)
			if err != nil {
				t.Fatal(err)
			}
			if len(before) != len(after) {
				t.Fatalf("%d decisions before the step, %d after", len(before), len(after))
			}
			taken := map[string]bool{}
			f := s.newest()
			for _, h := range append(slices.Clone(f.Live), f.Done...) {
				for _, one := range h.Taken {
					taken[fmt.Sprint(one)] = true
				}
			}
			for i := range before {
				if !reflect.DeepEqual(before[i].Picks, after[i].Picks) || !reflect.DeepEqual(before[i].Trace, after[i].Trace) {
					t.Fatalf("decision %d differs before and after the step", i)
				}
				if len(before[i].Stages) != len(before[i].Trace.Scores) {
					t.Fatalf("%d stages for %d rows", len(before[i].Stages), len(before[i].Trace.Scores))
				}
				for _, pick := range before[i].Picks {
					if !taken[fmt.Sprint(pick)] {
						t.Errorf("pick %+v was not taken", pick)
					}
				}
			}
		}
	})
}

func TestPastIsSeenWithItsSettings(t *testing.T) {
	m, eos := someTable(t)
	s := opened(t, m, somePrompt, settingsOf(t, "sampling", m, eos))
	step(t, s, 1)
	set := s.Settings()
	set.Pipeline = logits.Pipeline{stageOf(t, "top_k", 2)}
	set.Strategy = made(t, "greedy", nil)
	if err := s.Retune(set); err != nil {
		t.Fatal(err)
	}
	step(t, s, 1)
	for i, want := range [][]string{{"model", "repetition_penalty", "temperature", "top_k"}, {"model"}} {
		seen, err := s.View(i)
		if err != nil {
			t.Fatal(err)
		}
		if got := seen[0].Trace.Names; !slices.Equal(got, want) {
			t.Errorf("step %d has stages %v, want %v", i, got, want)
		}
	}
	if set, forced := s.StepSettings(1); forced || len(set.Pipeline) != 3 || set.Seed != 7 {
		t.Errorf("step 1 was taken with %+v", set)
	}
}

func TestForceTakesAnyToken(t *testing.T) {
	eachKind(t, func(t *testing.T, m lm.Model, s *Session) {
		set := s.Settings()
		set.Pipeline = logits.Pipeline{stageOf(t, "top_k", 1)}
		if err := s.Retune(set); err != nil {
			t.Fatal(err)
		}
		step(t, s, 2)
		before := s.Best().Sequence()
		if len(s.newest().Live) > 0 {
			before = s.newest().Live[0].Sequence()
		}
		const id = 13
		if err := s.Force(id); err != nil {
			t.Fatal(err)
		}
		if got := s.Best().Sequence(); !slices.Equal(got, append(before, id)) {
			t.Errorf("text %v, want %v and %d", got, before, id)
		}
		taken := s.Best().Generated()
		last := taken[len(taken)-1]
		if !last.Forced || last.Die != -1 {
			t.Errorf("the record is %+v, want it forced and without a die", last)
		}
		seen, err := s.View(s.Steps() - 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(seen) != 1 || len(seen[0].Picks) != 1 || seen[0].Picks[0] != last {
			t.Errorf("the view shows %+v, want one pick, %+v", seen, last)
		}
		step(t, s, 2)
		text := s.Best().Sequence()
		if len(text) <= len(before)+1 && s.Stop().Reason == "" || !slices.Equal(text[:len(before)+1], append(before, id)) {
			t.Errorf("the text went on as %v after %v and %d", text, before, id)
		}
		for _, bad := range []int{-1, m.Info().Vocab} {
			if err := s.Force(bad); err == nil {
				t.Errorf("token %d was taken", bad)
			}
		}
	})
}

func TestForcedEOSEndsASearch(t *testing.T) {
	m, eos := someTable(t)
	for _, kind := range []string{"beam", "group_beam", "beam_sampling", "sampling"} {
		s := opened(t, m, somePrompt, settingsOf(t, kind, m, eos))
		step(t, s, 2)
		if err := s.Force(eos); err != nil {
			t.Fatal(err)
		}
		if got := s.Stop().Reason; got != StopEOS {
			t.Errorf("%s: stopped by %q, want %q", kind, got, StopEOS)
		}
	}
}

func TestDieOfAStep(t *testing.T) {
	m, eos := someTable(t)
	endless := func(kind string) Settings {
		set := settingsOf(t, kind, m, eos)
		set.EOS = nil
		return set
	}
	s := opened(t, m, somePrompt, endless("sampling"))
	other := opened(t, m, somePrompt[:4], endless("mirostat_v2"))
	step(t, s, 6)
	step(t, other, 6)
	a, b := s.Best().Generated(), other.Best().Generated()
	for i := range min(len(a), len(b)) {
		if a[i].Die != b[i].Die {
			t.Errorf("step %d: dice %v and %v, want the same in every session", i, a[i].Die, b[i].Die)
		}
		if a[i].Die < a[i].Low || a[i].Die >= a[i].High {
			t.Errorf("step %d: die %v outside [%v, %v)", i, a[i].Die, a[i].Low, a[i].High)
		}
	}

	// A die set by hand belongs to its step, also when that is done again.
	if err := s.Rewind(3); err != nil {
		t.Fatal(err)
	}
	set := s.Settings()
	set.Die = 0.25
	if err := s.Retune(set); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		step(t, s, 2)
		got := s.Best().Generated()
		if got[3].Die != 0.25 || got[4].Die != a[4].Die {
			t.Errorf("dice %v and %v, want 0.25 and %v", got[3].Die, got[4].Die, a[4].Die)
		}
		if err := s.Rewind(2); err != nil {
			t.Fatal(err)
		}
	}
}
