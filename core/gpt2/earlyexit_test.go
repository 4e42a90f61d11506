package gpt2

import (
	"slices"
	"testing"

	"decodingplayground/core/lm"
	"decodingplayground/core/lm/lmtest"
)

// The hidden states of an early exit are the last norm of what goes into the
// next block, and its head is the model's.
func TestEarlyExit(t *testing.T) {
	cfg := tinyConfig()
	cfg.NPositions = 77
	m, err := Load(cfg, fake{1, true}, Quantisation{Bits: 8, Group: 32})
	if err != nil {
		t.Fatal(err)
	}
	early, err := m.EarlyExit(1)
	if err != nil {
		t.Fatal(err)
	}
	lmtest.Check(t, early)
	ids := []int{1, 2, 300, 7}
	whole, err := m.Forward(lm.Input{IDs: ids, Layers: true})
	if err != nil {
		t.Fatal(err)
	}
	part, err := early.Forward(lm.Input{IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	for i := range ids {
		want := make([]float32, cfg.NEmbd)
		m.lnF.apply(want, whole[0].Layers[i][1], cfg.Epsilon)
		if !slices.Equal(part[0].Hidden[i], want) {
			t.Errorf("token %d: %v, want %v", i, part[0].Hidden[i], want)
		}
	}
	if !slices.Equal(early.Head(part[0].Hidden[0])[0], m.Head(part[0].Hidden[0])[0]) {
		t.Error("the head is another")
	}
	if _, err := m.Forward(lm.Input{Past: part[0].Past, IDs: ids}); err == nil {
		t.Error("the model takes the past of its early exit")
	}
}

func TestEarlyExitRefuses(t *testing.T) {
	m, err := Load(tinyConfig(), fake{1, true}, Quantisation{Bits: 32})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{-1, 0, m.cfg.NLayer, 99} {
		if _, err := m.EarlyExit(n); err == nil {
			t.Errorf("%d of %d blocks: taken, want an error", n, m.cfg.NLayer)
		}
	}
}
