package gpt2

import (
	"testing"

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
