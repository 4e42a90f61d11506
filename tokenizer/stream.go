package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// Stream puts a text together from pieces as they come: a character is given
// out as soon as its last byte is there, and never half of it. Its zero value
// is an empty text.
type Stream struct{ pending []byte }

// Add takes the bytes of the next token and returns the text that is complete
// now. Bytes that can become no character come out as U+FFFD, one for each
// broken character, as browsers and Python decode them.
func (s *Stream) Add(piece []byte) string {
	text, rest := Cut(append(s.pending, piece...))
	s.pending = rest
	return text
}

// Pending are the bytes that wait for the rest of their character, at most
// three. They are not to be changed.
func (s *Stream) Pending() []byte { return s.pending }

// Close ends the text: what is pending comes out as U+FFFD.
func (s *Stream) Close() string {
	if len(s.pending) == 0 {
		return ""
	}
	s.pending = nil
	return string(utf8.RuneError)
}

// Cut splits bytes into the text that is complete and the start of a last
// character, which is part of bytes. See Stream for what is no UTF-8.
func Cut(bytes []byte) (text string, rest []byte) {
	var out strings.Builder
	for len(bytes) > 0 {
		if !utf8.FullRune(bytes) {
			break
		}
		r, n := utf8.DecodeRune(bytes)
		if r == utf8.RuneError && n == 1 {
			n = broken(bytes)
		}
		out.WriteRune(r)
		bytes = bytes[n:]
	}
	return out.String(), bytes
}

// broken is the length of the character that bytes begins and doesn't end: the
// longest run that could have become one, at least a byte.
func broken(bytes []byte) int {
	n := 1
	for n < len(bytes) && !utf8.FullRune(bytes[:n]) {
		n++
	}
	return max(1, n-1)
}

// Text is the whole of bytes as a string, as Stream gives it.
func Text(bytes []byte) string {
	text, rest := Cut(bytes)
	if len(rest) > 0 {
		text += string(utf8.RuneError)
	}
	return text
}
