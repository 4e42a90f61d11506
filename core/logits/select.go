package logits

// boundary walks items in ascending order of their keys, adding up weights (1
// each where weights is nil), and gives the key of the first item at which
// reached holds, with the sum over all smaller keys. reached must hold for every
// sum above one for which it holds. ok is false when it never does.
//
// It is a radix search, three passes of 11, 11 and 10 bits: linear in the
// worst case, and nothing is sorted.
func boundary(keys []uint32, weights []uint64, reached func(sum uint64) bool) (key uint32, below uint64, ok bool) {
	for _, d := range [...]struct{ shift, bits uint }{{21, 11}, {10, 11}, {0, 10}} {
		var bins [1 << 11]uint64
		prefix := key >> d.shift >> d.bits
		for i, k := range keys {
			if k>>d.shift>>d.bits != prefix {
				continue
			}
			w := uint64(1)
			if weights != nil {
				w = weights[i]
			}
			bins[k>>d.shift&(1<<d.bits-1)] += w
		}
		bin := 0
		for ; bin < 1<<d.bits && !reached(below+bins[bin]); bin++ {
			below += bins[bin]
		}
		if bin == 1<<d.bits {
			return 0, below, false
		}
		key |= uint32(bin) << d.shift
	}
	return key, below, true
}

// side is one end of a row that is ordered by key: what is below key, or above
// it, and of the items with that very key the first few in the order of ids.
type side struct {
	key  uint32
	ties int
}

// lowest is the low end that holds n items; of ties the lower ids.
func lowest(keys []uint32, n int) side {
	n = min(n, len(keys))
	if n <= 0 {
		return side{}
	}
	key, below, _ := boundary(keys, nil, func(sum uint64) bool { return sum >= uint64(n) })
	return side{key, n - int(below)}
}

// highest is the high end that holds n items; of ties the lower ids.
func highest(keys []uint32, n int) side {
	n = min(n, len(keys))
	if n <= 0 {
		return side{key: nanKey}
	}
	rest := uint64(len(keys) - n)
	key, below, _ := boundary(keys, nil, func(sum uint64) bool { return sum > rest })
	above := len(keys) - int(below)
	for _, k := range keys {
		if k == key {
			above--
		}
	}
	return side{key, n - above}
}

// kthLargest is the key of the k-th largest item, k at least 1; the smallest
// item's where there are fewer.
func kthLargest(keys []uint32, k int) uint32 {
	rest := uint64(max(0, len(keys)-k))
	key, _, _ := boundary(keys, nil, func(sum uint64) bool { return sum > rest })
	return key
}

// takeBelow reports whether the item with this key is in the low end. It is to
// be called once for each item, in the order of ids.
func (s *side) takeBelow(key uint32) bool {
	return key < s.key || s.takeTie(key)
}

// takeAbove is takeBelow for the high end.
func (s *side) takeAbove(key uint32) bool {
	return key > s.key || s.takeTie(key)
}

func (s *side) takeTie(key uint32) bool {
	if key != s.key || s.ties == 0 {
		return false
	}
	s.ties--
	return true
}
