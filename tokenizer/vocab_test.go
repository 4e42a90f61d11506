package tokenizer

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
)

// tinyVocab has the bytes, the given pieces and <|endoftext|>.
func tinyVocab(more ...string) map[string]int {
	ids := map[string]int{}
	for _, r := range byteRune {
		ids[string(r)] = len(ids)
	}
	for _, piece := range append(more, endOfText) {
		ids[piece] = len(ids)
	}
	return ids
}

func tiny(t *testing.T, more []string, merges string) *Tokenizer {
	t.Helper()
	vocab, err := json.Marshal(tinyVocab(more...))
	if err != nil {
		t.Fatal(err)
	}
	tok, err := New(vocab, []byte(merges))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func TestNew(t *testing.T) {
	tok := tiny(t, []string{"Ġa", "Ġab", "日本"}, "#version: 0.2\nĠ a\r\n\nĠa b")
	if tok.Vocab() != 260 || tok.EndOfText() != 259 {
		t.Errorf("%d tokens, end %d; want 260, 259", tok.Vocab(), tok.EndOfText())
	}
	if ids := tok.Encode(" ab"); len(ids) != 1 || string(tok.Piece(ids[0])) != " ab" {
		t.Errorf("Encode gives %v, want one token", ids)
	}
	// Characters that stand for no byte: a token that was added as text.
	if got := string(tok.Piece(258)); got != "日本" {
		t.Errorf("added token: %q", got)
	}
}

func TestNewWithoutEndOfText(t *testing.T) {
	ids := tinyVocab()
	delete(ids, endOfText)
	vocab, _ := json.Marshal(ids)
	tok, err := New(vocab, nil)
	if err != nil {
		t.Fatal(err)
	}
	if tok.EndOfText() != -1 {
		t.Errorf("end %d, want -1", tok.EndOfText())
	}
}

func TestNewErrors(t *testing.T) {
	change := func(f func(map[string]int)) string {
		ids := maps.Clone(tinyVocab("ab"))
		f(ids)
		vocab, _ := json.Marshal(ids)
		return string(vocab)
	}
	good := change(func(map[string]int) {})
	for _, c := range []struct{ name, vocab, merges, want string }{
		{"no JSON", "{", "", "vocab.json: unexpected end"},
		{"null", "null", "", "no piece"},
		{"not a map", "[1]", "", "vocab.json: json"},
		{"id too large", change(func(m map[string]int) { m["ab"] = 1 << 30 }), "", `id of "ab": 1073741824, want 0 to 257`},
		{"negative id", change(func(m map[string]int) { m["ab"] = -1 }), "", `id of "ab": -1, want 0 to 257`},
		{"two pieces, one id", change(func(m map[string]int) { m["ab"] = 7 }), "", "id 7: given to"},
		{"no byte", change(func(m map[string]int) { m["é!"] = m["Ġ"]; delete(m, "Ġ") }), "", "no piece 'Ġ', which is byte 0x20"},
		{"one part", good, "a b\nab\n", "merges.txt: line 2: want two pieces"},
		{"three parts", good, "a b c", "merges.txt: line 1: want two pieces"},
		{"unknown part", good, "a xyz", `line 1: "xyz" is not in the vocabulary`},
		{"unknown result", good, "#version: 0.2\nb a", `line 2: "ba" is not in the vocabulary`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := New([]byte(c.vocab), []byte(c.merges))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}
