package logits

import (
	"math"

	"decodingplayground/core/fmath"
	"decodingplayground/core/rows"
)

// weights is what is known of a row: e**(score-top), top being its largest
// score, which its probabilities are in proportion to. They are computed when
// they are first asked for. A row that a filter left has those of the row before,
// as long as the likeliest token is in it.
type weights struct {
	row    []float32
	before *weights // of the row that a filter got; nil where no filter made this one

	known, ok bool // ok is false for a row that is no distribution
	top       float64
	best      int       // the likeliest token
	exps      []float64 // by id
	whole     float64   // their sum

	version int
	count   int // of tokens that are left, -1 until somebody asks
}

// set makes w those of another row.
func (w *weights) set(row []float32, before *weights) {
	w.row, w.before, w.known, w.count = row, before, false, -1
	w.version++
}

// rowState tells rows apart that were at one place one after the other.
type rowState struct {
	weights *weights
	version int
}

func (w *weights) state() rowState { return rowState{w, w.version} }

// shared is w, or an earlier row's that hold for it, too. Of the tokens that it
// lacks they say nothing.
func (w *weights) shared() *weights {
	if w.before != nil {
		if b := w.before.shared(); b.ok && !removed(w.row[b.best]) {
			return b
		}
	}
	if !w.known {
		w.known = true
		w.best = Best(w.row)
		w.ok = w.best >= 0 && w.row[w.best] == w.row[w.best] && !math.IsInf(float64(w.row[w.best]), 0)
		if w.ok {
			w.top = float64(w.row[w.best])
			w.exps = resize(w.exps, len(w.row))
			w.whole, _ = fmath.Exps(w.exps, w.row, w.top)
		}
	}
	return w
}

// sum is over the tokens that are left.
func (w *weights) sum() float64 {
	s := w.shared()
	if s == w {
		return w.whole
	}
	return rows.Sum(s.exps, w.row)
}

// Weights are e**(score-top) of row i, by id, top being the largest score of the
// row: what its probabilities are in proportion to. Of removed tokens they say
// nothing. ok is false for a row that is no distribution. They belong to the trace.
func (t Trace) Weights(i int) (exps []float64, top float64, ok bool) {
	w := t.weights[i].shared()
	if !w.ok {
		return nil, 0, false
	}
	return w.exps, w.top, true
}

// Count is how many tokens row i has left.
func (t Trace) Count(i int) int {
	w := t.weights[i]
	if w.count < 0 {
		w.count = rows.Kept(w.row)
	}
	return w.count
}

// LogSumExp is that of the last row.
func (t Trace) LogSumExp() float64 {
	w := t.weights[len(t.weights)-1]
	if s := w.shared(); s.ok {
		return s.top + fmath.Log(w.sum())
	}
	return math.Inf(1)
}
