package decode

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"decodingplayground/core/golden"
	"decodingplayground/core/lm"
	"decodingplayground/tokenizer"
)

type stopCase struct {
	oracleCase
	Stopped    bool
	TokenTexts []string `json:"token_texts"`
}

func TestOracleStopStrings(t *testing.T) {
	var doc struct{ Tokenizer string }
	golden.Read(t, "stop_strings.json", &doc)
	tok, err := tokenizer.New(golden.Bytes(t, doc.Tokenizer+"/vocab.json"), golden.Bytes(t, doc.Tokenizer+"/merges.txt"))
	if err != nil {
		t.Fatal(err)
	}
	each(t, "stop_strings.json", "stop strings", func(c *stopCase) *oracleCase { return &c.oracleCase }, func(m lm.Model, c *stopCase) {
		set := hfSettings(t, "greedy", c.Args, nil)
		set.Piece = tok.Piece
		c.Args.Get(t, "stop_strings", &set.Stop)
		s := opened(t, m, c.Prompt, set)
		finish(t, s)
		checkText(t, s, &c.oracleCase)
		stop := s.Stop()
		// What is recorded is that the text is shorter than allowed: a stop
		// string in the last token that is allowed looks the same as none.
		last := len(newIDs(s, s.Best())) == set.MaxNewTokens
		if (stop.Reason == StopString) != c.Stopped && !last {
			t.Errorf("%s: stopped by %q, want a stop string: %v", c.ID, stop.Reason, c.Stopped)
		}
		if stop.Reason != StopString {
			return
		}
		text := string(tok.Decode(newIDs(s, s.Best())))
		if stop.End < 1 || stop.End > len(text) || !strings.HasSuffix(string(tok.Decode(c.Prompt))+text[:stop.End], stop.Text) {
			t.Errorf("%s: %q does not end at byte %d of %q", c.ID, stop.Text, stop.End, text)
		}
		if stop.End-stop.Start != len(stop.Text) {
			t.Errorf("%s: match from %d to %d, want %d bytes", c.ID, stop.Start, stop.End, len(stop.Text))
		}
	})
}

func TestOracleGreedyEdge(t *testing.T) {
	var doc struct {
		Edge []struct {
			Model     string
			PromptLen int `json:"prompt_len"`
			Args      json.RawMessage
			Error     *string
			Sequence  []int
		}
		Cases []oracleCase
	}
	golden.Read(t, "greedy.json", &doc)
	for _, c := range doc.Edge {
		m := oracleModel(t, c.Model)
		if m == nil {
			golden.LeftOutModel(t, "greedy.json", "edge", c.Model)
			continue
		}
		// The prompt is the model's first one of that length, or, near the end
		// of the context, 0, 1, 2, …
		var prompt []int
		for i := range c.PromptLen {
			prompt = append(prompt, i)
		}
		if c.PromptLen < m.Info().Context-2 {
			i := slices.IndexFunc(doc.Cases, func(o oracleCase) bool { return o.Model == c.Model && len(o.Prompt) == c.PromptLen })
			prompt = doc.Cases[i].Prompt
		}
		var a golden.Args
		if err := json.Unmarshal(c.Args, &a); err != nil {
			all := make([]int, m.Info().Vocab)
			for i := range all {
				all[i] = i
			}
			raw, _ := json.Marshal(all)
			a = golden.Args{"max_new_tokens": json.RawMessage("5"), "suppress_tokens": raw}
		}
		golden.Count(t, "greedy.json", "edge", 1)
		set := hfSettings(t, "greedy", a, nil)
		s, err := Open(m, prompt, set)
		if err != nil {
			if c.Error == nil {
				t.Errorf("prompt of %d, %s: %v", c.PromptLen, c.Args, err)
			}
			continue
		}
		for !s.Ready() {
			if _, _, err := s.Feed(MaxFeed); err != nil {
				t.Fatal(err)
			}
		}
		finish(t, s)
		if c.Error == nil {
			if got := newIDs(s, s.Best()); !slices.Equal(got, c.Sequence) {
				t.Errorf("prompt of %d, %s: %v, want %v", c.PromptLen, c.Args, got, c.Sequence)
			}
			continue
		}
		// transformers crashes when the context is full; here that is a reason
		// to stop, after one token more than fits.
		if s.Stop().Reason != StopContext || s.Best().Len() != m.Info().Context+1 {
			t.Errorf("prompt of %d, %s: stopped by %q at %d tokens", c.PromptLen, c.Args, s.Stop().Reason, s.Best().Len())
		}
	}
}

// letters is a piece for each token of the toy-like tests: "a", "b", …
func letters(id int) []byte { return []byte{byte('a' + id)} }

// stopAt writes tokens by hand and says where and why the text stopped.
func stopAt(t *testing.T, prompt, text []int, piece func(int) []byte, stop ...string) (int, Stop) {
	t.Helper()
	m, _ := someTable(t)
	set := settingsOf(t, "greedy", m, 63)
	set.Stop, set.Piece = stop, piece
	s := opened(t, m, prompt, set)
	for i, id := range text {
		if err := s.Force(id); err != nil {
			t.Fatal(err)
		}
		if got := s.Stop(); got.Reason == StopString {
			return i + 1, got
		}
	}
	return 0, s.Stop()
}

