package rows

import "math"

// Key orders float32 as whole numbers: -0 is 0, NaN is above all.
func Key(v float32) uint32 {
	b := math.Float32bits(v)
	switch {
	case v < 0:
		return ^b
	case v > 0:
		return b | 1<<31
	case v == 0:
		return 1 << 31
	}
	return nanKey
}

const nanKey = math.MaxUint32

// OfKey is the number with that Key.
func OfKey(key uint32) float32 {
	if key>>31 == 1 {
		return math.Float32frombits(key &^ (1 << 31))
	}
	return math.Float32frombits(^key)
}

// Keys sets dst[i] to Key of xs[i].
func Keys(dst []uint32, xs []float32) { keys(dst[:len(xs)], xs) }

func keysGeneric(dst []uint32, xs []float32) {
	for i, x := range xs {
		dst[i] = Key(x)
	}
}

// Span is the smallest and the largest key, the largest and the smallest number
// there is where there are none.
func Span(keys []uint32) (low, high uint32) { return span(keys) }

func spanGeneric(keys []uint32, low, high uint32) (uint32, uint32) {
	for ; len(keys) >= 4; keys = keys[4:] {
		k := (*[4]uint32)(keys)
		low = min(low, k[0], k[1], k[2], k[3])
		high = max(high, k[0], k[1], k[2], k[3])
	}
	for _, k := range keys {
		low, high = min(low, k), max(high, k)
	}
	return low, high
}

// Below is how many keys are smaller than key.
func Below(keys []uint32, key uint32) int { return below(keys, key) }

func belowGeneric(keys []uint32, key uint32) (n int) {
	for _, k := range keys {
		if k < key {
			n++
		}
	}
	return n
}

// Bins are sums by key: that of low + i<<shift up to, but not, low + (i+1)<<shift
// is number i.
type Bins [1 << 11]uint64

// Add adds each weight to the bin of its key.
func (b *Bins) Add(keys []uint32, weights []uint64, low uint32, shift int) {
	addUp(b, keys, weights[:len(keys)], low, shift)
}

// Count adds 1 to the bin of each key.
func (b *Bins) Count(keys []uint32, low uint32, shift int) {
	for _, k := range keys {
		b[binOf(k, low, shift)]++
	}
}

func addUpGeneric(b *Bins, keys []uint32, weights []uint64, low uint32, shift int) {
	weights = weights[:len(keys)]
	for ; len(keys) >= 4; keys, weights = keys[4:], weights[4:] {
		k, w := (*[4]uint32)(keys), (*[4]uint64)(weights)
		b[binOf(k[0], low, shift)] += w[0]
		b[binOf(k[1], low, shift)] += w[1]
		b[binOf(k[2], low, shift)] += w[2]
		b[binOf(k[3], low, shift)] += w[3]
	}
	for i, k := range keys {
		b[binOf(k, low, shift)] += weights[i]
	}
}

func binOf(key, low uint32, shift int) uint32 {
	return (key - low) >> (shift & 31) & uint32(len(Bins{})-1)
}
