// Package tokenizer is GPT-2's byte-level BPE: text to ids and back, the same
// as Hugging Face's GPT2TokenizerFast and OpenAI's tiktoken.
//
// Any string can be encoded, and Decode gives its bytes back, NUL and bytes
// that are no UTF-8 included. Nothing is added or trimmed. What is a letter, a
// number or white space is decided by Unicode 17, as package unicode has it.
package tokenizer

import (
	"bytes"
	"strings"
)

// Tokenizer is a vocabulary with its merges. It doesn't change once made, so
// any number of goroutines may use it.
type Tokenizer struct {
	pieces    pieces
	byteIDs   [256]int32 // id of the piece that is this byte alone
	merges    table      // two ids side by side and what they become
	endOfText int
}

// Encode returns the ids of text. No text is special: "<|endoftext|>" is split
// like any other. The time is linear in the text, but for a
// word of n bytes n log n.
func (t *Tokenizer) Encode(text string) []int {
	ids := make([]int, 0, len(text)/3+1)
	for text != "" {
		n := firstWord(text)
		ids = t.appendWord(ids, text[:n])
		text = text[n:]
	}
	return ids
}

// EncodeSpecial is Encode, but <|endoftext|> in text becomes its token where
// the vocabulary has one. So Hugging Face encodes by default.
func (t *Tokenizer) EncodeSpecial(text string) []int {
	if t.endOfText < 0 {
		return t.Encode(text)
	}
	first, rest, found := strings.Cut(text, endOfText)
	ids := t.Encode(first)
	for found {
		first, rest, found = strings.Cut(rest, endOfText)
		ids = append(append(ids, t.endOfText), t.Encode(first)...)
	}
	return ids
}

// Decode returns the bytes of ids, which may end inside a character: see
// Stream. An id outside the vocabulary has no bytes.
func (t *Tokenizer) Decode(ids []int) []byte {
	var out []byte
	for _, id := range ids {
		out = append(out, t.pieces.at(id)...)
	}
	return out
}

// Piece returns the bytes of one token, in a slice of the caller's; nil for an
// id outside the vocabulary.
func (t *Tokenizer) Piece(id int) []byte { return bytes.Clone(t.pieces.at(id)) }

// ID returns the token whose bytes are piece, the lowest id if there are
// several, or false. It looks through the whole vocabulary.
func (t *Tokenizer) ID(piece []byte) (int, bool) {
	for id := range t.Vocab() {
		if bytes.Equal(t.pieces.at(id), piece) {
			return id, true
		}
	}
	return 0, false
}

// Vocab is the number of tokens: ids are 0 to Vocab()-1.
func (t *Tokenizer) Vocab() int { return len(t.pieces.ends) }

// EndOfText is the id of <|endoftext|>, or -1 where the vocabulary has none.
// Encode never gives it.
func (t *Tokenizer) EndOfText() int { return t.endOfText }
