package decode

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
	"decodingplayground/core/spec"
)

func guidanceStage(t testing.TB, scale float64, prompt ...int) logits.Stage {
	t.Helper()
	args := spec.Args{Num: map[string]float64{"guidance_scale": scale}}
	if len(prompt) > 0 {
		args.Seq = map[string][]spec.Sequence{"negative_prompt_ids": {{IDs: prompt}}}
	}
	s, err := logits.Make("guidance_scale", args)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rowAfter asks a model for its row after a text, all in one go.
func rowAfter(t testing.TB, m lm.Model, ids []int) []float32 {
	t.Helper()
	out, err := m.Forward(lm.Input{IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	return m.Head(out[0].Hidden[len(ids)-1])[0]
}

// checkGuided compares each decision of a step with the formula, worked out
// from texts that are read as a whole: scale * (log p - log u) + log u.
func checkGuided(t *testing.T, m lm.Model, s *Session, step int, scale float64, other []int) {
	t.Helper()
	seen, err := s.View(step)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range seen {
		text := d.From.Sequence()
		p := logits.LogSoftmax(nil, rowAfter(t, m, text))
		u := logits.LogSoftmax(nil, rowAfter(t, m, append(slices.Clone(other), text[len(s.prompt):]...)))
		at := slices.Index(d.Trace.Names, "guidance_scale")
		for id, got := range d.Trace.Scores[at] {
			want := scale*(float64(p[id])-float64(u[id])) + float64(u[id])
			if math.Abs(float64(got)-want) > 1e-4*(1+math.Abs(want)) {
				t.Fatalf("step %d after %v, token %d: %v, want %v", step, text, id, got, want)
			}
		}
	}
}

// guidedSettings has guidance in front of the usual stages.
func guidedSettings(t *testing.T, kind string, m lm.Model, eos int, prompt ...int) Settings {
	set := settingsOf(t, kind, m, eos)
	set.Pipeline = append(logits.Pipeline{guidanceStage(t, 1.5, prompt...)}, set.Pipeline...)
	return set
}

// Guidance compares with the same tokens after another prompt: by default the
// last token of the text's own, for every text of a search, after a rewind, a
// fork and a token by hand.
func TestGuidance(t *testing.T) {
	for _, other := range [][]int{nil, {3, 4, 5}} {
		eachKind(t, func(t *testing.T, m lm.Model, s *Session) {
			if s.set.Strategy.Traits().Ahead || s.set.Strategy.Traits().Layers {
				t.Skip("guidance is passed over, or acts on scores of the strategy's own")
			}
			set := s.Settings()
			set.EOS = nil
			set.Pipeline = append(logits.Pipeline{guidanceStage(t, 1.5, other...)}, set.Pipeline...)
			if err := s.Retune(set); err != nil {
				t.Fatal(err)
			}
			before := other
			if before == nil {
				before = somePrompt[len(somePrompt)-1:]
			}
			check := func(s *Session) {
				t.Helper()
				for i := range s.Steps() {
					checkGuided(t, m, s, i, 1.5, before)
				}
				if s.Stop().Reason == "" {
					checkGuided(t, m, s, -1, 1.5, before)
				}
			}
			step(t, s, 4)
			check(s)
			fork := s.Fork()
			if err := s.Rewind(2); err != nil {
				t.Fatal(err)
			}
			if err := s.Force(7); err != nil {
				t.Fatal(err)
			}
			step(t, s, 2)
			for _, one := range []*Session{s, fork} {
				f := one.newest()
				for i := range one.Steps() {
					if _, forced := one.StepSettings(i + 1); !forced {
						checkGuided(t, m, one, i, 1.5, before)
					}
				}
				if f.Stop.Reason == "" {
					checkGuided(t, m, one, -1, 1.5, before)
				}
			}
		})
	}
}

// The other text is read in the same passes: a step costs one.
func TestGuidanceCostsNoPass(t *testing.T) {
	inner, eos := someTable(t)
	for _, kind := range []string{"greedy", "sampling", "beam"} {
		m := &counting{Model: inner}
		set := guidedSettings(t, kind, m, eos)
		set.EOS = nil
		s := opened(t, m, somePrompt, set)
		step(t, s, 1) // the first reads the other prompt, too
		before, cost := m.forwards, s.newest().Cost.Passes
		step(t, s, 3)
		if got := m.forwards - before; got != 3 || s.newest().Cost.Passes-cost != 3 {
			t.Errorf("%s: %d passes for three steps, %d counted, want 3", kind, got, s.newest().Cost.Passes-cost)
		}
	}
}

// The scale is a slider: turning it asks the model nothing.
func TestGuidanceRetunesForNothing(t *testing.T) {
	inner, eos := someTable(t)
	m := &counting{Model: inner}
	s := opened(t, m, somePrompt, guidedSettings(t, "sampling", m, eos))
	step(t, s, 2)
	if _, err := s.View(-1); err != nil {
		t.Fatal(err)
	}
	forwards, heads := m.forwards, m.heads
	set := s.Settings()
	set.Pipeline = append(logits.Pipeline{guidanceStage(t, 3)}, set.Pipeline[1:]...)
	if err := s.Retune(set); err != nil {
		t.Fatal(err)
	}
	checkGuided(t, inner, s, -1, 3, somePrompt[len(somePrompt)-1:])
	if m.forwards != forwards || m.heads != heads {
		t.Errorf("%d passes and %d heads for a slider, want none", m.forwards-forwards, m.heads-heads)
	}
}

// Two stages with different prompts stand side by side.
func TestGuidanceTwice(t *testing.T) {
	m, eos := someTable(t)
	set := settingsOf(t, "greedy", m, eos)
	set.Pipeline = logits.Pipeline{guidanceStage(t, 2, 3, 4), guidanceStage(t, 2, 9)}
	s := opened(t, m, somePrompt, set)
	step(t, s, 3)
	seen, err := s.View(2)
	if err != nil {
		t.Fatal(err)
	}
	text := seen[0].From.Sequence()
	row := rowAfter(t, m, text)
	for _, stage := range set.Pipeline {
		without := func(prompt []int) []float32 {
			return rowAfter(t, m, append(slices.Clone(prompt), text[len(somePrompt):]...))
		}
		stage.Process(logits.Context{Without: without}, row)
	}
	if got := seen[0].Trace.Final(); !slices.Equal(got, row) {
		t.Errorf("%v, want %v", got, row)
	}
}

func TestGuidanceInCompany(t *testing.T) {
	m, eos := someTable(t)
	var together, alone []*Session
	for _, kind := range []string{"greedy", "beam", "sampling", "contrastive", "dola"} {
		set := guidedSettings(t, kind, m, eos, 5, 6)
		together, alone = append(together, opened(t, m, somePrompt, set)), append(alone, opened(t, m, somePrompt, set))
	}
	for range 5 {
		for i, err := range StepAll(together...) {
			if err != nil {
				t.Fatal(err)
			}
			step(t, alone[i], 1)
			if got, want := shape(together[i]), shape(alone[i]); got != want {
				t.Fatalf("session %d steps otherwise in company:\n%s\nwant\n%s", i, got, want)
			}
		}
	}
}

// A strategy that reads ahead passes guidance over and says so.
func TestGuidanceIsIgnoredAhead(t *testing.T) {
	m, eos := someTable(t)
	for _, kind := range []string{"assisted", "prompt_lookup"} {
		set := guidedSettings(t, kind, m, eos)
		list := set.Ignored()
		if len(list) == 0 || list[0].Name != "guidance_scale" || list[0].Stage != 0 || list[0].Reason == "" {
			t.Errorf("%s ignores %+v, want guidance_scale and why", kind, list)
		}
		with, without := opened(t, m, somePrompt, set), opened(t, m, somePrompt, settingsOf(t, kind, m, eos))
		finish(t, with)
		finish(t, without)
		if shape(with) != shape(without) {
			t.Errorf("%s is not what it is without guidance", kind)
		}
	}
}

// A longer other prompt fills the context first.
func TestGuidanceInAFullContext(t *testing.T) {
	m, _ := someTable(t)
	n := m.Info().Context
	long := make([]int, n-2)
	for _, kind := range []string{"greedy", "beam", "contrastive"} {
		set := guidedSettings(t, kind, m, 63, long...)
		set.EOS = nil
		s := opened(t, m, somePrompt, set)
		finish(t, s)
		stop := s.Stop()
		if stop.Reason != StopContext || !strings.Contains(stop.Doc, "after the other prompt") {
			t.Errorf("%s: stopped by %+v", kind, stop)
		}
		want := 3 // one more than fits, which need not be read
		if s.set.Strategy.Traits().Peeks {
			want = 2
		}
		if got := len(s.Best().Generated()); got != want {
			t.Errorf("%s: %d tokens, want %d", kind, got, want)
		}
	}
	set := guidedSettings(t, "greedy", m, 63, make([]int, n+1)...)
	if _, err := Open(m, somePrompt, set); err == nil || err.Error() != fmt.Sprintf("negative_prompt_ids: %d tokens, want at most %d: %v", n+1, n, ErrContext) {
		t.Errorf("a prompt that does not fit: %v", err)
	}
}

// A toy without a prompt is its own other text, so guidance changes nothing
// before the first token of another prompt.
func TestGuidanceWithoutAPrompt(t *testing.T) {
	m, v := toy(t)
	set := Settings{Strategy: made(t, "greedy", nil), Pipeline: logits.Pipeline{guidanceStage(t, 4)}, Die: -1, MaxNewTokens: 3, EOS: []int{v.EOS}}
	s := opened(t, m, nil, set)
	finish(t, s)
	set.Pipeline = nil
	want := opened(t, m, nil, set)
	finish(t, want)
	if got, want := s.Best().Sequence(), want.Best().Sequence(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
