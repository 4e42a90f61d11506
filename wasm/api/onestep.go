package api

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"decodingplayground/core/lm/table"
	"decodingplayground/tokenizer"
)

func (a *App) modelStep(p ModelStep, bulk Bulk) (ModelInfo, error) {
	t := tokenizer.GPT2()
	if bulk.Len != 4*t.Vocab() {
		return ModelInfo{}, badModel(fmt.Errorf("step: %d bytes of logits, want %d", bulk.Len, 4*t.Vocab()))
	}
	raw := make([]byte, bulk.Len)
	bulk.Copy(raw)
	logits := make([]float32, t.Vocab())
	for id := range logits {
		logits[id] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*id:]))
	}
	ids := t.Encode(p.Prompt)
	m, err := table.NewStep(logits, len(ids))
	if err != nil {
		return ModelInfo{}, badModel(err)
	}
	sum := sha256.Sum256(raw)
	handle := a.handle()
	info := ModelInfo{
		Model: handle, ID: "step:" + p.Name, Name: p.Name, Hash: hex.EncodeToString(sum[:]),
		Context: m.Info().Context, Vocab: m.Info().Vocab, EOS: t.EndOfText(),
		Prompt: p.Prompt, PromptIDs: ids,
	}
	a.models[handle] = &model{Model: m, info: info, words: gpt2Words{t}}
	return info, nil
}
