package decode

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
)

// eachKind runs f on an open session of every kind.
func eachKind(t *testing.T, f func(t *testing.T, m lm.Model, s *Session)) {
	for _, k := range Kinds {
		t.Run(k.Name, func(t *testing.T) {
			m, eos := someTable(t)
			f(t, m, opened(t, m, somePrompt, settingsOf(t, k.Name, m, eos)))
		})
	}
}

// shape is all of a session that can be compared: its tree with every number.
func shape(s *Session) string {
	var b strings.Builder
	for _, n := range s.Tree() {
		fmt.Fprintln(&b, n.Parent, n.Step, n.ID, n.Ahead, n.Prob, n.Penalty, n.Score, n.Final, n.Place, n.State, n.Reason, n.Chained)
	}
	cost := s.newest().Cost
	fmt.Fprintf(&b, "%v %v %v {%d %d}\n", s.Best().Sequence(), s.Best().Generated(), s.Stop(), cost.Passes, cost.DraftPasses)
	return b.String()
}

func step(t testing.TB, s *Session, n int) int {
	t.Helper()
	for i := range n {
		moved, err := s.Step()
		if err != nil {
			t.Fatal(err)
		}
		if !moved {
			return i
		}
	}
	return n
}

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

// Looking costs one step's questions to the model, not two; turning a slider
// costs none.
func TestRetuneAsksTheModelNothing(t *testing.T) {
	for _, k := range Kinds {
		t.Run(k.Name, func(t *testing.T) {
			inner, eos := someTable(t)
			m := &counting{Model: inner}
			s := opened(t, m, somePrompt, settingsOf(t, k.Name, m, eos))
			step(t, s, 3)
			if _, err := s.View(-1); err != nil {
				t.Fatal(err)
			}
			forwards, heads := m.forwards, m.heads
			set := s.Settings()
			set.Pipeline = logits.Pipeline{stageOf(t, "temperature", 1.7), stageOf(t, "top_p", 0.95)}
			if err := s.Retune(set); err != nil {
				t.Fatal(err)
			}
			if _, err := s.View(-1); err != nil {
				t.Fatal(err)
			}
			// Other candidates may come up in contrastive search and other
			// proposals of a draft; all else is known.
			if (k.Traits().Peeks || k.Traits().Draft || k.Traits().Layers) && m.forwards >= forwards {
				return
			}
			if m.forwards != forwards || m.heads != heads {
				t.Errorf("%d passes and %d heads for a slider, want none", m.forwards-forwards, m.heads-heads)
			}
		})
	}
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

func TestFeedReadsInSlices(t *testing.T) {
	inner, eos := someTable(t)
	m := &counting{Model: inner}
	prompt := make([]int, 150)
	for i := range prompt {
		prompt[i] = i % 60
	}
	s, err := Open(m, prompt, settingsOf(t, "greedy", m, eos))
	if err != nil {
		t.Fatal(err)
	}
	if m.forwards != 0 {
		t.Error("opening has read something")
	}
	if _, err := s.Step(); err == nil {
		t.Error("a session stepped before its prompt was read")
	}
	for i, want := range []int{64, 128, 150, 150} {
		done, total, err := s.Feed(1000)
		if err != nil || done != want || total != 150 || s.Ready() != (want == 150) {
			t.Errorf("call %d: %d of %d, ready %v, %v; want %d of 150", i, done, total, s.Ready(), err, want)
		}
	}
	whole := opened(t, m, prompt, settingsOf(t, "greedy", m, eos))
	finish(t, s)
	finish(t, whole)
	if shape(s) != shape(whole) {
		t.Error("a prompt read in slices gives another text")
	}
}

func TestOpenRefuses(t *testing.T) {
	m, eos := someTable(t)
	good := settingsOf(t, "greedy", m, eos)
	for name, c := range map[string]struct {
		prompt []int
		change func(*Settings)
		want   string
	}{
		"no prompt":        {[]int{}, nil, "prompt: empty"},
		"unknown token":    {[]int{64}, nil, "prompt: token 64, want 0 to 63"},
		"negative token":   {[]int{-1}, nil, "prompt: token -1, want 0 to 63"},
		"long prompt":      {make([]int, 1025), nil, "prompt: 1025 tokens, want at most 1024"},
		"die 1":            {somePrompt, func(s *Settings) { s.Die = 1 }, "die: 1, want"},
		"die NaN":          {somePrompt, func(s *Settings) { s.Die = math.NaN() }, "die: NaN, want"},
		"no tokens":        {somePrompt, func(s *Settings) { s.MaxNewTokens = 0 }, "max_new_tokens: 0, want at least 1"},
		"negative tokens":  {somePrompt, func(s *Settings) { s.MaxNewTokens = -3 }, "max_new_tokens: -3, want at least 1"},
		"short max_length": {somePrompt, func(s *Settings) { s.MaxNewTokens, s.MaxLength = 0, 7 }, "max_length: 7, want more than the prompt's 7 tokens"},
		"unknown EOS":      {somePrompt, func(s *Settings) { s.EOS = []int{64} }, "eos_token_id: 64, want 0 to 63"},
		"empty stop":       {somePrompt, func(s *Settings) { s.Stop = []string{""} }, "stop_strings: an empty one"},
		"no pieces":        {somePrompt, func(s *Settings) { s.Stop = []string{"x"} }, "stop_strings: no tokenizer"},
		"no strategy":      {somePrompt, func(s *Settings) { s.Strategy = nil }, "strategy: none"},
		"no draft":         {somePrompt, func(s *Settings) { s.Strategy, s.Draft = assisted{tokens: 2}, nil }, "draft model: none"},
	} {
		set := good
		if c.change != nil {
			c.change(&set)
		}
		_, err := Open(m, c.prompt, set)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if name == "long prompt" && !errors.Is(err, ErrContext) {
			t.Errorf("%v is no ErrContext", err)
		}
	}
}

func TestRetuneKeepsSettingsOnError(t *testing.T) {
	m, eos := someTable(t)
	s := opened(t, m, somePrompt, settingsOf(t, "greedy", m, eos))
	set := s.Settings()
	set.EOS = []int{-1}
	if err := s.Retune(set); err == nil {
		t.Fatal("a bad EOS was taken")
	}
	if got := s.Settings().EOS; !slices.Equal(got, []int{eos}) {
		t.Errorf("EOS is %v after a refused change", got)
	}
}

// A change of strategy at any moment works: every kind goes on from what every
// other kind has left.
func TestEveryKindFollowsEveryOther(t *testing.T) {
	m, eos := someTable(t)
	for _, first := range Kinds {
		for _, second := range Kinds {
			s := opened(t, m, somePrompt, settingsOf(t, first.Name, m, eos))
			step(t, s, 3)
			before := s.Best().Sequence()
			stopped := s.Stop().Reason != ""
			if err := s.Retune(settingsOf(t, second.Name, m, eos)); err != nil {
				t.Fatal(err)
			}
			step(t, s, 3)
			after := s.Best().Sequence()
			if !stopped && s.Stop().Reason == "" && len(after) <= len(before) {
				t.Errorf("%s after %s: the text has %d tokens, had %d", second.Name, first.Name, len(after), len(before))
			}
		}
	}
}

// A text that is known to be what greedy search gives stays so when it is made
// by several strategies in turn.
func TestGreedyByTurns(t *testing.T) {
	m, eos := someTable(t)
	want := opened(t, m, somePrompt, settingsOf(t, "greedy", m, eos))
	finish(t, want)
	s := opened(t, m, somePrompt, settingsOf(t, "greedy", m, eos))
	turns := []string{"greedy", "prompt_lookup", "greedy", "assisted", "beam", "assisted", "prompt_lookup"}
	for i := 0; s.Stop().Reason == ""; i++ {
		set := settingsOf(t, turns[i%len(turns)], m, eos)
		if turns[i%len(turns)] == "beam" {
			set.Strategy = made(t, "beam", map[string]float64{"num_beams": 1})
		}
		if err := s.Retune(set); err != nil {
			t.Fatal(err)
		}
		step(t, s, 1)
	}
	if got, want := s.Best().Sequence(), want.Best().Sequence(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestSamplingWithSpeculationIsSampling(t *testing.T) {
	m, eos := someTable(t)
	want := opened(t, m, somePrompt, settingsOf(t, "sampling", m, eos))
	finish(t, want)
	set := settingsOf(t, "prompt_lookup", m, eos)
	set.Strategy = made(t, "prompt_lookup", map[string]float64{"do_sample": 1})
	s := opened(t, m, somePrompt, set)
	finish(t, s)
	if got, want := s.Best().Sequence(), want.Best().Sequence(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v: the same dice", got, want)
	}
}

func TestTemperatureZeroIsGreedyWithThePipeline(t *testing.T) {
	m, eos := someTable(t)
	greedySet := settingsOf(t, "greedy", m, eos)
	want := opened(t, m, somePrompt, greedySet)
	finish(t, want)
	set := settingsOf(t, "sampling", m, eos)
	set.Pipeline = logits.Pipeline{stageOf(t, "repetition_penalty", 1.2), stageOf(t, "temperature", 0), stageOf(t, "top_p", 0.3)}
	s := opened(t, m, somePrompt, set)
	finish(t, s)
	if got, want := s.Best().Sequence(), want.Best().Sequence(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestIgnoredStagesAreNamed(t *testing.T) {
	m, eos := someTable(t)
	got := settingsOf(t, "greedy", m, eos).Ignored()
	if len(got) != 2 || got[0].Stage != 1 || got[0].Name != "temperature" || got[1].Name != "top_k" || got[0].Reason == "" {
		t.Errorf("greedy ignores %+v, want temperature and top_k with a reason", got)
	}
	if got := settingsOf(t, "sampling", m, eos).Ignored(); len(got) != 0 {
		t.Errorf("sampling ignores %+v, want nothing", got)
	}
	set := settingsOf(t, "beam", m, eos)
	set.Strategy = made(t, "beam", map[string]float64{"num_beams": 1})
	var names []string
	for _, i := range set.Ignored() {
		names = append(names, i.Name)
	}
	if want := []string{"temperature", "top_k", "early_stopping", "length_penalty", "rules"}; !slices.Equal(names, want) {
		t.Errorf("one beam ignores %v, want %v", names, want)
	}
}

func TestToyNeedsNoPrompt(t *testing.T) {
	m, v := toy(t)
	for _, k := range Kinds {
		set := settingsOf(t, k.Name, m, v.EOS)
		set.Pipeline = nil
		s := opened(t, m, nil, set)
		finish(t, s)
		if len(s.Best().Generated()) == 0 {
			t.Errorf("%s wrote nothing", k.Name)
		}
	}
	words := func(kind string, num map[string]float64) string {
		set := settingsOf(t, kind, m, v.EOS)
		set.Pipeline, set.Strategy = nil, made(t, kind, num)
		s := opened(t, m, nil, set)
		finish(t, s)
		var text []byte
		for _, id := range s.Best().Sequence() {
			text = append(text, v.Piece(id)...)
		}
		return string(text)
	}
	if got, want := words("greedy", nil), " the Paris."; got != want {
		t.Errorf("greedy writes %q, want %q", got, want)
	}
	if got, want := words("beam", map[string]float64{"num_beams": 2}), " a Rome."; got != want {
		t.Errorf("two beams write %q, want %q", got, want)
	}
}
