package table

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Pairs is a table over the last two tokens:
//
//	logits(t) = A[x_t] + B[x_(t-1)]    hidden(t) = H[x_t] + G[x_(t-1)]
//
// The second term is absent at t = 0. A and B are (vocab, vocab), H and G are
// (vocab, n). The embedding that Layers gives is H[x_t], whose logits are
// A[x_t].
type Pairs struct {
	A, B, H, G [][]float32
}

// ParsePairs reads a table of two tokens from JSON, keys A, B, H and G.
func ParsePairs(data []byte) (*Model, error) {
	var p Pairs
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	return NewPairs(p)
}

// NewPairs makes a model of a table of two tokens. It keeps the slices.
func NewPairs(p Pairs) (*Model, error) {
	n := len(p.A)
	if n == 0 || len(p.H) == 0 {
		return nil, errors.New("table: empty")
	}
	for _, rows := range []struct {
		name  string
		rows  [][]float32
		width int
	}{{"A", p.A, n}, {"B", p.B, n}, {"H", p.H, len(p.H[0])}, {"G", p.G, len(p.H[0])}} {
		if err := checkShape(rows.name, rows.rows, n, rows.width); err != nil {
			return nil, err
		}
	}

	// State x*(n+1) is token x at the very start, x*(n+1)+1+y is x after y.
	m := &Model{vocab: n, context: Context, start: -1}
	m.next = func(p past, id int) int { return id*(n+1) + p.last + 1 }
	m.logits = func(state int) []float32 { return sum(p.A, p.B, state, n) }
	m.early = func(state int) []float32 { return p.H[state/(n+1)] }
	for state := range n * (n + 1) {
		m.hidden = append(m.hidden, sum(p.H, p.G, state, n))
	}
	name := func(state int) string {
		if y := state % (n + 1); y > 0 {
			return fmt.Sprintf("token %d after %d", state/(n+1), y-1)
		}
		return fmt.Sprintf("token %d at the start", state/(n+1))
	}
	if err := m.index(name); err != nil {
		return nil, err
	}
	return m, nil
}

func sum(first, second [][]float32, state, n int) []float32 {
	out := append([]float32(nil), first[state/(n+1)]...)
	if y := state % (n + 1); y > 0 {
		for i, v := range second[y-1] {
			out[i] += v
		}
	}
	return out
}

func checkShape(name string, rows [][]float32, n, width int) error {
	if len(rows) != n {
		return fmt.Errorf("table: %s: %d rows, want %d", name, len(rows), n)
	}
	for i, row := range rows {
		if len(row) != width {
			return fmt.Errorf("table: %s: row %d has %d numbers, want %d", name, i, len(row), width)
		}
	}
	return nil
}
