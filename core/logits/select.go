package logits

import (
	"math"
	"math/bits"

	"decodingplayground/core/rows"
)

// boundary walks items in ascending order of their keys, adding up weights (1
// each where weights is nil), and gives the key of the first item at which
// reached holds, with the sum over all smaller keys. reached must hold for every
// sum above one for which it holds. ok is false when it never does.
//
// It is a radix search: items are shared out to 2048 bins by what their keys have
// between the lowest and the highest, and those of one bin are looked at again, up
// to three times. Linear in the worst case, and nothing is sorted.
func (s *scratch) boundary(keys []uint32, weights []uint64, reached func(sum uint64) bool) (key uint32, below uint64, ok bool) {
	for len(keys) > 48 {
		low, high := rows.Span(keys)
		shift := max(0, bits.Len32(high-low)-11)
		var bins rows.Bins
		if weights == nil {
			bins.Count(keys, low, shift)
		} else {
			bins.Add(keys, weights, low, shift)
		}
		bin := uint32(0)
		for last := (high - low) >> shift; !reached(below + bins[bin]); bin++ {
			if bin == last {
				return 0, below, false
			}
			below += bins[bin]
		}
		if shift == 0 {
			return low + bin, below, true
		}
		keys, weights = s.ofBin(bin, keys, weights, low, shift)
	}
	return walk(below, keys, weights, reached)
}

// ofBin are the items of one bin. They may be from an earlier call.
func (s *scratch) ofBin(bin uint32, keys []uint32, weights []uint64, low uint32, shift int) ([]uint32, []uint64) {
	s.nearKeys, s.nearWeights = s.nearKeys[:0], s.nearWeights[:0]
	low, width := low+bin<<shift, uint32(1)<<shift
	for i := 0; i < len(keys); i++ {
		if four := keys[i:]; len(four) >= 4 && four[0]-low >= width && four[1]-low >= width && four[2]-low >= width && four[3]-low >= width {
			i += 3
			continue
		}
		if keys[i]-low < width {
			s.nearKeys = append(s.nearKeys, keys[i])
			if weights != nil {
				s.nearWeights = append(s.nearWeights, weights[i])
			}
		}
	}
	if weights == nil {
		return s.nearKeys, nil
	}
	return s.nearKeys, s.nearWeights
}

// walk is boundary for a few items, for which bins would cost more than they save:
// it looks for the next key again and again. The sum begins with below.
func walk(below uint64, keys []uint32, weights []uint64, reached func(sum uint64) bool) (uint32, uint64, bool) {
	for next := uint64(0); ; {
		found, sum := uint64(math.MaxUint64), uint64(0)
		for i, k := range keys {
			k := uint64(k)
			if k < next || k > found {
				continue
			}
			if k < found {
				found, sum = k, 0
			}
			if weights == nil {
				sum++
			} else {
				sum += weights[i]
			}
		}
		switch {
		case found == math.MaxUint64:
			return 0, below, false
		case reached(below + sum):
			return uint32(found), below, true
		}
		below += sum
		next = found + 1
	}
}

// side is the low end of a row that is ordered by key: what is below key, and of
// the items with that very key the first few in the order of ids.
type side struct {
	key  uint32
	ties int
}

// lowest is the low end that holds n items; of ties the lower ids.
func (s *scratch) lowest(keys []uint32, n int) side {
	n = min(n, len(keys))
	if n <= 0 {
		return side{}
	}
	key, below, _ := s.boundary(keys, nil, func(sum uint64) bool { return sum >= uint64(n) })
	return side{key, n - int(below)}
}

// count is how many items the low end has.
func (s side) count(keys []uint32) int { return rows.Below(keys, s.key) + s.ties }

// kthLargest is the k-th largest score that is left, k at least 1, and -Inf where
// there are fewer. NaN counts as the largest.
func (s *scratch) kthLargest(scores []float32, k int) float32 {
	if k <= few {
		s.order = Top(s.order, scores, k)
		if len(s.order) < k {
			return gone
		}
		return scores[s.order[k-1]]
	}
	s.sortKeys(scores)
	if k > len(s.keys) {
		return gone
	}
	rest := uint64(len(s.keys) - k)
	key, _, _ := s.boundary(s.keys, nil, func(sum uint64) bool { return sum > rest })
	return rows.OfKey(key)
}

// takeBelow reports whether the item with this key is in the low end. It is to
// be called once for each item, in the order of ids.
func (s *side) takeBelow(key uint32) bool {
	return key < s.key || s.takeTie(key)
}

func (s *side) takeTie(key uint32) bool {
	if key != s.key || s.ties == 0 {
		return false
	}
	s.ties--
	return true
}
