package logits

import (
	"math"

	"decodingplayground/core/fmath"
)

// Order writes the kept ids to dst in the order of the draw, likeliest first,
// ties by lower id, and returns it. dst grows where it is too short.
func Order(dst []int, scores []float32) []int {
	s := borrow()
	defer s.release()
	s.sortKeys(scores)
	dst = dst[:0]
	for id, score := range scores {
		if !removed(score) {
			dst = append(dst, id)
		}
	}
	s.sortDescending(dst)
	return dst
}

// Top writes the n likeliest kept ids to dst in the order of the draw, fewer
// where fewer are kept, and returns it. Only they are sorted.
func Top(dst []int, scores []float32, n int) []int {
	s := borrow()
	defer s.release()
	s.sortKeys(scores)
	end := highest(s.keys, n)
	dst = dst[:0]
	for id, score := range scores {
		if end.takeAbove(s.keys[id]) && !removed(score) {
			dst = append(dst, id)
		}
	}
	s.sortDescending(dst)
	return dst
}

// Best is the id with the largest score, ties by lower id, or -1 when no token
// is left. NaN counts as the largest, as it does for argmax in torch.
func Best(scores []float32) int {
	best := -1
	for id, s := range scores {
		if s != s {
			return id
		}
		if best < 0 && !removed(s) || best >= 0 && s > scores[best] {
			best = id
		}
	}
	return best
}

// Rank is the place of id in the order of the draw, from 1. Removed tokens rank
// after all others.
func Rank(scores []float32, id int) int {
	key, rank := sortKey(scores[id]), 1
	for i, s := range scores {
		if k := sortKey(s); k > key || k == key && i < id {
			rank++
		}
	}
	return rank
}

// Surprise is -log2 of the token's probability: 0 for a certain token, +Inf for
// a removed one, never NaN.
func Surprise(scores []float32, id int) float64 {
	top, ok := peak(scores)
	if !ok || removed(scores[id]) {
		return math.Inf(1)
	}
	return max(0, (fmath.Log(expSum(scores, top))-(float64(scores[id])-top))/math.Ln2)
}

// sortDescending orders ids, which come ascending, by key, largest first; equal
// keys keep their order. It is a radix sort, three passes of 11 bits.
func (s *scratch) sortDescending(ids []int) {
	s.ids = resize(s.ids, len(ids))
	keys, spare := s.keys, s.ids
	for shift := 0; shift < 33; shift += 11 {
		var ends [1<<11 + 1]int
		for _, id := range ids {
			ends[digit(keys[id], shift)+1]++
		}
		for i := range 1 << 11 {
			ends[i+1] += ends[i]
		}
		for _, id := range ids {
			d := digit(keys[id], shift)
			spare[ends[d]] = id
			ends[d]++
		}
		ids, spare = spare, ids
	}
	copy(spare, ids)
}

func digit(key uint32, shift int) uint32 { return ^key >> shift & (1<<11 - 1) }
