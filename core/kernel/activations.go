package kernel

import (
	"fmt"
	"math"
)

// Activations are n vectors quantised to 16 bits in groups, as the kernel
// reads them: each pair of numbers stands 4 times, once for each of 4 rows.
type Activations struct {
	n, cols, group int
	q              []int16   // (n, cols rounded up / 2, 4, 2)
	scale          []float32 // (n, groups)
	start          []int32   // (n, groups): -bias times the sum
	last           []float32 // a vector's last group, filled up with zeros
}

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
	a.q = grow(a.q, room*groups*group*4)
	a.scale = grow(a.scale, room*groups)
	a.start = grow(a.start, room*groups)
	clear(a.q[n*groups*group*4:])
	clear(a.scale[n*groups:])
	clear(a.start[n*groups:])
	for i := range n {
		row := x[i*cols : (i+1)*cols]
		for g := range groups {
			at := i*groups + g
			part := row[g*group : min((g+1)*group, cols)]
			if len(part) < group {
				a.last = grow(a.last, group)
				clear(a.last[copy(a.last, part):])
				part = a.last
			}
			a.scale[at], a.start[at] = quantise(a.q[at*group*4:][:group*4], part)
		}
	}
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// quantiseGeneric writes x, a multiple of 8 numbers, to q and returns its scale
// and the start of the kernel's sums.
func quantiseGeneric(q []int16, x []float32) (scale float32, start int32) {
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
	if !finite {
		clear(q)
		return float32(math.NaN()), 0
	}
	if most < actTiny {
		clear(q)
		return 0, 0
	}
	scale = most / maxAct
	inv := maxAct / most
	var sum int32
	for i := 0; i < len(x); i += 2 {
		a, b := roundAct(float32(x[i]*inv)), roundAct(float32(x[i+1]*inv))
		p := (*[8]int16)(q[4*i:])
		p[0], p[1], p[2], p[3] = a, b, a, b
		p[4], p[5], p[6], p[7] = a, b, a, b
		sum += int32(a) + int32(b)
	}
	return scale, -bias * sum
}

// roundAct rounds to the nearest whole number, ties to even: adding 1.5 * 2^23
// leaves no bits for a fraction.
func roundAct(v float32) int16 {
	const magic = 3 << 22
	return int16(float32(v+magic) - magic)
}
