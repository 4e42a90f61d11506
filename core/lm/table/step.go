package table

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// NewStep makes a model that knows one step: the logits of the token that
// follows a prompt of read tokens, whichever they are. The context ends with
// the prompt, so that one token can be chosen and none after it. Before the end
// of the prompt nothing is known, and all tokens are alike. It keeps the slice.
func NewStep(logits []float32, read int) (*Model, error) {
	if len(logits) == 0 {
		return nil, errors.New("step: no logits")
	}
	for id, v := range logits {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, fmt.Errorf("step: logit %d: %v, want a finite number", id, v)
		}
	}
	if read < 1 {
		return nil, fmt.Errorf("step: a prompt of %d tokens, want at least 1", read)
	}

	// State 1 is the end of the prompt, state 0 is before it.
	m := &Model{vocab: len(logits), context: read, start: -1, hidden: [][]float32{{0}, {1}}}
	m.next = func(p past, _ int) int {
		if p.read+1 == read {
			return 1
		}
		return 0
	}
	m.logits = func(state int) []float32 {
		if state == 0 {
			return make([]float32, len(logits))
		}
		return slices.Clone(logits)
	}
	m.early = func(int) []float32 { return m.hidden[0] }
	return m, m.index(func(state int) string { return fmt.Sprintf("state %d", state) })
}
