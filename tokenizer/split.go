package tokenizer

import (
	"unicode"
	"unicode/utf8"
)

// GPT-2 cuts a text into words before it merges bytes. Its pattern is
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// written out here by hand, since package regexp has no lookahead. Letters,
// numbers and white space are Unicode's, as package unicode has them.

// class is what the pattern knows of a character.
type class byte

const (
	other class = iota // marks, symbols, punctuation, controls, stray bytes
	letter
	number
	space
)

// firstWord is the length in bytes of the first word of text, which is not
// empty.
func firstWord(text string) int {
	if n := contraction(text); n > 0 {
		return n
	}
	start := 0
	if text[0] == ' ' && len(text) > 1 {
		start = 1 // a word takes one space before it along
	}
	if c, n := classify(text[start:]); c != space {
		start += n
		return start + runLength(text[start:], c)
	}
	return spaceLength(text)
}

// contraction is the length of the ending that text begins with, or 0. Upper
// case is none: GPT-2 cuts "I'LL" into "I", "'", "LL".
func contraction(text string) int {
	if text[0] != '\'' {
		return 0
	}
	if len(text) >= 3 {
		switch text[1:3] {
		case "re", "ve", "ll":
			return 3
		}
	}
	if len(text) >= 2 {
		switch text[1] {
		case 's', 't', 'm', 'd':
			return 2
		}
	}
	return 0
}

// spaceLength is the length of the word of white space that text begins with.
// A run leaves its last character to the word that follows, as \s+(?!\S) does,
// unless it has no other.
func spaceLength(text string) int {
	last, end := 0, 0
	for end < len(text) {
		c, n := classify(text[end:])
		if c != space {
			break
		}
		last, end = end, end+n
	}
	if end == len(text) || last == 0 {
		return end
	}
	return last
}

// runLength is how far text goes on in class c.
func runLength(text string, c class) int {
	end := 0
	for end < len(text) {
		d, n := classify(text[end:])
		if d != c {
			break
		}
		end += n
	}
	return end
}

// classify gives the class and the length of the first character. A byte that
// is no UTF-8 is a character of its own.
func classify(text string) (class, int) {
	r, n := rune(text[0]), 1
	if r >= utf8.RuneSelf {
		r, n = utf8.DecodeRuneInString(text)
	}
	switch {
	case unicode.IsLetter(r):
		return letter, n
	case unicode.IsNumber(r):
		return number, n
	case unicode.IsSpace(r):
		return space, n
	}
	return other, n
}
