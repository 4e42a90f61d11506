package gpt2

import "fmt"

// EarlyExit is a model of m's first n blocks, with m's embeddings, last norm and
// head: a cheap draft of m (transformers' assistant_early_exit). It shares m's
// weights. n must be at least 1 and less than m has.
func (m *Model) EarlyExit(n int) (*Model, error) {
	if n < 1 || n >= len(m.blocks) {
		return nil, fmt.Errorf("assistant_early_exit: %d, want 1 to %d", n, len(m.blocks)-1)
	}
	early := *m
	early.cfg.NLayer, early.blocks, early.work = n, m.blocks[:n:n], work{}
	return &early, nil
}
