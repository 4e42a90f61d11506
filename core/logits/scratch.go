package logits

import (
	"math"
	"sync"

	"decodingplayground/core/fmath"
)

// scratch is what a processor needs for one row: it is borrowed, so that a
// processor keeps no state and a step makes no garbage.
type scratch struct {
	exps   []float64
	probs  []float32
	units  []uint64
	keys   []uint32
	ids    []int
	counts []int32 // all 0 between uses
}

var pool = sync.Pool{New: func() any { return new(scratch) }}

func borrow() *scratch { return pool.Get().(*scratch) }

func (s *scratch) release() { pool.Put(s) }

// unit is the weight of probability 1. Masses are summed as whole numbers of
// 2**-62, so that a sum does not depend on the order it is taken in, and a
// filter need not sort to give what summing a sorted row gives.
const unit = 1 << 62

// spread fills exps with e**(score-top) and gives their sum. ok is false, and
// nothing filled, for a row that is no distribution.
func (s *scratch) spread(scores []float32) (sum float64, ok bool) {
	top, ok := peak(scores)
	if !ok {
		return 0, false
	}
	s.exps = resize(s.exps, len(scores))
	return fmath.Exps(s.exps, scores, top), true
}

// softmax fills probs, rounded to float32 as transformers has them, and units;
// ok as in spread.
func (s *scratch) softmax(scores []float32) (ok bool) {
	sum, ok := s.spread(scores)
	if !ok {
		return false
	}
	s.probs = resize(s.probs, len(scores))
	s.units = resize(s.units, len(scores))
	for i, e := range s.exps {
		s.probs[i] = float32(e / sum)
		s.units[i] = uint64(float64(s.probs[i]) * unit)
	}
	return true
}

// mass is a sum of units as the float32 that transformers compares.
func mass(units uint64) float32 { return float32(float64(units) / unit) }

// sortKeys fills keys: they are ordered as the values are.
func (s *scratch) sortKeys(values []float32) {
	s.keys = resize(s.keys, len(values))
	for i, v := range values {
		s.keys[i] = sortKey(v)
	}
}

// sortKey orders float32 as whole numbers: -0 is 0, NaN is above all.
func sortKey(v float32) uint32 {
	switch {
	case v == 0:
		return 1 << 31
	case v != v:
		return nanKey
	}
	b := math.Float32bits(v)
	if b>>31 == 1 {
		return ^b
	}
	return b | 1<<31
}

const nanKey = math.MaxUint32

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
