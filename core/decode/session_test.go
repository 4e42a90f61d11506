package decode

import (
	"errors"
	"fmt"
	"math"
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
