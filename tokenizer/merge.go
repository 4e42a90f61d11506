package tokenizer

import "math"

// noMerge is what a pair becomes that is never merged.
var noMerge = merge{rank: math.MaxInt32, id: -1}

// shortWord is the length up to which looking through all pairs is the
// quickest way to the best one.
const shortWord = 32

// appendWord merges the bytes of one word and appends the ids that are left.
func (t *Tokenizer) appendWord(ids []int, word string) []int {
	if len(word) <= shortWord {
		return t.appendShort(ids, word)
	}
	return t.appendLong(ids, word)
}

// appendShort is quadratic in the word, without an allocation.
func (t *Tokenizer) appendShort(ids []int, word string) []int {
	var buf [shortWord]int32
	var best [shortWord]merge // best[i] is the merge of parts i and i+1
	parts := buf[:len(word)]
	for i := range parts {
		parts[i] = t.byteIDs[word[i]]
	}
	for i := 0; i+1 < len(parts); i++ {
		best[i] = t.merges.get(pairOf(parts[i], parts[i+1]))
	}
	for len(parts) > 1 {
		last := len(parts) - 1
		at := 0
		for i := 1; i < last; i++ {
			if best[i].rank < best[at].rank {
				at = i
			}
		}
		if best[at].id < 0 {
			break
		}
		parts[at] = best[at].id
		copy(parts[at+1:], parts[at+2:])
		copy(best[at:], best[at+1:last])
		parts = parts[:last]
		if at > 0 {
			best[at-1] = t.merges.get(pairOf(parts[at-1], parts[at]))
		}
		if at+1 < last {
			best[at] = t.merges.get(pairOf(parts[at], parts[at+1]))
		}
	}
	for _, id := range parts {
		ids = append(ids, int(id))
	}
	return ids
}

// part is an element of a linked list: a byte at first, later the piece that
// begins there. A part merged into its left neighbour has id -1.
type part struct{ id, prev, next int32 }

// appendLong takes n log n steps: a list of parts, and a queue of the places
// where a merge can be done. A place in the queue may be out of date; it is
// looked at again when its turn comes.
func (t *Tokenizer) appendLong(ids []int, word string) []int {
	n := int32(len(word))
	parts := make([]part, n)
	for i := range parts {
		parts[i] = part{id: t.byteIDs[word[i]], prev: int32(i) - 1, next: int32(i) + 1}
	}
	mergeAt := func(at int32) merge {
		p := parts[at]
		if p.id < 0 || p.next == n {
			return noMerge
		}
		return t.merges.get(pairOf(p.id, parts[p.next].id))
	}
	q := make(queue, 0, n)
	for i := range n {
		if m := mergeAt(i); m.id >= 0 {
			q = append(q, placeOf(m.rank, i))
		}
	}
	q.init()
	for len(q) > 0 {
		first := q.pop()
		at := first.at()
		m := mergeAt(at)
		if m.id < 0 || m.rank != first.rank() {
			continue // one of the two is gone
		}
		p := &parts[at]
		after := parts[p.next].next
		parts[p.next].id = -1
		p.id, p.next = m.id, after
		if after < n {
			parts[after].prev = at
		}
		for _, changed := range [...]int32{p.prev, at} {
			if changed < 0 {
				continue
			}
			if m := mergeAt(changed); m.id >= 0 {
				q.push(placeOf(m.rank, changed))
			}
		}
	}
	for i := int32(0); i < n; i = parts[i].next {
		ids = append(ids, int(parts[i].id))
	}
	return ids
}

// place is where a merge can be done, rank<<32 | at: the smallest is next.
type place uint64

func placeOf(rank, at int32) place { return place(rank)<<32 | place(at) }
func (p place) rank() int32        { return int32(p >> 32) }
func (p place) at() int32          { return int32(uint32(p)) }

// queue is a binary heap, the smallest place at 0.
type queue []place

func (q queue) init() {
	for i := len(q)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
}

func (q *queue) push(p place) {
	*q = append(*q, p)
	h := *q
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if h[up] <= h[i] {
			break
		}
		h[up], h[i] = h[i], h[up]
		i = up
	}
}

func (q *queue) pop() place {
	h := *q
	first, last := h[0], len(h)-1
	h[0] = h[last]
	*q = h[:last]
	q.down(0)
	return first
}

func (q queue) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(q) {
			return
		}
		if child+1 < len(q) && q[child+1] < q[child] {
			child++
		}
		if q[i] <= q[child] {
			return
		}
		q[i], q[child] = q[child], q[i]
		i = child
	}
}
