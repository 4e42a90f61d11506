package gpt2

import (
	"fmt"

	"decodingplayground/core/lm"
)

// Model is GPT-2 with its weights. It implements lm.Model.
type Model struct {
	cfg Config
	weights
}

func newModel(cfg Config, w weights) *Model { return &Model{cfg, w} }

// Info implements lm.Model.
func (m *Model) Info() lm.Info { return lm.Info{Vocab: m.cfg.VocabSize, Context: m.cfg.NPositions} }

// Config is what the model was made from.
func (m *Model) Config() Config { return m.cfg }

// Forward implements lm.Model.
func (m *Model) Forward(batch ...lm.Input) ([]lm.Output, error) {
	return nil, fmt.Errorf("forward: not here")
}

// Head implements lm.Model.
func (m *Model) Head(hidden ...[]float32) [][]float32 { return nil }
