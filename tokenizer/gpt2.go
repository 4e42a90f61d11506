package tokenizer

import (
	_ "embed"
	"encoding/binary"
	"sync"
)

// GPT-2's vocabulary follows from its merges: ids 0 to 255 are the bytes in
// byteOrder, id 256+i is what merge i makes, the last is <|endoftext|>. So of
// OpenAI's two files only the pairs of ids are kept. They load in a few
// milliseconds, where the text takes a quarter of a second under wasm.

// gpt2Merges has four bytes a merge: its left and right id, little-endian. Made
// by gen.go.
//
//go:embed gpt2.merges
var gpt2Merges []byte

// GPT2 returns GPT-2's own tokenizer, 50,257 tokens. The first call makes it.
var GPT2 = sync.OnceValue(func() *Tokenizer { return unpack(gpt2Merges) })

func unpack(merges []byte) *Tokenizer {
	n := len(merges) / 4
	t := &Tokenizer{merges: newTable(n), endOfText: len(byteOrder) + n}
	t.pieces.grow(len(byteOrder)+n+1, 7) // GPT-2's pieces are 6.4 bytes on average
	for id, b := range byteOrder {
		t.pieces.add([]byte{b})
		t.byteIDs[b] = int32(id)
	}
	for rank := range n {
		left := binary.LittleEndian.Uint16(merges[4*rank:])
		right := binary.LittleEndian.Uint16(merges[4*rank+2:])
		id := len(byteOrder) + rank
		t.merges.set(pairOf(int32(left), int32(right)), merge{rank: int32(rank), id: int32(id)})
		t.pieces.add(t.pieces.at(int(left)), t.pieces.at(int(right)))
	}
	t.pieces.add([]byte(endOfText))
	return t
}
