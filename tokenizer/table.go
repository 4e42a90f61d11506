package tokenizer

import "math/bits"

// pair is two ids side by side: left<<32 | right.
type pair uint64

func pairOf(left, right int32) pair { return pair(left)<<32 | pair(uint32(right)) }

// merge is what a pair becomes. The lowest rank is merged first.
type merge struct{ rank, id int32 }

// table maps pairs to merges: open addressing in a power of two of slots, at
// least half of them free. A Go map gives the same answers but takes five
// times as long to fill, and the page waits for it.
type table struct {
	slots []slot
	shift int
}

type slot struct {
	key pair // the pair + 1, 0 in a free slot
	merge
}

func (s slot) used() bool { return s.key != 0 }

// newTable has room for n merges.
func newTable(n int) table {
	log := bits.Len(uint(2*n + 1))
	return table{slots: make([]slot, 1<<log), shift: 64 - log}
}

// set makes p become m, in place of an earlier merge of p.
func (t table) set(p pair, m merge) {
	*t.find(p) = slot{p + 1, m}
}

// get returns the merge of p, or noMerge.
func (t table) get(p pair) merge {
	if s := t.find(p); s.used() {
		return s.merge
	}
	return noMerge
}

// find returns the slot of p, or the free one where it would be.
func (t table) find(p pair) *slot {
	at := uint64(p) * 0x9E3779B97F4A7C15 >> t.shift
	for t.slots[at].used() && t.slots[at].key != p+1 {
		at = (at + 1) & uint64(len(t.slots)-1)
	}
	return &t.slots[at]
}
