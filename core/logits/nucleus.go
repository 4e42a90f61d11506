package logits

import (
	"math"
	"slices"

	"decodingplayground/core/fmath"
	"decodingplayground/core/rows"
)

// Nucleus is what top_p keeps of a row. Crossing is the token that crosses p,
// the last one kept, and Mass the sum up to and with it; -1 and 1 where top_p is
// off. SlipSize and SlipMass are what the common wrong rule would keep, which
// drops the token that crosses (but always keeps one).
type Nucleus struct {
	Size     int
	Mass     float64
	Crossing int
	SlipSize int
	SlipMass float64
}

// NucleusOf measures what top_p keeps at p, 0 to 1. A row that is no
// distribution has no nucleus: size 0, mass 0, no crossing token.
func NucleusOf(scores []float32, p float64) Nucleus {
	s := borrow()
	defer s.release()
	if !s.softmax(Context{}, scores) {
		return Nucleus{Crossing: -1}
	}
	left := len(s.left)
	if p >= 1 {
		return Nucleus{Size: left, Mass: 1, Crossing: -1, SlipSize: left, SlipMass: 1}
	}
	s.scoreKeys()
	fall := s.nucleus(p, 1)
	n := Nucleus{Size: left - fall.count(s.keys)}
	var sum uint64
	last := -1
	for i, k := range s.keys {
		if fall.takeBelow(k) {
			continue
		}
		sum += s.units[i]
		if last < 0 || k < s.keys[last] {
			last = i
		}
	}
	n.Crossing = int(s.left[last])
	n.Mass = share(sum)
	n.SlipSize, n.SlipMass = n.Size, n.Mass
	if n.Size > 1 && mass(sum) > float32(p) {
		n.SlipSize, n.SlipMass = n.Size-1, share(sum-s.units[last])
	}
	return n
}

// NucleusSize is how many tokens top_p keeps of the row at p, 0 where it is no
// distribution: NucleusOf's Size at a third of its cost, for every step has one.
func NucleusSize(scores []float32, p float64) int {
	s := borrow()
	defer s.release()
	top, ok := peak(scores)
	if !ok {
		return 0
	}
	s.exps = resize(s.exps, len(scores))
	s.sum, _ = fmath.Exps(s.exps, scores, top)
	return s.nucleusSize(scores, p)
}

// nucleusSize is NucleusSize of the whole row that exps and sum are of. Removed
// tokens are among those that fall first.
//
// Which of equal probabilities fall makes no difference to a count. So they are
// shared out by their upper bits, and only those where the sum crosses are
// looked at one by one.
func (s *scratch) nucleusSize(scores []float32, p float64) int {
	if p >= 1 {
		return rows.Kept(scores)
	}
	s.probs, s.bins = resize(s.probs, len(s.exps)), resize(s.bins, probBins)
	probs, bins, sum := s.probs, (*[probBins]bin)(s.bins), s.sum
	clear(bins[:])
	for i, e := range s.exps {
		p := float32(e / sum)
		probs[i] = p
		b := &bins[probBin(p)]
		b.units += rows.UnitsOf(p)
		b.count++
	}
	limit := float32(1 - p)
	var fallen uint64
	kept, cross := len(probs), 0
	for ; cross < probBins-1 && mass(fallen+bins[cross].units) <= limit; cross++ {
		fallen += bins[cross].units
		kept -= bins[cross].count
	}
	var near []float32
	for _, p := range probs {
		if probBin(p) == cross {
			near = append(near, p)
		}
	}
	slices.Sort(near)
	for _, p := range near {
		if fallen += rows.UnitsOf(p); mass(fallen) > limit {
			break
		}
		kept--
	}
	return max(1, kept)
}

// probBin is the upper half of a probability's bits.
func probBin(p float32) int { return int(math.Float32bits(p)>>16) & (probBins - 1) }

const probBins = 1 << 14 // the bits of 1 have the bin 0x3f80

// bin is the sum and the number of probabilities.
type bin struct {
	units uint64
	count int
}

func share(units uint64) float64 { return min(1, float64(units)/rows.Unit) }
