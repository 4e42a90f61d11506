package api

import (
	"compress/gzip"
	"encoding/binary"
	"os"
	"testing"
)

// realRow are logits of GPT-2 itself.
func realRow(b *testing.B) []float32 {
	b.Helper()
	f, err := os.Open("../../core/logits/testdata/real/logits-0.f32.gz")
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	row := make([]float32, 50257)
	if err := binary.Read(z, binary.LittleEndian, row); err != nil {
		b.Fatal(err)
	}
	return row
}

// events are sliders that move over all their way but the ends: what the pipeline
// leaves is small, half of the vocabulary, or nearly all of it after every common
// filter. What stands
// before the stage that moves stays as it is.
var events = []struct {
	name   string
	moves  string
	lo, hi float64
	stages []Stage
}{
	{"default", "temperature", 0.5, 1.5, []Stage{stage("temperature", 0.8), stage("top_k", 50), stage("top_p", 0.9)}},
	{"temperature", "temperature", 0.5, 1.5, []Stage{stage("temperature", 1.5), stage("top_p", 0.99)}},
	{"top_p", "top_p", 0.5, 0.999, []Stage{stage("temperature", 1.5), stage("top_p", 0.99)}},
	{"all", "temperature", 0.5, 1.5, []Stage{
		stage("temperature", 1.5), stage("top_k", 40000), stage("top_p", 0.999), stage("min_p", 0.000001),
		stage("typical_p", 0.999), stage("epsilon_cutoff", 1e-9), stage("eta_cutoff", 1e-9),
	}},
}

func benchEvents(b *testing.B, event func(app *App, session int) error) {
	for _, e := range events {
		b.Run(e.name, func(b *testing.B) {
			row := realRow(b)
			app := New()
			app.models[1] = &model{Model: &fixed{row}, info: ModelInfo{Vocab: len(row)}, words: hexWords(len(row))}
			set := sampling(e.stages...)
			st, err := app.open(Open{Model: 1, IDs: []int{1}, Settings: set})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := app.feed(Feed{Session: st.Session, Count: 1}); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				for s := range set.Stages {
					if set.Stages[s].Kind == e.moves {
						set.Stages[s].Args[e.moves] = e.lo + (e.hi-e.lo)*float64(i%100)/100
					}
				}
				if _, err := app.retune(Retune{Session: st.Session, Settings: set}); err != nil {
					b.Fatal(err)
				}
				if err := event(app, st.Session); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkView is a slider's event on GPT-2's vocabulary: new settings, and
// all that is shown of the step but the curve.
func BenchmarkView(b *testing.B) {
	benchEvents(b, func(app *App, session int) error {
		_, err := app.view(ViewOf{Session: session, Step: -1, Rows: 40})
		return err
	})
}

// BenchmarkCurve is the chart beside it, which is drawn anew less often.
func BenchmarkCurve(b *testing.B) {
	benchEvents(b, func(app *App, session int) error {
		_, err := app.chart(ChartOf{Name: "cumulative", Sessions: []int{session}, Step: -1})
		return err
	})
}
