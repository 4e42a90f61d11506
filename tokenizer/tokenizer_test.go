package tokenizer

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"decodingplayground/core/golden"
)

func TestOracleGPT2(t *testing.T) {
	const file = "tokenizer_gpt2.json"
	var oracle struct {
		Cases []struct {
			Text string
			IDs  []int
		}
	}
	golden.Read(t, file, &oracle)
	if len(oracle.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range oracle.Cases {
		if got := GPT2().Encode(c.Text); !slices.Equal(got, c.IDs) {
			t.Errorf("Encode(%q) = %v, want %v", c.Text, got, c.IDs)
		}
		if got := GPT2().Decode(c.IDs); string(got) != c.Text {
			t.Errorf("Decode(%v) = %q, want %q", c.IDs, got, c.Text)
		}
	}
	golden.Count(t, file, "encode", len(oracle.Cases))
}

func TestOracle(t *testing.T) {
	const file = "tokenizer.json"
	var oracle struct {
		Tokenizer string
		Cases     []struct {
			Text, Decoded string
			IDs           []int
			Tokens        []string
		}
		Decode []struct {
			IDs  []int
			Text string
		}
	}
	golden.Read(t, file, &oracle)
	tok, err := New(golden.Bytes(t, oracle.Tokenizer+"/vocab.json"), golden.Bytes(t, oracle.Tokenizer+"/merges.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if len(oracle.Cases) == 0 || len(oracle.Decode) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range oracle.Cases {
		if got := tok.EncodeSpecial(c.Text); !slices.Equal(got, c.IDs) {
			t.Errorf("EncodeSpecial(%q) = %v, want %v", c.Text, got, c.IDs)
		}
		if got := Text(tok.Decode(c.IDs)); got != c.Decoded {
			t.Errorf("text of %v = %q, want %q", c.IDs, got, c.Decoded)
		}
		for i, id := range c.IDs {
			if got := toWritten(tok.Piece(id)); got != c.Tokens[i] {
				t.Errorf("piece of %d = %q, want %q", id, got, c.Tokens[i])
			}
		}
	}
	for _, c := range oracle.Decode {
		if got := Text(tok.Decode(c.IDs)); got != c.Text {
			t.Errorf("text of %v = %q, want %q", c.IDs, got, c.Text)
		}
	}
	golden.Count(t, file, "encode", len(oracle.Cases))
	golden.Count(t, file, "decode", len(oracle.Decode))
}

// TestEncode has what other tokenizers got wrong; the pieces are parted by |.
func TestEncode(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"Hello", "Hello"},
		{"we'll", "we|'ll"},
		{"I'LL", "I|'|LL"},
		{"it''s", "it|''|s"},
		{"is ?", "is| ?"},
		{"The capital of France is ", "The| capital| of| France| is| "},
		{"a  b", "a| | b"},
		{"a\n\nb", "a|\n|\n|b"},
		{"a \n", "a| |\n"},
		{"a\tb", "a|\t|b"},
		{"\t\tb", "\t|\t|b"},
		{"<|endoftext|>", "<|‖|end|of|text|‖|>"},
		{"\x00a\x00", "\x00|a|\x00"},
		{"e\u0301", "e|\xcc|\x81"},
		{"1000000", "1|000000"},
		{"x²½٣", "x|²|½|\xd9|\xa3"},
		{"a\u00a0b", "a|\u00a0|b"},
		{"\u3000\u3000b", "\xe3\x80|\x80|\xe3\x80|\x80|b"},
		{"\u212a ſ", "\xe2|\x84|\xaa| \xc5|\xbf"},
	} {
		ids := GPT2().Encode(c.text)
		var got []string
		for _, id := range ids {
			got = append(got, strings.ReplaceAll(string(GPT2().Piece(id)), "|", "‖"))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("Encode(%q) = %q, want %q", c.text, s, c.want)
		}
	}
}

func TestEncodeIDs(t *testing.T) {
	for _, c := range []struct {
		text string
		ids  []int
	}{
		{"Hello", []int{15496}},
		{"y is ?", []int{88, 318, 5633}},
		{"hello 👋 world 🌍", []int{31373, 50169, 233, 995, 12520, 234, 235}},
		{"\ufffd", []int{4210}},
		{" ", []int{220}},
	} {
		if got := GPT2().Encode(c.text); !slices.Equal(got, c.ids) {
			t.Errorf("Encode(%q) = %v, want %v", c.text, got, c.ids)
		}
		if got := GPT2().Decode(c.ids); string(got) != c.text {
			t.Errorf("Decode(%v) = %q, want %q", c.ids, got, c.text)
		}
	}
}

