package tokenizer

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// naive merges as the rule says it: the leftmost pair of the lowest rank,
// until there is none.
func naive(t *Tokenizer, word string) []int {
	ids := make([]int32, len(word))
	for i := range ids {
		ids[i] = t.byteIDs[word[i]]
	}
	for {
		best, at := noMerge, 0
		for i := 0; i+1 < len(ids); i++ {
			if m := t.merges.get(pairOf(ids[i], ids[i+1])); m.rank < best.rank {
				best, at = m, i
			}
		}
		if best.id < 0 {
			break
		}
		ids = slices.Replace(ids, at, at+2, best.id)
	}
	var out []int
	for _, id := range ids {
		out = append(out, int(id))
	}
	return out
}

// TestMerge: the short and the long way do what the rule says.
func TestMerge(t *testing.T) {
	tok := GPT2()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		alphabet := []string{"a", "ab", "the ing", "^=-", "\x80\x81\xe3", "aeinorst"}[rng.IntN(6)]
		word := make([]byte, 1+rng.IntN(80))
		for i := range word {
			word[i] = alphabet[rng.IntN(len(alphabet))]
		}
		want := naive(tok, string(word))
		if got := tok.appendLong(nil, string(word)); !slices.Equal(got, want) {
			t.Fatalf("long %q: %v, want %v", word, got, want)
		}
		if len(word) > shortWord {
			continue
		}
		if got := tok.appendShort(nil, string(word)); !slices.Equal(got, want) {
			t.Fatalf("short %q: %v, want %v", word, got, want)
		}
	}
}

// TestMergeOrder has merges whose parts come later in the list than they do:
// what is new may have to be merged before what waits.
func TestMergeOrder(t *testing.T) {
	tok := tiny(t, []string{"ab", "abc", "cd", "abcd"}, "ab c\nc d\na b\nab cd\n")
	for _, c := range []struct{ text, want string }{
		{"abcd", "abcd"},
		{"abc", "abc"},
		{"abab", "ab|ab"},
	} {
		for _, merge := range []func([]int, string) []int{tok.appendShort, tok.appendLong} {
			var got []string
			for _, id := range merge(nil, c.text) {
				got = append(got, string(tok.Piece(id)))
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("%q: %s, want %s", c.text, s, c.want)
			}
		}
	}
}

// TestMergeGrowth: four times the word takes about four times as long, where a
// quadratic merge takes sixteen. A busy machine gets more than one try.
func TestMergeGrowth(t *testing.T) {
	tok := GPT2()
	measure := func(n int) time.Duration {
		word := strings.Repeat("^", n)
		start := time.Now()
		tok.appendLong(nil, word)
		return time.Since(start)
	}
	const n = 50_000
	one, four := measure(n), measure(4*n)
	for try := 0; four > 10*one; try++ {
		if try == 10 {
			t.Fatalf("%d bytes take %v, %d take %v", n, one, 4*n, four)
		}
		one, four = min(one, measure(n)), min(four, measure(4*n))
	}
}

// TestMillion: a word of a million bytes is one that a user can paste.
func TestMillion(t *testing.T) {
	for _, c := range []struct {
		text string
		last int // tokens at most
	}{{"a", 250_000}, {"^", 300_000}, {"\xf0\x9f\x91\x8b", 500_000}} {
		text := strings.Repeat(c.text, 1_000_000/len(c.text))
		ids := GPT2().Encode(text)
		if got := string(GPT2().Decode(ids)); got != text {
			t.Errorf("%q: comes back changed, %d bytes", c.text, len(got))
		}
		if len(ids) > c.last {
			t.Errorf("%q: %d tokens, want at most %d", c.text, len(ids), c.last)
		}
	}
}
