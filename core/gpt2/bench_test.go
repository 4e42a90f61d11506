package gpt2

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"decodingplayground/core/kernel"
	"decodingplayground/core/lm"
)

// speedModel has the shapes of GPT-2 124M and weights that cost nothing to
// make: the time does not depend on them.
func speedModel(b *testing.B, config string) *Model {
	b.Helper()
	cfg, err := ParseConfig([]byte(config))
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	pattern := make([]byte, 1<<16)
	for i := range pattern {
		pattern[i] = byte(r.Uint32())
	}
	w := weights{matrices: map[string]kernel.Matrix{}, vectors: map[string][]float32{}}
	for _, t := range cfg.tensors() {
		if t.vector {
			w.vectors[t.name] = make([]float32, t.cols)
			continue
		}
		const group = 64
		data := make([]byte, kernel.WeightBytes(t.rows, t.cols, group))
		for at := 0; at < len(data); at += 8 * (4 + group) {
			for i := range 8 {
				copy(data[at+4*i:], []byte{0, 0, 0, 0x39}) // a scale of 2^-13
			}
			copy(data[at+32:at+8*(4+group)], pattern[at%(1<<15):])
		}
		w.matrices[t.name], err = kernel.NewWeights(t.rows, t.cols, group, data)
		if err != nil {
			b.Fatal(err)
		}
	}
	for name, v := range w.vectors {
		if name[len(name)-6:] == "weight" {
			for i := range v {
				v[i] = 1
			}
		}
	}
	return newModel(cfg, w)
}

// fast says whether the kernel has assembly. Without, a token takes fifteen
// times as long, and long texts are left out.
const fast = runtime.GOARCH == "wasm"

// BenchmarkDecode is one token, its logits included, after a context: of one
// text and of four at once.
func BenchmarkDecode(b *testing.B) {
	m := speedModel(b, `{}`)
	for _, context := range []int{16, 256, 900} {
		if context > 16 && !fast {
			continue
		}
		ids := make([]int, context)
		for i := range ids {
			ids[i] = 64 + i%26
		}
		out, err := m.Forward(lm.Input{IDs: ids})
		if err != nil {
			b.Fatal(err)
		}
		for _, n := range []int{1, 4} {
			b.Run(fmt.Sprintf("context=%d/texts=%d", context, n), func(b *testing.B) {
				batch := make([]lm.Input, n)
				hidden := make([][]float32, n)
				b.ReportAllocs()
				for steps := 0; b.Loop(); steps++ {
					for i := range batch {
						if steps%32 == 0 {
							batch[i] = lm.Input{Past: out[0].Past, IDs: []int{220 + i}}
						}
					}
					step, err := m.Forward(batch...)
					if err != nil {
						b.Fatal(err)
					}
					for i := range step {
						hidden[i] = step[i].Hidden[0]
						batch[i].Past = step[i].Past
					}
					m.Head(hidden...)
				}
			})
		}
	}
}

// BenchmarkCost is where a token's time goes: over the length of the context,
// the texts that step together, and the vocabulary. tools/cost draws it.
func BenchmarkCost(b *testing.B) {
	m := speedModel(b, `{}`)
	whole, err := m.Forward(lm.Input{IDs: make([]int, 1023)})
	if err != nil {
		b.Fatal(err)
	}
	past := func(n int) lm.Past { return whole[0].Past.(lm.Cutter).Cut(n) }
	step := func(b *testing.B, past lm.Past, texts int) {
		batch, hidden := make([]lm.Input, texts), make([][]float32, texts)
		for i := range batch {
			batch[i] = lm.Input{Past: past, IDs: []int{220 + i}}
		}
		for b.Loop() {
			out, err := m.Forward(batch...)
			if err != nil {
				b.Fatal(err)
			}
			for i := range out {
				hidden[i] = out[i].Hidden[0]
			}
			m.Head(hidden...)
		}
	}
	for _, n := range []int{16, 128, 256, 384, 512, 640, 768, 900, 1023} {
		text := past(n)
		b.Run(fmt.Sprintf("context=%d", n), func(b *testing.B) { step(b, text, 1) })
	}
	text := past(64)
	for _, n := range []int{1, 2, 3, 4, 5, 6, 8, 12, 16} {
		b.Run(fmt.Sprintf("texts=%d", n), func(b *testing.B) { step(b, text, n) })
	}
	for _, n := range []int{1000, 5000, 10000, 20000, 30000, 40000, 50257, 65536} {
		small := speedModel(b, fmt.Sprintf(`{"vocab_size": %d, "n_layer": 1}`, n))
		b.Run(fmt.Sprintf("vocabulary=%d", n), func(b *testing.B) {
			hidden := make([]float32, 768)
			for i := range hidden {
				hidden[i] = float32(i%7) - 3
			}
			for b.Loop() {
				small.Head(hidden)
			}
		})
	}
}

// BenchmarkPrefill reads a prompt and gives the logits of what follows.
func BenchmarkPrefill(b *testing.B) {
	m := speedModel(b, `{}`)
	for _, n := range []int{64, 512} {
		if n > 64 && !fast {
			continue
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			ids := make([]int, n)
			for i := range ids {
				ids[i] = 64 + i%26
			}
			for b.Loop() {
				out, err := m.Forward(lm.Input{IDs: ids})
				if err != nil {
					b.Fatal(err)
				}
				m.Head(out[0].Hidden[n-1])
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "tokens/s")
		})
	}
}
