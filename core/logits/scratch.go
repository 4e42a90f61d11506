package logits

import (
	"sync"

	"decodingplayground/core/fmath"
	"decodingplayground/core/rows"
)

// scratch is what a processor needs for one row: it is borrowed, so that a
// processor keeps no state and a step makes no garbage.
//
// After gather all its rows are of the tokens that are left, side by side in
// the order of ids: a stage after a filter has little to do.
type scratch struct {
	left   []int32   // ids
	scores []float32 // of left
	exps   []float64
	probs  []float32
	units  []uint64
	keys   []uint32
	ids    []int
	order  []int
	counts []int32 // all 0 between uses

	nearKeys    []uint32 // where boundary looks again
	nearWeights []uint64

	top, sum float64 // exps are e**(score-top), and add up to sum

	kept  bool     // it is a Runner's own
	of    rowState // then, what softmax was last called for
	keyed bool     // keys are those of scores
}

var pool = sync.Pool{New: func() any { return new(scratch) }}

func borrow() *scratch { return pool.Get().(*scratch) }

func (s *scratch) release() {
	if !s.kept {
		pool.Put(s)
	}
}

// borrow gives what a Runner keeps for the stage whose setting changes, and for
// any other what is there.
func (c Context) borrow() *scratch {
	if c.scratch != nil {
		return c.scratch
	}
	return borrow()
}

// gather fills left and scores.
func (s *scratch) gather(row []float32) {
	s.left, s.scores = resize(s.left, len(row)), resize(s.scores, len(row))
	n := rows.Gather(s.left, s.scores, row)
	s.left, s.scores = s.left[:n], s.scores[:n]
}

// spread gathers, and fills exps, top and sum. ok is false, and nothing filled,
// for a row that is no distribution.
func (s *scratch) spread(c Context, row []float32) (ok bool) {
	s.gather(row)
	exps := resize(s.exps, len(row))
	s.exps = exps[:len(s.scores)]
	if c.weights != nil {
		w := c.weights.shared()
		s.top = w.top
		if w.ok {
			s.sum = rows.Pick(exps, w.exps, row)
		}
		return w.ok
	}
	if s.top, ok = peak(s.scores); ok {
		s.sum, _ = fmath.Exps(s.exps, s.scores, s.top)
	}
	return ok
}

// softmax also fills probs, rounded to float32 as transformers has them, and
// units. What it has of the very same row it does not do again.
func (s *scratch) softmax(c Context, row []float32) (ok bool) {
	if s.kept && s.of == c.weights.state() {
		return true
	}
	s.of, s.keyed = rowState{}, false
	if !s.spread(c, row) {
		return false
	}
	s.probs, s.units = resize(s.probs, len(s.exps)), resize(s.units, len(s.exps))
	rows.Shares(s.probs, s.units, s.exps, s.sum)
	if s.kept {
		s.of = c.weights.state()
	}
	return true
}

// scoreKeys fills keys for scores.
func (s *scratch) scoreKeys() {
	if !s.keyed {
		s.sortKeys(s.scores)
		s.keyed = true
	}
}

// logSumExp is LogSumExp of the row that spread was called for.
func (s *scratch) logSumExp() float64 { return s.top + fmath.Log(s.sum) }

// remove removes the token at place i of left.
func (s *scratch) remove(row []float32, i int) { row[s.left[i]] = gone }

// mass is a sum of units as the float32 that transformers compares.
func mass(units uint64) float32 { return float32(float64(units) / rows.Unit) }

// sortKeys fills keys: they are ordered as the values are.
func (s *scratch) sortKeys(values []float32) {
	s.keyed = false
	s.keys = resize(s.keys, len(values))
	rows.Keys(s.keys, values)
}

// tally counts how often each id occurs; ids outside the vocabulary are passed
// over. The caller sets to 0 again what it reads.
func (s *scratch) tally(ids []int, vocab int) []int32 {
	s.counts = resize(s.counts, vocab)
	for _, id := range ids {
		if id >= 0 && id < vocab {
			s.counts[id]++
		}
	}
	return s.counts
}

// eachDistinct calls f once for every id of the vocabulary that occurs in ids,
// with how often it does.
func eachDistinct(ids []int, vocab int, f func(id, count int)) {
	s := borrow()
	defer s.release()
	counts := s.tally(ids, vocab)
	for _, id := range ids {
		if id >= 0 && id < vocab && counts[id] > 0 {
			n := int(counts[id])
			counts[id] = 0
			f(id, n)
		}
	}
}
