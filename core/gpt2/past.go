package gpt2

import (
	"decodingplayground/core/kernel"
	"decodingplayground/core/lm"
)

// past is what a sequence has left behind: the keys and values of n tokens, in
// pages that it shares with the pasts it grew from and the ones that grow from
// it. Its n tokens never change.
type past struct {
	model *Model
	n     int
	pages []*page // n tokens fill all but the last
}

// Len implements lm.Past.
func (p *past) Len() int { return p.n }

// Cut implements lm.Cutter.
func (p *past) Cut(n int) lm.Past {
	pages := (n + kernel.PageRows - 1) / kernel.PageRows
	return &past{p.model, n, p.pages[:pages:pages]}
}

// page holds the keys and values of kernel.PageRows tokens for every layer and
// head. Tokens are written once, in order.
type page struct {
	used   int       // slots written
	keys   []float32 // (n_layer, n_head, width, PageRows)
	values []float32 // (n_layer, n_head, PageRows, width)
}

// grow returns pages with room for the tokens n to n+more, and marks the room
// as used. A last page whose next slot another continuation has taken is
// copied first.
func (m *Model) grow(pages []*page, n, more int) []*page {
	list := make([]*page, 0, (n+more+kernel.PageRows-1)/kernel.PageRows)
	list = append(list, pages...)
	if slot := n % kernel.PageRows; slot > 0 && list[len(list)-1].used != slot {
		list[len(list)-1] = m.clonePage(list[len(list)-1], slot)
	}
	for end := n + more; n < end; {
		if n%kernel.PageRows == 0 {
			list = append(list, m.newPage())
		}
		step := min(kernel.PageRows-n%kernel.PageRows, end-n)
		list[len(list)-1].used += step
		n += step
	}
	return list
}

func (m *Model) newPage() *page {
	size := m.cfg.NLayer * m.cfg.NHead * m.width * kernel.PageRows
	return &page{keys: make([]float32, size), values: make([]float32, size)}
}

// clonePage copies the first slots of a page.
func (m *Model) clonePage(p *page, slots int) *page {
	c := m.newPage()
	c.used = slots
	copy(c.keys, p.keys) // slots lie side by side: those of others come along, and are overwritten
	copy(c.values, p.values)
	return c
}
