package decode

import (
	"math"
	"testing"

	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
)

// flat is a model of GPT-2's vocabulary that costs nothing: what is measured
// is the decoding.
type flat struct{ row []float32 }

type flatPast int

func (p flatPast) Len() int { return int(p) }

func newFlat() *flat {
	f := &flat{row: make([]float32, 50257)}
	for i := range f.row {
		f.row[i] = float32(6 * math.Sin(float64(i)*float64(i)))
	}
	return f
}

func (f *flat) Info() lm.Info { return lm.Info{Vocab: len(f.row), Context: 1024} }

func (f *flat) Forward(batch ...lm.Input) ([]lm.Output, error) {
	out := make([]lm.Output, len(batch))
	for i, in := range batch {
		n := len(in.IDs)
		if in.Past != nil {
			n += in.Past.Len()
		}
		out[i] = lm.Output{Past: flatPast(n), Hidden: make([][]float32, len(in.IDs))}
		for j := range out[i].Hidden {
			out[i].Hidden[j] = []float32{1}
		}
		if in.Layers {
			out[i].Layers = make([][][]float32, len(in.IDs))
			for j := range out[i].Layers {
				out[i].Layers[j] = [][]float32{{1}}
			}
		}
	}
	return out, nil
}

func (f *flat) Head(hidden ...[]float32) [][]float32 {
	out := make([][]float32, len(hidden))
	for i := range out {
		out[i] = append([]float32(nil), f.row...)
	}
	return out
}

func benchSession(b *testing.B, kind string) *Session {
	b.Helper()
	m := newFlat()
	set := Settings{
		Strategy: made(b, kind, nil), Die: -1, MaxNewTokens: 1000, Draft: m,
		Pipeline: logits.Pipeline{stageOf(b, "temperature", 0.8), stageOf(b, "top_k", 50), stageOf(b, "top_p", 0.9)},
	}
	return opened(b, m, []int{1, 2, 3}, set)
}

func BenchmarkStep(b *testing.B) {
	for _, k := range Kinds {
		b.Run(k.Name, func(b *testing.B) {
			s := benchSession(b, k.Name)
			for b.Loop() {
				if _, err := s.Step(); err != nil {
					b.Fatal(err)
				}
				if s.Steps() == 100 {
					if err := s.Rewind(100); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkSlider is what a slider's event costs: new settings and the view.
func BenchmarkSlider(b *testing.B) {
	for _, kind := range []string{"greedy", "sampling", "beam"} {
		b.Run(kind, func(b *testing.B) {
			s := benchSession(b, kind)
			step(b, s, 2)
			for b.Loop() {
				if err := s.Retune(s.Settings()); err != nil {
					b.Fatal(err)
				}
				if _, err := s.View(-1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
