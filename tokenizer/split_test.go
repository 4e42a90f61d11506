package tokenizer

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func words(text string) []string {
	var out []string
	for text != "" {
		n := firstWord(text)
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

func TestSplit(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Hello world", "Hello| world"},
		{"a1b22c333 4444", "a|1|b|22|c|333| 4444"},
		{"we'll they've you're I'm I'd it's don't", "we|'ll| they|'ve| you|'re| I|'m| I|'d| it|'s| don|'t"},
		{"I'LL 'S", "I|'|LL| '|S"},
		{" 's", " '|s"},
		{"''s", "''|s"},
		{"'", "'"},
		{"'r", "'|r"},
		{"'sa", "'s|a"},
		{"a  b", "a| | b"},
		{"a   b", "a|  | b"},
		{"a \tb", "a| |\t|b"},
		{"a\t b", "a|\t| b"},
		{"a\n\n\nb", "a|\n\n|\n|b"},
		{"a  ", "a|  "},
		{"a \n", "a| \n"},
		{"\r\n\r\n", "\r\n\r\n"},
		{"a\u00a0\u3000b", "a|\u00a0|\u3000|b"},
		{"\u2028\u2029\u0085\v\f", "\u2028\u2029\u0085\v\f"},
		{"\u200b\u180e", "\u200b\u180e"},
		{"\x1c\x1f", "\x1c\x1f"},
		{" e\u0301 x", " e|\u0301| x"},
		{"ǅʰ ⅧⅨ½²٣", "ǅʰ| ⅧⅨ½²٣"},
		{"日本語、テ", "日本語|、|テ"},
		{" 👋🌍!", " 👋🌍!"},
		{"a\xffb \xfe\xff", "a|\xff|b| \xfe\xff"},
		{"a\x00\x00b", "a|\x00\x00|b"},
	} {
		if got := strings.Join(words(c.text), "|"); got != c.want {
			t.Errorf("%q is split %q, want %q", c.text, got, c.want)
		}
	}
}

// alike gives one ASCII character for each character, of the same class.
func alike(word string) string {
	var b strings.Builder
	for i := 0; i < len(word); {
		c, n := classify(word[i:])
		b.WriteByte("!a1_"[c])
		i += n
	}
	return b.String()
}

// FuzzSplit holds the words against what the pattern says of each.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"we'll  go\n\n 12 ", " 's''re\t\t\u3000x", "\xff \xf0\x9f"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		split := words(text)
		if strings.Join(split, "") != text {
			t.Fatalf("%q: words joined are %q", text, split)
		}
		contractions := []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}
		for i, word := range split {
			if utf8.ValidString(text) && !utf8.ValidString(word) {
				t.Errorf("%q: %q ends inside a character", text, word)
			}
			if slices.Contains(contractions, word) {
				continue
			}
			classes := alike(word)
			body := classes
			if word[0] == ' ' && len(word) > 1 && classes[1] != '_' {
				body = classes[1:]
			}
			if strings.Trim(body, body[:1]) != "" {
				t.Errorf("%q: word %q mixes classes", text, word)
			}
			if body[0] == '_' && i+1 < len(split) && len(body) > 1 {
				// \s+(?!\S): it stops before a last space.
				if c, _ := classify(split[i+1]); c != space {
					t.Errorf("%q: %q took the space of %q", text, word, split[i+1])
				}
			}
		}
	})
}
