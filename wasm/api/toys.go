package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"decodingplayground/core/lm/table"
)

func (a *App) modelToy(p ModelToy) (ModelInfo, error) {
	toys, err := table.ParseToys([]byte(p.Toys))
	if err != nil {
		return ModelInfo{}, badModel(err)
	}
	toy, ok := toys[p.Name]
	if !ok {
		return ModelInfo{}, Error{Code: "bad_request", Message: fmt.Sprintf("name: no toy is called %q", p.Name)}
	}
	m, err := table.NewToy(toy)
	if err != nil {
		return ModelInfo{}, badModel(err)
	}
	text, err := json.Marshal(toy)
	if err != nil {
		return ModelInfo{}, badModel(err)
	}
	sum := sha256.Sum256(text)
	handle := a.handle()
	info := ModelInfo{
		Model: handle, ID: "toy:" + p.Name, Name: p.Name, Hash: hex.EncodeToString(sum[:]),
		Context: m.Info().Context, Vocab: m.Info().Vocab, EOS: toy.EOS,
		Toy: true, Prompt: toy.Prompt, PromptIDs: toy.Context,
	}
	a.models[handle] = &model{Model: m, info: info, words: toyWords{toy}}
	return info, nil
}

// toyWords are a toy's words; spaces around them don't count.
type toyWords struct{ table.Toy }

func (w toyWords) encode(text string) ([]int, error) {
	var ids []int
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		best := -1
		for id, word := range w.Vocab {
			if word != "" && strings.HasPrefix(text, word) && (best < 0 || len(word) > len(w.Vocab[best])) {
				best = id
			}
		}
		if best < 0 {
			return nil, fmt.Errorf("text: %.20q, want words of %q", text, w.Vocab)
		}
		ids = append(ids, best)
		text = text[len(w.Vocab[best]):]
	}
	return ids, nil
}

func (w toyWords) piece(id int) []byte { return w.Piece(id) }
func (w toyWords) endOfText() int      { return -1 }
