package logits

import (
	"iter"
	"math"
	"slices"

	"decodingplayground/core/fmath"
	"decodingplayground/core/rows"
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

// few is how many tokens are found faster by selecting than by sorting all.
const few = 512

// Top writes the n likeliest kept ids to dst in the order of the draw, fewer
// where fewer are kept, and returns it.
func Top(dst []int, scores []float32, n int) []int {
	if n > few {
		dst = Order(dst, scores)
		return dst[:min(n, len(dst))]
	}
	dst = slices.Grow(dst[:0], max(0, min(n, len(scores))))
	if n <= 0 {
		return dst
	}
	floor := gone // the last one's score when dst is full
	for id := rows.Next(scores, floor); id < len(scores); id += 1 + rows.Next(scores[id+1:], floor) {
		if at := placeOf(scores[id], dst, scores); at < n {
			dst = append(dst[:min(len(dst), n-1)], id)
			copy(dst[at+1:], dst[at:])
			dst[at] = id
			if len(dst) == n {
				floor = scores[dst[n-1]]
			}
		}
	}
	return dst
}

// placeOf is where a score goes among those of ids, after its equals.
func placeOf(score float32, ids []int, scores []float32) int {
	key, low, high := rows.Key(score), 0, len(ids)
	for low < high {
		if mid := (low + high) / 2; rows.Key(scores[ids[mid]]) >= key {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// Descending gives the kept ids in the order of the draw. All are sorted only
// when more than the first are asked for.
func Descending(scores []float32) iter.Seq[int] {
	return func(yield func(int) bool) {
		s := borrow()
		defer s.release()
		const first = 64
		s.order = Top(s.order, scores, first)
		for i := 0; i < len(s.order); i++ {
			if !yield(s.order[i]) {
				return
			}
			if i == first-1 {
				s.order = Order(s.order, scores)
			}
		}
	}
}

// Best is the id with the largest score, ties by lower id, or -1 when no token
// is left. NaN counts as the largest, as it does for argmax in torch.
func Best(scores []float32) int {
	best := -1
	for at := rows.Next(scores, gone); at < len(scores); at += 1 + rows.Next(scores[at+1:], scores[best]) {
		best = at
		if scores[at] != scores[at] {
			break
		}
	}
	return best
}

// Rank is the place of id in the order of the draw, from 1. Removed tokens rank
// after all others.
func Rank(scores []float32, id int) int {
	own, rank := scores[id], 1
	if own != own {
		return rank + countNaN(scores[:id])
	}
	for _, s := range scores[:id] {
		if s == own {
			rank++
		}
	}
	return rank + rows.Above(scores, own)
}

func countNaN(scores []float32) (n int) {
	for _, s := range scores {
		if s != s {
			n++
		}
	}
	return n
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
