package logits

import (
	"fmt"

	"decodingplayground/core/spec"
)

var forcedBOSKind = spec.Kind[Processor]{
	Name: "forced_bos_token_id", Label: "Forced second token", Letter: "B", Group: "Length",
	Doc:     "After a prompt of one token this token must come.",
	Formula: "|x| = 1 ⇒ s(b) ← 0, sₜ ← −∞ (t ≠ b)",
	Source:  "transformers ForcedBOSTokenLogitsProcessor",
	Params:  []spec.Param{tokens("forced_bos_token_id", "Token", "The token that must come.")},
	New: func(a spec.Args) (Processor, error) {
		ids := flatten(a.Seq["forced_bos_token_id"])
		if len(ids) > 1 {
			return nil, fmt.Errorf("forced_bos_token_id: %d tokens, want one", len(ids))
		}
		return forcedBOS(ids), nil
	},
}

// forcedBOS leaves only its token, with score 0, when the text is one token
// long. It brings the token back if it was removed.
type forcedBOS []int

func (f forcedBOS) Process(c Context, scores []float32) {
	if len(c.IDs) == 1 {
		force(scores, f)
	}
}

func (f forcedBOS) checkVocab(vocab int) error {
	return checkTokens("forced_bos_token_id", f, vocab)
}

var forcedEOSKind = spec.Kind[Processor]{
	Name: "forced_eos_token_id", Label: "Forced last token", Letter: "E", Group: "Length",
	Doc:     "As the last token that fits, one of these must come.",
	Formula: "|x| = max_length − 1 ⇒ s(e) ← 0, sₜ ← −∞ (t ≠ e)",
	Source:  "transformers ForcedEOSTokenLogitsProcessor",
	Params:  []spec.Param{tokens("forced_eos_token_id", "Tokens", "The tokens of which one must come.")},
	New:     func(a spec.Args) (Processor, error) { return forcedEOS(flatten(a.Seq["forced_eos_token_id"])), nil },
}

// forcedEOS leaves only its tokens, all with score 0, when one more token makes
// the text MaxLength long. It brings them back if they were removed.
type forcedEOS []int

func (f forcedEOS) Process(c Context, scores []float32) {
	if len(c.IDs) == c.MaxLength-1 {
		force(scores, f)
	}
}

func (f forcedEOS) checkVocab(vocab int) error {
	return checkTokens("forced_eos_token_id", f, vocab)
}

// force gives ids score 0 and removes all others. It does nothing when the
// vocabulary has none of them.
func force(scores []float32, ids []int) {
	cleared := false
	for _, id := range ids {
		if id < 0 || id >= len(scores) {
			continue
		}
		if !cleared {
			keepOnly(scores, -1)
			cleared = true
		}
		scores[id] = 0
	}
}
