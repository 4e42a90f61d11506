package logits

import (
	"encoding/binary"
	"hash/fnv"
	"testing"
)

// The same input gives the same bits on every platform: these hashes were made
// on amd64 and hold under js/wasm and arm64, too.
func TestSameBitsEverywhere(t *testing.T) {
	rows := realRows(t)
	for _, c := range []struct {
		name string
		p    Pipeline
		want uint64
	}{
		{"model", Pipeline{}, 0xe77ae38a7f3cfe6a},
		{"temperature", Pipeline{one(t, "temperature", 0.7)}, 0x2e611e5c961d5ab8},
		{"cuts", Pipeline{one(t, "temperature", 1.3), one(t, "top_k", 2000), one(t, "top_p", 0.97), one(t, "typical_p", 0.9)}, 0x69b7a24b759f802e},
		{"eta", Pipeline{one(t, "repetition_penalty", 1.3), one(t, "eta_cutoff", 0.0003), one(t, "renormalize_logits", 1)}, 0x7e7e7c79ad3fde76},
		{"dynamic", Pipeline{stage(t, "dynamic_temperature", num("dynatemp_range", 0.7, "dynatemp_exponent", 1.7)), one(t, "top_n_sigma", 1)}, 0x63c9ca61fbfb1603},
	} {
		h := fnv.New64a()
		write := func(v any) {
			if err := binary.Write(h, binary.LittleEndian, v); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range rows {
			tr := c.p.Run(Context{IDs: r.ids, PromptLen: len(r.ids)}, r.logits)
			st := tr.Stats(nil)
			write(tr.Final())
			write(Softmax([]float64(nil), tr.Final()))
			for _, s := range st {
				write([]float64{s.CutMass, s.Entropy, s.LogSumExp})
			}
			write([]float64{tr.KeptMass(st), tr.ModelKeptMass(st), NucleusOf(r.logits, 0.9).Mass, Surprise(r.logits, 50)})
		}
		if got := h.Sum64(); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
}
