package logits

import (
	"errors"
	"slices"

	"decodingplayground/core/spec"
)

var badWordsKind = spec.Kind[Processor]{
	Name: "bad_words_ids", Label: "Bad words", Letter: "b", Group: "Ban",
	Doc:     "Forbids these words: their last token is cut where the ones before it have just come.",
	Formula: "x₋ₙ … x₋₁ t = w ⇒ sₜ ← −∞",
	Source:  "transformers NoBadWordsLogitsProcessor",
	Params:  []spec.Param{tokens("bad_words_ids", "Words", "The words, each a run of tokens.")},
	New: func(a spec.Args) (Processor, error) {
		list, given := a.Seq["bad_words_ids"]
		if given && len(list) == 0 {
			return nil, errors.New("bad_words_ids: an empty list, want at least one word")
		}
		return badWords(list), nil
	},
}

// badWords removes the last token of a word when the text ends in the tokens
// before it. A word that is just one end-of-sequence token is passed over. It
// may remove all tokens.
type badWords []spec.Sequence

func (b badWords) Process(c Context, scores []float32) {
	for _, word := range b {
		if len(word.IDs) == 1 && slices.Contains(c.EOS, word.IDs[0]) {
			continue
		}
		if last, ok := completes(c.IDs, word.IDs); ok {
			remove(scores, []int{last})
		}
	}
}

func (b badWords) checkVocab(vocab int) error {
	return checkTokens("bad_words_ids", flatten(b), vocab)
}

// completes gives the last token of word when text ends in those before it.
//
// transformers 4 skips a word one token longer than the text although the text
// is its start; 5.x, followed here, does not.
func completes(text, word []int) (last int, ok bool) {
	n := len(word) - 1
	if n < 0 || n > len(text) || !slices.Equal(text[len(text)-n:], word[:n]) {
		return 0, false
	}
	return word[n], true
}
