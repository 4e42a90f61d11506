package logits

import (
	"fmt"
	"testing"
)

// One slider event on the real vocabulary: the pipeline, the numbers of every
// stage, and the order of the draw.
func BenchmarkEvent(b *testing.B) {
	for _, c := range []struct {
		name   string
		stages Pipeline
	}{
		{"temperature", Pipeline{one(b, "temperature", 0.8)}},
		{"default", Pipeline{one(b, "temperature", 0.8), one(b, "top_k", 40), one(b, "top_p", 0.9)}},
		{"top_p", Pipeline{one(b, "temperature", 1.5), one(b, "top_p", 0.99)}},
		{"all", Pipeline{
			one(b, "repetition_penalty", 1.2), one(b, "temperature", 0.8), one(b, "top_k", 40000), one(b, "top_p", 0.99),
			one(b, "min_p", 0.0001), one(b, "typical_p", 0.99), one(b, "epsilon_cutoff", 1e-7), one(b, "eta_cutoff", 1e-7),
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			raw := realRows(b)[0].logits
			var r Runner
			var order []int
			b.ReportAllocs()
			for b.Loop() {
				tr := r.Run(c.stages, Context{IDs: []int{1, 2, 3}}, raw)
				r.Stats()
				order = Top(order, tr.Final(), 40)
			}
		})
	}
}

func BenchmarkKinds(b *testing.B) {
	raw := realRows(b)[0].logits
	for _, c := range []struct {
		kind string
		v    float64
	}{
		{"temperature", 0.8},
		{"top_k", 40},
		{"top_p", 0.9},
		{"min_p", 0.05},
		{"typical_p", 0.9},
		{"epsilon_cutoff", 0.001},
		{"eta_cutoff", 0.001},
		{"top_n_sigma", 1},
		{"repetition_penalty", 1.2},
	} {
		p := Pipeline{one(b, c.kind, c.v)}
		b.Run(fmt.Sprintf("%s=%v", c.kind, c.v), func(b *testing.B) {
			var r Runner
			b.ReportAllocs()
			for b.Loop() {
				r.Run(p, Context{IDs: []int{1, 2, 3}}, raw)
			}
		})
	}
}

func BenchmarkOrder(b *testing.B) {
	raw := realRows(b)[0].logits
	var order []int
	b.ReportAllocs()
	for b.Loop() {
		order = Order(order, raw)
	}
}

func BenchmarkSoftmax(b *testing.B) {
	raw := realRows(b)[0].logits
	var probs []float64
	for b.Loop() {
		probs = Softmax(probs, raw)
	}
}

// BenchmarkSummarise is what every step tells of a row: of a real one, and of
// one without a peak.
func BenchmarkSummarise(b *testing.B) {
	flat := make([]float32, 50257)
	for i := range flat {
		flat[i] = float32(i*7919%50257) / 50257
	}
	for name, row := range map[string][]float32{"real": realRows(b)[0].logits, "flat": flat} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Summarise(row, 0.9)
			}
		})
	}
}
