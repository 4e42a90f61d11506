package tokenizer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// The files that OpenAI published with GPT-2.
const (
	vocabSHA256  = "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783"
	mergesSHA256 = "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5"
)

// TestPublishedFiles writes both files from the packed merges, and so proves
// that no piece, id or rank differs from the published ones.
func TestPublishedFiles(t *testing.T) {
	for _, file := range []struct{ name, text, want string }{
		{"vocab.json", vocabJSON(GPT2()), vocabSHA256},
		{"merges.txt", mergesTxt(gpt2Merges), mergesSHA256},
	} {
		sum := sha256.Sum256([]byte(file.text))
		if got := hex.EncodeToString(sum[:]); got != file.want {
			t.Errorf("%s: sha256 %s, want %s", file.name, got, file.want)
		}
	}
}

func TestNewIsGPT2(t *testing.T) {
	want := GPT2()
	got, err := New([]byte(vocabJSON(want)), []byte(mergesTxt(gpt2Merges)))
	if err != nil {
		t.Fatal(err)
	}
	if got.Vocab() != 50257 || got.Vocab() != want.Vocab() || got.EndOfText() != want.EndOfText() {
		t.Fatalf("%d tokens, end %d; want %d, %d", got.Vocab(), got.EndOfText(), want.Vocab(), want.EndOfText())
	}
	if string(got.pieces.bytes) != string(want.pieces.bytes) || got.byteIDs != want.byteIDs {
		t.Error("pieces differ from GPT2's")
	}
	for _, s := range want.merges.slots {
		if p := s.key - 1; s.used() && got.merges.get(p) != s.merge {
			t.Fatalf("pair %x: %v, want %v", p, got.merges.get(p), s.merge)
		}
	}
}

// vocabJSON is the vocabulary as Python's json.dumps writes it.
func vocabJSON(t *Tokenizer) string {
	var b strings.Builder
	for id := range t.Vocab() {
		b.WriteString(", \"")
		for _, r := range toWritten(t.Piece(id)) {
			switch {
			case r == '"' || r == '\\':
				fmt.Fprintf(&b, "\\%c", r)
			case r > '~':
				fmt.Fprintf(&b, "\\u%04x", r)
			default:
				b.WriteRune(r)
			}
		}
		fmt.Fprintf(&b, "\": %d", id)
	}
	return "{" + b.String()[2:] + "}"
}

func mergesTxt(packed []byte) string {
	var b strings.Builder
	b.WriteString("#version: 0.2\n")
	for i := 0; i < len(packed); i += 4 {
		left := int(packed[i]) | int(packed[i+1])<<8
		right := int(packed[i+2]) | int(packed[i+3])<<8
		fmt.Fprintf(&b, "%s %s\n", toWritten(GPT2().Piece(left)), toWritten(GPT2().Piece(right)))
	}
	return b.String()
}

// toWritten is the piece as the files write it.
func toWritten(bytes []byte) string {
	runes := make([]rune, 0, len(bytes))
	for _, b := range bytes {
		runes = append(runes, byteRune[b])
	}
	return string(runes)
}

func BenchmarkUnpack(b *testing.B) {
	for b.Loop() {
		unpack(gpt2Merges)
	}
}
