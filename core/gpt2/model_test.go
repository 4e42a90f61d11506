package gpt2

import (
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"decodingplayground/core/lm"
	"decodingplayground/core/lm/lmtest"
)

func TestModelKeepsPromises(t *testing.T) {
	for _, q := range []Quantisation{{Bits: 8, Group: 32}, {Bits: 8, Group: 64}, {Bits: 32}} {
		for _, activation := range []string{"gelu", "gelu_new"} {
			cfg := tinyConfig()
			cfg.NPositions, cfg.Activation = 77, activation // more than goes through at once
			cfg.ScaleAttnByLayer = activation == "gelu"
			m, err := Load(cfg, fake{1, true}, q)
			if err != nil {
				t.Fatal(err)
			}
			lmtest.Check(t, m)
		}
	}
}

// uniform is a Source whose weights are the same bits everywhere.
type uniform struct{}

func (uniform) Tensor(name string, shape ...int) (Tensor, error) {
	n := 1
	for _, s := range shape {
		n *= s
	}
	var key [32]byte
	copy(key[:], name)
	r := rand.New(rand.NewChaCha8(key))
	values := make(Values, n)
	for i := range values {
		values[i] = r.Float32() - 0.5
	}
	return values, nil
}

// TestBits pins logits: they must be the same on every machine and in every
// build.
func TestBits(t *testing.T) {
	for _, c := range []struct {
		q          Quantisation
		activation string
		want       uint64
	}{
		{Quantisation{Bits: 8, Group: 32}, "gelu_new", 0xee6c62b2b045c972},
		{Quantisation{Bits: 6, Group: 96}, "gelu", 0x6d3ff2ba2a1bb5d8},
		{Quantisation{Bits: 32}, "gelu_new", 0x559cfdb4adc5f9f8},
	} {
		cfg := tinyConfig()
		cfg.Activation = c.activation
		m, err := Load(cfg, uniform{}, c.q)
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.Forward(lm.Input{IDs: []int{1, 2, 300, 7, 7, 40, 0, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}})
		if err != nil {
			t.Fatal(err)
		}
		sum := fnv.New64a()
		for _, row := range m.Head(out[0].Hidden...) {
			sum.Write(appendFloats(nil, row))
		}
		if got := sum.Sum64(); got != c.want {
			t.Errorf("%v, %s: logits hash to %#x, want %#x", c.q, c.activation, got, c.want)
		}
	}
}
