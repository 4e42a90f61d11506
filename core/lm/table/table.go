// Package table holds models that are looked up instead of computed: small
// enough to check by hand, and exact on every machine.
//
// A table is a machine of finitely many states; each state has a hidden vector
// and a row of logits, and reading a token leads to the next state. Logits are
// a function of the hidden vector, as in any language model: Head finds the
// state that a vector belongs to by its bits. So no two states may share a
// vector; New… refuse a table where they do.
package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"decodingplayground/core/lm"
)

// Context is how many tokens fit in a table's text: GPT-2's number. In that of
// a single step its prompt fits.
const Context = 1024

// Model is a table behind lm.Model. It is immutable.
type Model struct {
	vocab   int
	context int
	hidden  [][]float32               // by state
	logits  func(state int) []float32 // a new slice
	next    func(p past, id int) int  // the state after id
	early   func(state int) []float32 // the hidden vector that Layers gives
	start   int                       // state before any token, -1 for none
	states  map[string]int            // bits of a hidden vector → state
}

type past struct {
	read  int // tokens read
	state int
	last  int // the newest token, -1 for none
}

// Len implements lm.Past.
func (p past) Len() int { return p.read }

// Info implements lm.Model.
func (m *Model) Info() lm.Info { return lm.Info{Vocab: m.vocab, Context: m.context} }

// Forward implements lm.Model. Layers has one row: a table has one block.
func (m *Model) Forward(batch ...lm.Input) ([]lm.Output, error) {
	for _, in := range batch {
		if err := m.check(in); err != nil {
			return nil, err
		}
	}
	out := make([]lm.Output, len(batch))
	for i, in := range batch {
		out[i] = m.read(in)
	}
	return out, nil
}

func (m *Model) check(in lm.Input) error {
	if len(in.IDs) == 0 {
		return errors.New("ids: none, want at least one")
	}
	for _, id := range in.IDs {
		if id < 0 || id >= m.vocab {
			return fmt.Errorf("id: %d, want 0 to %d", id, m.vocab-1)
		}
	}
	if _, ours := in.Past.(past); in.Past != nil && !ours {
		return fmt.Errorf("past: %T, want one of a table", in.Past)
	}
	if n := after(in.Past).read; n+len(in.IDs) > m.context {
		return fmt.Errorf("context is full: %d tokens and %d more, want at most %d", n, len(in.IDs), m.context)
	}
	return nil
}

func (m *Model) read(in lm.Input) lm.Output {
	p := after(in.Past)
	var out lm.Output
	for _, id := range in.IDs {
		p = past{read: p.read + 1, state: m.next(p, id), last: id}
		out.Hidden = append(out.Hidden, m.hidden[p.state])
		if in.Layers {
			out.Layers = append(out.Layers, [][]float32{m.early(p.state)})
		}
	}
	out.Past = p
	return out
}

func after(p lm.Past) past {
	if p == nil {
		return past{state: -1, last: -1}
	}
	return p.(past)
}

// Head implements lm.Model. It panics on a vector that no state has.
func (m *Model) Head(hidden ...[]float32) [][]float32 {
	out := make([][]float32, len(hidden))
	for i, h := range hidden {
		state, ok := m.states[bits(h)]
		if !ok {
			panic("table: hidden vector of no state")
		}
		out[i] = slices.Clip(m.logits(state))
	}
	return out
}

// index fills m.states, or names two states with one vector.
func (m *Model) index(name func(state int) string) error {
	m.states = make(map[string]int, len(m.hidden))
	for state, h := range m.hidden {
		key := bits(h)
		if other, taken := m.states[key]; taken {
			return fmt.Errorf("hidden: %s and %s share a vector, want distinct ones", name(other), name(state))
		}
		m.states[key] = state
	}
	return nil
}

func bits(h []float32) string {
	key := make([]byte, 0, 4*len(h))
	for _, v := range h {
		key = binary.LittleEndian.AppendUint32(key, math.Float32bits(v))
	}
	return string(key)
}
