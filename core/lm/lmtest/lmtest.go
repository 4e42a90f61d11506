// Package lmtest checks implementations of lm.Model, and has a small one.
package lmtest

import (
	"math"
	"strings"
	"testing"

	"decodingplayground/core/lm"
)

// Check fails the test unless m keeps the promises of lm.Model: the same bits
// alone or in a batch, in one call or token by token; pasts that never change;
// errors before any work. The model must have room for 8 tokens; more are used
// up to 40.
func Check(t *testing.T, m lm.Model) {
	t.Helper()
	info := m.Info()
	if info.Vocab < 2 || info.Context < 8 {
		t.Fatalf("Info is %+v, want at least 2 tokens and a context of 8", info)
	}
	c := checker{t, m, info}
	c.stepwise()
	c.batch()
	c.sharedPast()
	c.cutPast()
	c.layers()
	c.head()
	c.errors()
}

type checker struct {
	t    *testing.T
	m    lm.Model
	info lm.Info
}

// text is n ids that depend on the seed.
func (c checker) text(seed, n int) []int {
	ids := make([]int, n)
	state := uint32(seed)*2654435761 + 1
	for i := range ids {
		state = state*1664525 + 1013904223
		ids[i] = int(state>>8) % c.info.Vocab
	}
	return ids
}

// long is the length of the longest text that is tried.
func (c checker) long() int { return min(c.info.Context, 40) }

func (c checker) forward(batch ...lm.Input) []lm.Output {
	c.t.Helper()
	out, err := c.m.Forward(batch...)
	if err != nil {
		c.t.Fatalf("Forward: %v", err)
	}
	if len(out) != len(batch) {
		c.t.Fatalf("Forward: %d outputs for %d inputs", len(out), len(batch))
	}
	for i, o := range out {
		n := 0
		if batch[i].Past != nil {
			n = batch[i].Past.Len()
		}
		if got := o.Past.Len(); got != n+len(batch[i].IDs) {
			c.t.Fatalf("Forward: past of %d tokens, want %d and %d", got, n, len(batch[i].IDs))
		}
		if len(o.Hidden) != len(batch[i].IDs) {
			c.t.Fatalf("Forward: %d hidden states, want %d", len(o.Hidden), len(batch[i].IDs))
		}
		if (o.Layers != nil) != batch[i].Layers {
			c.t.Fatalf("Forward: layers given %v, asked for %v", o.Layers != nil, batch[i].Layers)
		}
	}
	return out
}

func (c checker) stepwise() {
	c.t.Helper()
	ids := c.text(1, c.long())
	whole := c.forward(lm.Input{IDs: ids})[0]
	for _, step := range []int{1, 3, 17} {
		var past lm.Past
		for from := 0; from < len(ids); from += step {
			to := min(from+step, len(ids))
			out := c.forward(lm.Input{Past: past, IDs: ids[from:to]})[0]
			for i := range out.Hidden {
				c.same(out.Hidden[i], whole.Hidden[from+i], "token by token: hidden")
			}
			past = out.Past
		}
	}
}

func (c checker) batch() {
	c.t.Helper()
	var inputs []lm.Input
	for i := range 7 {
		in := lm.Input{IDs: c.text(10+i, 1+i*i%(c.info.Context-3))}
		if i%2 == 1 {
			in.Past = c.forward(lm.Input{IDs: c.text(20+i, 3)})[0].Past
		}
		inputs = append(inputs, in)
	}
	together := c.forward(inputs...)
	for i, in := range inputs {
		alone := c.forward(in)[0]
		for k := range alone.Hidden {
			c.same(together[i].Hidden[k], alone.Hidden[k], "batch: hidden")
		}
		// What follows must be the same, too.
		if alone.Past.Len() < c.info.Context {
			next := c.text(30, 1)
			a := c.forward(lm.Input{Past: alone.Past, IDs: next})[0]
			b := c.forward(lm.Input{Past: together[i].Past, IDs: next})[0]
			c.same(a.Hidden[0], b.Hidden[0], "after a batch: hidden")
		}
	}
}

// sharedPast continues every past of a text in several ways, in turn and in
// one batch, and sees that none disturbs another.
func (c checker) sharedPast() {
	c.t.Helper()
	ids := c.text(2, c.long()-4)
	past := make([]lm.Past, len(ids)+1)
	for i, id := range ids {
		past[i+1] = c.forward(lm.Input{Past: past[i], IDs: []int{id}})[0].Past
	}
	a, b := c.text(3, 4), c.text(4, 4)
	for n := 1; n <= len(ids); n += 5 {
		want := c.forward(lm.Input{IDs: append(append([]int(nil), ids[:n]...), a...)})[0].Hidden[n:]
		first := c.forward(lm.Input{Past: past[n], IDs: a})[0]
		c.forward(lm.Input{Past: past[n], IDs: b})
		c.forward(lm.Input{Past: past[n], IDs: b[:2]}, lm.Input{Past: past[n], IDs: b[1:3]}, lm.Input{Past: past[n], IDs: b[2:]})
		again := c.forward(lm.Input{Past: past[n], IDs: a[:2]})[0]
		again = c.forward(lm.Input{Past: again.Past, IDs: a[2:]})[0]
		for i := range want {
			c.same(first.Hidden[i], want[i], "continued past: hidden")
		}
		c.same(again.Hidden[1], want[3], "past after others continued it: hidden")
	}
	if got := past[len(ids)].Len(); got != len(ids) {
		c.t.Errorf("past has %d tokens after others continued it, want %d", got, len(ids))
	}
}

