package logits

import (
	"reflect"
	"slices"
)

// Runner runs pipelines in rows that it keeps, so that a slider's event makes
// no garbage, and runs again only what the slider changes. The zero Runner is
// ready. One goroutine at a time.
type Runner struct {
	names   []string
	used    [][]float32 // Scores of the last trace: the raw row and rows
	rows    [][]float32 // the Runner's own
	weights []*weights  // of used, and more from longer pipelines
	ran     ran
	scratch scratch // of the first stage that runs again

	stats    []StageStats
	measured []float32 // the row that stats[0] is of
}

// ran is what a trace follows from.
type ran struct {
	stages  Pipeline
	context Context
	raw     []float32
}

// Run is Pipeline.Run, but the trace is good only until the next Run. The stages
// before the first that has changed are not run again while runs have the very
// same raw, which must not be written to in between, and the same context.
func (r *Runner) Run(p Pipeline, c Context, raw []float32) Trace {
	kept := r.ran.common(p, c, raw)
	r.scratch.kept = true
	if !same(r.ran.raw, raw) {
		r.weightsOf(0).set(raw, nil)
	}
	r.ran.note(p, c, raw)
	r.names = append(r.names[:0], "model")
	r.used = append(r.used[:0], raw)
	firstCut := len(p)
	for i, s := range p {
		if i >= kept {
			c.scratch = nil
			if i == kept {
				c.scratch = &r.scratch
			}
			r.runStage(i, s, c)
		}
		r.names = append(r.names, s.Name)
		r.used = append(r.used, r.rows[i])
		if s.Cut {
			firstCut = min(firstCut, i)
		}
	}
	return Trace{Names: r.names, Scores: r.used, FirstCut: firstCut, weights: r.weights[:len(r.used)]}
}

// runStage makes row i of the Runner's own from the last one of used.
func (r *Runner) runStage(i int, s Stage, c Context) {
	if i == len(r.rows) {
		r.rows = append(r.rows, nil)
	}
	r.rows[i] = append(r.rows[i][:0], r.used[i]...)
	c.weights = r.weightsOf(i)
	s.Process(c, r.rows[i])
	before := c.weights
	if !s.Cut {
		before = nil
	}
	r.weightsOf(i+1).set(r.rows[i], before)
}

func (r *Runner) weightsOf(row int) *weights {
	for len(r.weights) <= row {
		r.weights = append(r.weights, new(weights))
	}
	return r.weights[row]
}

func (r *ran) note(p Pipeline, c Context, raw []float32) {
	r.stages = append(r.stages[:0], p...)
	c.IDs, c.EOS = append(r.context.IDs[:0], c.IDs...), append(r.context.EOS[:0], c.EOS...)
	c.Without = nil
	r.context, r.raw = c, raw
}

// common is how many stages, from the first, give what they gave. Guidance asks
// a model, so neither it nor what follows is among them.
func (r *ran) common(p Pipeline, c Context, raw []float32) int {
	if !same(r.raw, raw) || !r.sameContext(c) {
		return 0
	}
	for i, s := range p {
		if _, asks := s.Processor.(Guided); asks || i == len(r.stages) || !sameStage(s, r.stages[i]) {
			return i
		}
	}
	return len(p)
}

func sameStage(a, b Stage) bool {
	if reflect.TypeOf(a.Processor).Comparable() {
		return a == b
	}
	return reflect.DeepEqual(a, b)
}

func (r *ran) sameContext(c Context) bool {
	l := r.context
	return slices.Equal(l.IDs, c.IDs) && slices.Equal(l.EOS, c.EOS) && l.PromptLen == c.PromptLen &&
		l.MaxLength == c.MaxLength && l.MinTokensToKeep == c.MinTokensToKeep && l.Coin == c.Coin
}

func same(a, b []float32) bool {
	return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0]
}
