package kernel

import (
	"fmt"
	"math"
)

// Activations are n vectors quantised to 16 bits in groups, as the kernel
// reads them: words that stand 4 times each, once for each of 4 rows. A group
// has the start of the kernel's sums, -bias times its numbers; then the numbers,
// two in a word; then the bits of the scale, a float32.
type Activations struct {
	n, cols, group int
	words          []int32   // (n, groups, groupWords)
	last           []float32 // a vector's last group, filled up with zeros
}

// groupWords is the size of a group of activations.
func groupWords(group int) int { return 4 * (1 + group/2 + 1) }

const (
	maxAct  = 32767
	actHuge = 3e38
	actTiny = 1e-30 // a group below is zeros
)

// Set quantises the n vectors of x, cols numbers each. A group that is not
// finite gives NaN wherever it is used.
func (a *Activations) Set(x []float32, n, cols, group int) {
	if len(x) != n*cols || n < 1 {
		panic(fmt.Sprintf("kernel: %d activations, want %d of %d", len(x), n, cols))
	}
	groups := roundUp(cols, group) / group
	a.n, a.cols, a.group = n, cols, group
	room := n
	if n%4 >= 2 {
		room = roundUp(n, 4) // with zeros: four cost less than two and a half
	}
	size := groupWords(group)
	a.words = grow(a.words, room*groups*size)
	clear(a.words[n*groups*size:])
	for i := range n {
		row := x[i*cols : (i+1)*cols]
		for g := range groups {
			part := row[g*group : min((g+1)*group, cols)]
			if len(part) < group {
				a.last = grow(a.last, group)
				clear(a.last[copy(a.last, part):])
				part = a.last
			}
			quantise(a.words[(i*groups+g)*size:][:size], part)
		}
	}
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// quantiseGeneric writes x, a multiple of 8 numbers, as a group.
func quantiseGeneric(words []int32, x []float32) {
	var most float32
	finite := true
	for _, v := range x {
		if v < 0 {
			v = -v
		}
		if !(v <= actHuge) {
			finite = false
		}
		if most < v {
			most = v
		}
	}
	clear(words)
	last := len(words) - 4
	if !finite {
		fill(words[last:], int32(math.Float32bits(float32(math.NaN()))))
		return
	}
	if most < actTiny {
		return
	}
	inv := maxAct / most
	var sum int32
	for i := 0; i < len(x); i += 2 {
		a, b := roundAct(float32(x[i]*inv)), roundAct(float32(x[i+1]*inv))
		fill(words[4+2*i:], int32(b)<<16|int32(uint16(a)))
		sum += int32(a) + int32(b)
	}
	fill(words, -bias*sum)
	fill(words[last:], int32(math.Float32bits(most/maxAct)))
}

// fill sets the first 4 words.
func fill(words []int32, v int32) {
	p := (*[4]int32)(words)
	p[0], p[1], p[2], p[3] = v, v, v, v
}

// roundAct rounds to the nearest whole number, ties to even: adding 1.5 * 2^23
// leaves no bits for a fraction.
func roundAct(v float32) int16 {
	const magic = 3 << 22
	return int16(float32(v+magic) - magic)
}
