package tokenizer

import (
	"slices"
	"testing"
)

func TestStream(t *testing.T) {
	for _, c := range []struct {
		name   string
		pieces []string
		want   []string
		rest   string // pending at the end
		closed string
	}{
		{"whole", []string{"The", " cat"}, []string{"The", " cat"}, "", ""},
		{"byte by byte", []string{"\xf0", "\x9f", "\x91", "\x8b"}, []string{"", "", "", "👋"}, "", ""},
		{
			"two emoji in a row",
			[]string{" \xf0\x9f", "\x91\x8b", "\xf0\x9f\x8c", "\x8d!"},
			[]string{" ", "👋", "", "🌍!"},
			"", "",
		},
		{"one ends, one begins", []string{"\xc3", "\xa9\xc3", "\xa9"}, []string{"", "é", "é"}, "", ""},
		{"never ends", []string{"a\xf0\x9f\x91"}, []string{"a"}, "\xf0\x9f\x91", "\ufffd"},
		{"broken off", []string{"\xf0\x9f", "a"}, []string{"", "\ufffda"}, "", ""},
		{"no start", []string{"\x8b", "\xff"}, []string{"\ufffd", "\ufffd"}, "", ""},
		{"surrogate", []string{"\xed", "\xa0\x80"}, []string{"", "\ufffd\ufffd\ufffd"}, "", ""},
		{"over-long", []string{"\xc0\x80"}, []string{"\ufffd\ufffd"}, "", ""},
		{"U+FFFD itself", []string{"\xef\xbf", "\xbd"}, []string{"", "\ufffd"}, "", ""},
		{"NUL", []string{"\x00"}, []string{"\x00"}, "", ""},
		{"empty", []string{"", "a", ""}, []string{"", "a", ""}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s Stream
			var got []string
			for _, p := range c.pieces {
				got = append(got, s.Add([]byte(p)))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if string(s.Pending()) != c.rest {
				t.Errorf("pending %q, want %q", s.Pending(), c.rest)
			}
			if closed := s.Close(); closed != c.closed || len(s.Pending()) > 0 {
				t.Errorf("closed %q, want %q", closed, c.closed)
			}
		})
	}
}

// TestStreamCopies: a piece that changes later doesn't change what is pending.
func TestStreamCopies(t *testing.T) {
	var s Stream
	piece := []byte("\xc3")
	s.Add(piece)
	piece[0] = 'x'
	if got := s.Add([]byte("\xa9")); got != "é" {
		t.Errorf("got %q, want é", got)
	}
}
