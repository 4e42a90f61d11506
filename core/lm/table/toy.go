package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"decodingplayground/core/lm"
)

// Toy is a table over the last token, for a text of a few words. The prompt is
// shown and not read: Start are the logits of the first new token whatever the
// prompt, Rows those after each word. A word without a row, as the full stop
// has none, is followed by Start again. Context are the ids that count as
// present in the prompt, for penalties and n-gram rules; they may be none.
//
// Hidden holds one vector a word, HiddenContext the one of the prompt. The
// embedding that Layers gives is HiddenContext, so DoLa contrasts each row
// with Start.
type Toy struct {
	Prompt        string
	Vocab         []string
	EOS           int
	Context       []int
	Start         []float32
	Rows          map[string][]float32
	Hidden        [][]float32
	HiddenContext []float32
}

// ParseToys reads a file of toys, which share vocab, eos and hidden vectors:
//
//	{"vocab", "eos", "hidden", "hidden_context", "toys": {name: {"prompt", "context", "start", "rows"}}}
func ParseToys(data []byte) (map[string]Toy, error) {
	var file struct {
		Vocab         []string    `json:"vocab"`
		EOS           int         `json:"eos"`
		Hidden        [][]float32 `json:"hidden"`
		HiddenContext []float32   `json:"hidden_context"`
		Toys          map[string]struct {
			Prompt  string               `json:"prompt"`
			Context []int                `json:"context"`
			Start   []float32            `json:"start"`
			Rows    map[string][]float32 `json:"rows"`
		} `json:"toys"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("toys: %w", err)
	}
	toys := map[string]Toy{}
	for name, t := range file.Toys {
		toy := Toy{
			Prompt: t.Prompt, Vocab: file.Vocab, EOS: file.EOS, Context: t.Context, Start: t.Start, Rows: t.Rows,
			Hidden: file.Hidden, HiddenContext: file.HiddenContext,
		}
		if err := toy.check(); err != nil {
			return nil, fmt.Errorf("toys: %s: %w", name, err)
		}
		toys[name] = toy
	}
	return toys, nil
}

func (t Toy) check() error {
	n := len(t.Vocab)
	if n == 0 || len(t.HiddenContext) == 0 {
		return errors.New("vocab or hidden_context: empty")
	}
	rows := [][]float32{t.Start}
	for _, word := range sortedWords(t.Rows) {
		if !slices.Contains(t.Vocab, word) {
			return fmt.Errorf("rows: %q is not in the vocabulary", word)
		}
		rows = append(rows, t.Rows[word])
	}
	if err := checkShape("start and rows", rows, len(rows), n); err != nil {
		return err
	}
	for _, row := range rows {
		for _, v := range row {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 1) {
				return fmt.Errorf("logit: %v, want a finite number or -inf", v)
			}
		}
	}
	if err := checkShape("hidden", t.Hidden, n, len(t.HiddenContext)); err != nil {
		return err
	}
	for _, id := range append([]int{t.EOS}, t.Context...) {
		if id < 0 || id >= n {
			return fmt.Errorf("id: %d, want 0 to %d", id, n-1)
		}
	}
	return nil
}

func sortedWords(rows map[string][]float32) []string {
	words := make([]string, 0, len(rows))
	for word := range rows {
		words = append(words, word)
	}
	slices.Sort(words)
	return words
}

// With is the toy with other logits after word; "" is the start. The toy
// itself stays as it is.
func (t Toy) With(word string, logits []float32) (Toy, error) {
	if word == "" {
		t.Start = slices.Clone(logits)
		return t, t.check()
	}
	rows := map[string][]float32{word: slices.Clone(logits)}
	for w, row := range t.Rows {
		if w != word {
			rows[w] = row
		}
	}
	t.Rows = rows
	return t, t.check()
}

// Piece is the bytes of a token. Words are set apart by spaces: every word but
// EOS, a punctuation mark, begins with one.
func (t Toy) Piece(id int) []byte {
	if id < 0 || id >= len(t.Vocab) {
		return nil
	}
	if id == t.EOS {
		return []byte(t.Vocab[id])
	}
	return []byte(" " + t.Vocab[id])
}

// toyModel is a Model with a state before any token.
type toyModel struct{ *Model }

// Start implements lm.Starter.
func (m toyModel) Start() lm.Output {
	h := m.hidden[m.start]
	return lm.Output{Past: past{state: m.start, last: -1}, Hidden: [][]float32{h}, Layers: [][][]float32{{h}}}
}

// NewToy makes a model of a toy. It implements lm.Starter; the prompt of a
// session is the toy's Context.
func NewToy(t Toy) (lm.Model, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	n := len(t.Vocab)

	// State n is the start, state x is the text that ends in word x.
	m := &Model{vocab: n, context: Context, start: n, hidden: append(slices.Clone(t.Hidden), t.HiddenContext)}
	m.next = func(p past, id int) int {
		if p.read < len(t.Context) {
			return m.start
		}
		return id
	}
	m.logits = func(state int) []float32 {
		if state < n {
			if row, ok := t.Rows[t.Vocab[state]]; ok {
				return slices.Clone(row)
			}
		}
		return slices.Clone(t.Start)
	}
	m.early = func(int) []float32 { return t.HiddenContext }
	name := func(state int) string {
		if state == n {
			return "the prompt"
		}
		return fmt.Sprintf("%q", t.Vocab[state])
	}
	if err := m.index(name); err != nil {
		return nil, err
	}
	return toyModel{m}, nil
}
