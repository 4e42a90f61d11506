package lmtest

import (
	"errors"
	"fmt"

	"decodingplayground/core/lm"
)

// Fake is a model of a few small whole numbers: the logit of each token depends
// on all ids so far. Its zero value has 8 tokens and a context of 64.
type Fake struct {
	Vocab, Context int
	Calls          int // of Forward
	Tokens         int // read by all calls
}

type fakePast []int

func (p fakePast) Len() int { return len(p) }

func (p fakePast) Cut(n int) lm.Past { return p[:n:n] }

// Info implements lm.Model.
func (f *Fake) Info() lm.Info {
	info := lm.Info{Vocab: f.Vocab, Context: f.Context}
	if info.Vocab == 0 {
		info.Vocab = 8
	}
	if info.Context == 0 {
		info.Context = 64
	}
	return info
}

// Forward implements lm.Model. A hidden state is two numbers that stand for
// the ids so far; there are two layers.
func (f *Fake) Forward(batch ...lm.Input) ([]lm.Output, error) {
	for i, in := range batch {
		if err := f.check(in); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
	}
	f.Calls++
	outputs := make([]lm.Output, len(batch))
	for i, in := range batch {
		old, _ := in.Past.(fakePast)
		ids := append(append(fakePast{}, old...), in.IDs...)
		out := lm.Output{Past: ids}
		for n := len(old) + 1; n <= len(ids); n++ {
			a, b := 1, 0
			for _, id := range ids[:n] {
				a = (a*31 + id + 1) % 257
				b = (b + a*id) % 97
			}
			out.Hidden = append(out.Hidden, []float32{float32(a), float32(b)})
			if in.Layers {
				out.Layers = append(out.Layers, [][]float32{{float32(ids[n-1]), 1}, {float32(a), 1}})
			}
		}
		f.Tokens += len(in.IDs)
		outputs[i] = out
	}
	return outputs, nil
}

func (f *Fake) check(in lm.Input) error {
	old, ok := in.Past.(fakePast)
	if in.Past != nil && !ok {
		return errors.New("past: of another model")
	}
	if len(in.IDs) == 0 {
		return errors.New("ids: none, want at least one")
	}
	if n := f.Info().Context; len(old)+len(in.IDs) > n {
		return fmt.Errorf("context is full: %d tokens and %d more, want at most %d", len(old), len(in.IDs), n)
	}
	for _, id := range in.IDs {
		if n := f.Info().Vocab; id < 0 || id >= n {
			return fmt.Errorf("id: %d, want 0 to %d", id, n-1)
		}
	}
	return nil
}

// Head implements lm.Model: multiples of 1/8 from -4 up to 4.
func (f *Fake) Head(hidden ...[]float32) [][]float32 {
	rows := make([][]float32, len(hidden))
	for i, h := range hidden {
		rows[i] = make([]float32, f.Info().Vocab)
		for id := range rows[i] {
			x := int(h[0])*(id+3) + int(h[1])*(id*id+1)
			rows[i][id] = float32(x%64-32) / 8
		}
	}
	return rows
}
