package logits

import (
	"fmt"

	"decodingplayground/core/spec"
)

// minTokensToKeep is the parameter that the filters share.
var minTokensToKeep = spec.Param{
	Name: "min_tokens_to_keep", Label: "Keep at least", Type: spec.Integer,
	Doc:     "At least this many tokens stay.",
	Default: 1, Min: 1, Max: 1000, Off: 1, HasOff: true,
	Low: 1, High: 10, Step: 1, Scale: spec.Linear,
}

// keepOf is how many tokens a filter with that setting must leave at this step.
func keepOf(setting int, c Context) int { return max(setting, c.MinTokensToKeep, 1) }

// flag is a parameter that is on or off, and off to begin with.
func flag(name, label, doc string) spec.Param {
	return spec.Param{
		Name: name, Label: label, Doc: doc, Type: spec.Flag,
		Max: 1, HasOff: true, High: 1, Step: 1, Scale: spec.Linear,
	}
}

// tokens is a parameter that is a list of token sequences, empty to begin with.
func tokens(name, label, doc string) spec.Param {
	return spec.Param{Name: name, Label: label, Doc: doc, Type: spec.Sequences}
}

// flatten joins the entries of a list whose every token counts by itself.
func flatten(list []spec.Sequence) []int {
	var ids []int
	for _, s := range list {
		ids = append(ids, s.IDs...)
	}
	return ids
}

// checkTokens refuses ids that the vocabulary lacks.
func checkTokens(param string, ids []int, vocab int) error {
	for _, id := range ids {
		if id >= vocab {
			return fmt.Errorf("%s: token %d, want 0 to %d", param, id, vocab-1)
		}
	}
	return nil
}

// remove takes tokens out; ids outside the vocabulary are passed over.
func remove(scores []float32, ids []int) {
	for _, id := range ids {
		if id >= 0 && id < len(scores) {
			scores[id] = gone
		}
	}
}
