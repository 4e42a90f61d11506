package api

import (
	"fmt"
	"unicode/utf8"

	"decodingplayground/tokenizer"
)

// words are a model's tokens.
type words interface {
	encode(text string) ([]int, error)
	piece(id int) []byte
	endOfText() int // -1: none
}

func (a *App) tokenize(p Tokenize) (Tokens, error) {
	m, err := find(a.models, "model", p.Model)
	if err != nil {
		return Tokens{}, err
	}
	ids, err := m.words.encode(p.Text)
	if err != nil {
		return Tokens{}, err
	}
	if p.BOS {
		end := m.words.endOfText()
		if end < 0 {
			return Tokens{}, fmt.Errorf("bos: true, but %s has no <|endoftext|>", m.info.Name)
		}
		ids = append([]int{end}, ids...)
	}
	listed := ids[:min(len(ids), m.info.Context+1)] // a pasted book has too many to send
	return Tokens{tokensOf(m.words, listed), len(ids)}, nil
}

func (a *App) tokenTexts(p TokenTexts) (Tokens, error) {
	m, err := find(a.models, "model", p.Model)
	if err != nil {
		return Tokens{}, err
	}
	for i, id := range p.IDs {
		if id < 0 || id >= m.info.Vocab {
			return Tokens{}, fmt.Errorf("ids[%d]: %d, want 0 to %d", i, id, m.info.Vocab-1)
		}
	}
	return Tokens{tokensOf(m.words, p.IDs), len(p.IDs)}, nil
}

func tokensOf(w words, ids []int) []Token {
	tokens := make([]Token, len(ids))
	for i, id := range ids {
		tokens[i] = tokenOf(w, id)
	}
	return tokens
}

func tokenOf(w words, id int) Token {
	piece := w.piece(id)
	if utf8.Valid(piece) {
		return Token{ID: id, Text: string(piece)}
	}
	return Token{ID: id, Hex: fmt.Sprintf("% X", piece)}
}

// gpt2Words are GPT-2's own.
type gpt2Words struct{ t *tokenizer.Tokenizer }

func (w gpt2Words) encode(text string) ([]int, error) { return w.t.Encode(text), nil }
func (w gpt2Words) piece(id int) []byte               { return w.t.Piece(id) }
func (w gpt2Words) endOfText() int                    { return w.t.EndOfText() }
