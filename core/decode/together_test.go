package decode

import (
	"errors"
	"strings"
	"testing"

	"decodingplayground/core/lm"
)

func TestStepAllIsSteppingAlone(t *testing.T) {
	m, eos := someTable(t)
	var together, alone []*Session
	for _, k := range Kinds {
		set := settingsOf(t, k.Name, m, eos)
		together = append(together, opened(t, m, somePrompt, set))
		alone = append(alone, opened(t, m, somePrompt, set))
	}
	for range 8 {
		for i, err := range StepAll(together...) {
			if err != nil {
				t.Fatalf("%s: %v", Kinds[i].Name, err)
			}
		}
		for i, s := range alone {
			step(t, s, 1)
			if got, want := shape(together[i]), shape(s); got != want {
				t.Fatalf("%s steps otherwise in company:\n%s\nwant\n%s", Kinds[i].Name, got, want)
			}
		}
	}
}

func TestStepAllSharesPasses(t *testing.T) {
	inner, eos := someTable(t)
	m := &counting{Model: inner}
	var sessions []*Session
	for range 6 {
		sessions = append(sessions, opened(t, m, somePrompt, settingsOf(t, "sampling", m, eos)))
	}
	m.forwards, m.heads = 0, 0
	StepAll(sessions...)
	if m.forwards != 1 || m.heads != 1 {
		t.Errorf("%d passes and %d heads for six sessions, want one each", m.forwards, m.heads)
	}
}

func TestLogitsAreThoseOfTheNextStep(t *testing.T) {
	inner, eos := someTable(t)
	m := &counting{Model: inner}
	var sessions []*Session
	set := settingsOf(t, "greedy", m, eos)
	set.Pipeline = nil
	for range 3 {
		sessions = append(sessions, opened(t, m, somePrompt, set))
	}
	step(t, sessions[1], 1)
	m.forwards, m.heads = 0, 0
	rows, err := Logits(sessions...)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range StepAll(sessions...) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if m.heads != 1 {
		t.Errorf("%d heads for logits and a step, want one", m.heads)
	}
	for i, s := range sessions {
		if taken := s.Best().Taken[0].ID; taken != argmax(rows[i]) {
			t.Errorf("session %d took %d, its logits say %d", i, taken, argmax(rows[i]))
		}
	}
	if _, err := Logits(&Session{}); err == nil {
		t.Error("logits of a session that has read nothing")
	}
}

// failing refuses, or panics, where a text has the bad token.
type failing struct {
	lm.Model
	bad    int
	panics bool
}

func (f failing) Forward(batch ...lm.Input) ([]lm.Output, error) {
	for _, in := range batch {
		for _, id := range in.IDs {
			if id == f.bad && f.panics {
				panic("bad token")
			} else if id == f.bad {
				return nil, errors.New("bad token")
			}
		}
	}
	return f.Model.Forward(batch...)
}

func TestStepAllKeepsFailuresApart(t *testing.T) {
	inner, eos := someTable(t)
	for _, panics := range []bool{false, true} {
		set := settingsOf(t, "greedy", inner, eos)
		set.Draft = nil
		other := opened(t, inner, somePrompt[:3], set)
		step(t, other, 1)
		bad := other.Best().Sequence()[3] // what greedy search takes after that prompt

		m := &failing{inner, -1, panics}
		good := opened(t, m, somePrompt, set)
		fails := opened(t, m, somePrompt[:3], set)
		want := good.Fork()
		m.bad = bad
		if moved, err := want.Step(); !moved || err != nil {
			t.Fatal(moved, err)
		}
		errs := StepAll(good, fails)
		if errs[0] != nil {
			t.Errorf("the good session got %v", errs[0])
		}
		if errs[1] == nil || !strings.Contains(errs[1].Error(), "bad token") {
			t.Errorf("the other got %v", errs[1])
		}
		if shape(good) != shape(want) {
			t.Error("the good session stepped otherwise beside one that failed")
		}
		if fails.Steps() != 0 {
			t.Error("a failed step was kept")
		}
		m.bad = -1
		if moved, err := fails.Step(); !moved || err != nil {
			t.Errorf("after the failure: %v, %v", moved, err)
		}
	}
}

func TestStepAllPassesOverTheStopped(t *testing.T) {
	m, eos := someTable(t)
	a := opened(t, m, somePrompt, settingsOf(t, "greedy", m, eos))
	b := a.Fork()
	if err := a.Force(eos); err != nil {
		t.Fatal(err)
	}
	for i, err := range StepAll(a, b) {
		if err != nil {
			t.Errorf("session %d: %v", i, err)
		}
	}
	if a.Steps() != 1 || b.Steps() != 1 {
		t.Errorf("%d and %d steps, want 1 and 1", a.Steps(), b.Steps())
	}
	if errs := StepAll(); len(errs) != 0 {
		t.Errorf("no sessions gave %v", errs)
	}
}