// cutPast continues the starts of a past that can be cut, and sees that it is
// none the worse for it.
func (c checker) cutPast() {
	c.t.Helper()
	ids, more := c.text(2, c.long()-4), c.text(3, 4)
	whole := c.forward(lm.Input{IDs: ids})[0].Past
	cutter, ok := whole.(lm.Cutter)
	if !ok {
		return
	}
	want := c.forward(lm.Input{Past: whole, IDs: more})[0].Hidden
	for n := 1; n <= len(ids); n++ {
		cut := cutter.Cut(n)
		if cut.Len() != n {
			c.t.Fatalf("past cut to %d tokens has %d", n, cut.Len())
		}
		got := c.forward(lm.Input{Past: cut, IDs: more})[0].Hidden
		fresh := c.forward(lm.Input{IDs: append(append([]int(nil), ids[:n]...), more...)})[0].Hidden[n:]
		for i := range more {
			c.same(got[i], fresh[i], "after a cut past: hidden")
		}
	}
	again := c.forward(lm.Input{Past: whole, IDs: more})[0].Hidden
	for i := range more {
		c.same(again[i], want[i], "after a past that was cut: hidden")
	}
}

func (c checker) layers() {
	c.t.Helper()
	ids := c.text(5, 6)
	plain := c.forward(lm.Input{IDs: ids})[0]
	with := c.forward(lm.Input{IDs: ids, Layers: true}, lm.Input{IDs: ids})
	if len(with[0].Layers) != len(ids) {
		c.t.Fatalf("layers of %d tokens, want %d", len(with[0].Layers), len(ids))
	}
	for i := range ids {
		c.same(with[0].Hidden[i], plain.Hidden[i], "with layers: hidden")
		for _, row := range with[0].Layers[i] {
			if len(row) != len(plain.Hidden[i]) {
				c.t.Errorf("a layer has %d numbers, want %d", len(row), len(plain.Hidden[i]))
			}
		}
	}
}

func (c checker) head() {
	c.t.Helper()
	if got := c.m.Head(); len(got) != 0 {
		c.t.Errorf("Head of nothing has %d rows", len(got))
	}
	hidden := c.forward(lm.Input{IDs: c.text(6, 7)})[0].Hidden
	together := c.m.Head(hidden...)
	for i, h := range hidden {
		alone := c.m.Head(h)[0]
		if len(alone) != c.info.Vocab {
			c.t.Fatalf("Head gives %d logits, want %d", len(alone), c.info.Vocab)
		}
		c.same(together[i], alone, "batch: logits")
	}
	clear(together[0]) // the caller's own
	if cap(together[0]) != len(together[0]) {
		c.t.Error("logits can be appended to in place")
	}
	c.same(c.m.Head(hidden[1])[0], together[1], "after writing to a row: logits")
}

func (c checker) errors() {
	c.t.Helper()
	full := c.forward(lm.Input{IDs: c.text(7, c.info.Context)})[0].Past
	good := lm.Input{IDs: []int{1}}
	for _, e := range []struct {
		in   lm.Input
		want string
	}{
		{lm.Input{}, "ids"},
		{lm.Input{IDs: []int{c.info.Vocab}}, "id"},
		{lm.Input{IDs: []int{0, -1}}, "id"},
		{lm.Input{Past: full, IDs: []int{0}}, "context is full"},
		{lm.Input{IDs: make([]int, c.info.Context+1)}, "context is full"},
		{lm.Input{Past: foreign{}, IDs: []int{0}}, "past"},
	} {
		if _, err := c.m.Forward(good, e.in); err == nil || !strings.Contains(err.Error(), e.want) {
			c.t.Errorf("Forward of %d ids: error %v, want one about %q", len(e.in.IDs), err, e.want)
		}
	}
}

// foreign is a past of nobody's.
type foreign struct{}

func (foreign) Len() int { return 1 }

// same compares bit for bit.
func (c checker) same(got, want []float32, what string) {
	c.t.Helper()
	if len(got) != len(want) {
		c.t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			c.t.Fatalf("%s: [%d] is %v, want %v", what, i, got[i], want[i])
		}
	}
}