func TestStopStrings(t *testing.T) {
	spelt := func(id int) []byte {
		switch id {
		case 2:
			return []byte("ab.cd")
		case 3:
			return []byte(" T")
		case 4:
			return []byte("T")
		}
		return letters(id)
	}
	for _, c := range []struct {
		name         string
		prompt, text []int
		piece        func(int) []byte
		stop         []string
		tokens       int
		want         Stop
	}{
		{"across tokens", []int{9}, []int{0, 1, 2, 3}, letters, []string{"bc"}, 3, Stop{Text: "bc", Start: 1, End: 3}},
		{"begins in the prompt", []int{0, 1}, []int{2, 3}, letters, []string{"bc"}, 1, Stop{Text: "bc", Start: -1, End: 1}},
		{"wholly in the prompt", []int{1, 2}, []int{0, 3}, letters, []string{"bc"}, 0, Stop{}},
		{"longer than the text", []int{0}, []int{1}, letters, []string{"xxab"}, 0, Stop{}},
		{"with or without a space", []int{9}, []int{5, 3}, spelt, []string{"T"}, 2, Stop{Text: "T", Start: 2, End: 3}},
		{"the other spelling", []int{9}, []int{5, 4}, spelt, []string{"T"}, 2, Stop{Text: "T", Start: 1, End: 2}},
		{"the earliest end", []int{9}, []int{5, 2}, spelt, []string{"cd", "b"}, 2, Stop{Text: "b", Start: 2, End: 3}},
		{"repeated beginnings", []int{9}, []int{0, 0, 0, 1}, letters, []string{"aab"}, 4, Stop{Text: "aab", Start: 1, End: 4}},
	} {
		tokens, got := stopAt(t, c.prompt, c.text, c.piece, c.stop...)
		got.Doc, got.Reason = "", ""
		if tokens != c.tokens || got != c.want {
			t.Errorf("%s: %d tokens, %+v; want %d, %+v", c.name, tokens, got, c.tokens, c.want)
		}
	}
}

func TestStops(t *testing.T) {
	m, eos := someTable(t)
	set := settingsOf(t, "sampling", m, eos)
	set.EOS = nil
	for _, c := range []struct {
		name   string
		change func(*Settings)
		prompt int
		reason Reason
		length int
	}{
		{"max_new_tokens", func(s *Settings) { s.MaxNewTokens = 3 }, 5, StopNewTokens, 8},
		{"max_length", func(s *Settings) { s.MaxNewTokens, s.MaxLength = 0, 9 }, 5, StopLength, 9},
		{"max_new_tokens wins", func(s *Settings) { s.MaxNewTokens, s.MaxLength = 6, 7 }, 5, StopNewTokens, 11},
		{"context", func(s *Settings) { s.MaxNewTokens = 50 }, 1020, StopContext, 1025},
		{"full prompt", func(s *Settings) { s.MaxNewTokens = 50 }, 1024, StopContext, 1025},
		{"peeking needs room", func(s *Settings) { s.Strategy = made(t, "contrastive", nil) }, 1020, StopContext, 1024},
		{"beams", func(s *Settings) { s.Strategy, s.MaxNewTokens = made(t, "beam", nil), 3 }, 5, StopNewTokens, 8},
		{"beams, context", func(s *Settings) { s.Strategy = made(t, "beam", nil) }, 1022, StopContext, 1025},
		{"old beams, context", func(s *Settings) { s.Strategy = made(t, "beam", map[string]float64{"rules": 1}) }, 1022, StopContext, 1025},
		{"lookup, context", func(s *Settings) { s.Strategy = made(t, "prompt_lookup", nil) }, 1020, StopContext, 1025},
		{"draft, context", func(s *Settings) { s.Strategy = made(t, "assisted", nil) }, 1020, StopContext, 1025},
	} {
		changed := set
		c.change(&changed)
		prompt := make([]int, c.prompt)
		for i := range prompt {
			prompt[i] = i * 7 % 60
		}
		s := opened(t, m, prompt, changed)
		finish(t, s)
		if got := s.Stop(); got.Reason != c.reason || got.Doc == "" || s.Best().Len() != c.length {
			t.Errorf("%s: stopped by %+v at %d tokens, want %q at %d", c.name, got, s.Best().Len(), c.reason, c.length)
		}
		if c.reason == StopContext {
			if seen, err := s.View(-1); err == nil && len(seen[0].Picks) > 0 {
				t.Errorf("%s: a token is picked that does not fit", c.name)
			} else if err != nil && s.newest().Stop.Reason == "" && !errors.Is(err, ErrContext) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

func TestSeveralEOS(t *testing.T) {
	m, _ := someTable(t)
	for _, eos := range []int{5, 9} {
		set := settingsOf(t, "greedy", m, 0)
		set.EOS = []int{5, 9}
		s := opened(t, m, somePrompt, set)
		if err := s.Force(eos); err != nil {
			t.Fatal(err)
		}
		if got := s.Stop().Reason; got != StopEOS {
			t.Errorf("after %d: stopped by %q, want %q", eos, got, StopEOS)
		}
		if moved, err := s.Step(); moved || err != nil {
			t.Errorf("a stopped session stepped: %v, %v", moved, err)
		}

		// A limit that is lifted lets the text go on.
		set.EOS = nil
		if err := s.Retune(set); err != nil {
			t.Fatal(err)
		}
		if moved, err := s.Step(); !moved || err != nil {
			t.Errorf("the text does not go on without EOS: %v, %v", moved, err)
		}
	}
}