func TestEndOfTextIsPlainText(t *testing.T) {
	tok := GPT2()
	if got := tok.Piece(tok.EndOfText()); string(got) != endOfText {
		t.Fatalf("piece of %d is %q", tok.EndOfText(), got)
	}
	for _, text := range []string{endOfText, "a" + endOfText, endOfText + endOfText} {
		if n := count(tok.EncodeSpecial(text), tok.EndOfText()); n != strings.Count(text, endOfText) {
			t.Errorf("EncodeSpecial(%q) has %d special tokens", text, n)
		}
		if ids := tok.Encode(text); slices.Contains(ids, tok.EndOfText()) {
			t.Errorf("Encode(%q) = %v has the special token", text, ids)
		}
	}
}

func count(ids []int, id int) int {
	n := 0
	for _, i := range ids {
		if i == id {
			n++
		}
	}
	return n
}

// TestPieces: every token but <|endoftext|> is what its own bytes encode to,
// as long as they are one word.
func TestPieces(t *testing.T) {
	tok := GPT2()
	for id := range tok.Vocab() {
		piece := string(tok.Piece(id))
		if piece == "" {
			t.Fatalf("piece of %d is empty", id)
		}
		if id == tok.EndOfText() || firstWord(piece) < len(piece) {
			continue
		}
		if got := tok.Encode(piece); !slices.Equal(got, []int{id}) {
			t.Errorf("Encode(%q) = %v, want %d", piece, got, id)
		}
	}
}

func TestID(t *testing.T) {
	tok := GPT2()
	for _, id := range []int{0, 220, 464, 50256} {
		if got, ok := tok.ID(tok.Piece(id)); !ok || got != id {
			t.Errorf("ID(%q) = %d, %v; want %d", tok.Piece(id), got, ok, id)
		}
	}
	for _, piece := range []string{"", "no such piece"} {
		if got, ok := tok.ID([]byte(piece)); ok {
			t.Errorf("ID(%q) = %d, want none", piece, got)
		}
	}
}

func TestOutsideVocabulary(t *testing.T) {
	tok := GPT2()
	for _, id := range []int{-1, 50257, 1 << 40} {
		if got := tok.Piece(id); got != nil {
			t.Errorf("Piece(%d) = %q, want none", id, got)
		}
		if got := tok.Decode([]int{39, id, 39}); string(got) != "HH" {
			t.Errorf("Decode with %d = %q, want HH", id, got)
		}
	}
}

func TestPieceIsTheCallers(t *testing.T) {
	GPT2().Piece(464)[0] = '?'
	if got := GPT2().Piece(464); string(got) != "The" {
		t.Errorf("piece changed to %q", got)
	}
}

// TestConcurrent is for the race detector.
func TestConcurrent(t *testing.T) {
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			text := "The cat ran after a " + strings.Repeat("^", 100)
			if got := GPT2().Decode(GPT2().Encode(text)); string(got) != text {
				t.Errorf("got %q", got)
			}
		})
	}
	wait.Wait()
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("The cat ran after a"))
	f.Add([]byte("\x00\xff\xf0\x9f\x91 '\u2028 's"))
	f.Add(bytes.Repeat([]byte("^"), 100))
	f.Fuzz(func(t *testing.T, text []byte) {
		ids := GPT2().Encode(string(text))
		if got := GPT2().Decode(ids); !bytes.Equal(got, text) {
			t.Errorf("%q comes back as %q", text, got)
		}
		var s Stream
		streamed := ""
		for _, id := range ids {
			streamed += s.Add(GPT2().Piece(id))
			if len(s.Pending()) > 3 {
				t.Errorf("pending: % x", s.Pending())
			}
		}
		streamed += s.Close()
		if whole := Text(text); streamed != whole {
			t.Errorf("streamed %q, whole %q", streamed, whole)
		}
		if utf8.Valid(text) && streamed != string(text) {
			t.Errorf("streamed %q, want %q", streamed, text)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"prose", strings.Repeat("The cat ran after a little mouse, and it didn't stop.\n", 20_000)},
		{"one word of a million a", strings.Repeat("a", 1_000_000)},
		{"one word of a million ^", strings.Repeat("^", 1_000_000)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			GPT2()
			b.SetBytes(int64(len(bench.text)))
			for b.Loop() {
				GPT2().Encode(bench.text)
			}
		})
	}
}
