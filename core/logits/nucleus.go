package logits

import (
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
// distribution: NucleusOf's Size for less, for every step has one.
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
// tokens are among those that fall first, and which of equal probabilities fall
// makes no difference to a count: so nothing is gathered, and the probabilities
// themselves are the keys.
func (s *scratch) nucleusSize(scores []float32, p float64) int {
	if p >= 1 {
		return rows.Kept(scores)
	}
	s.probs, s.units = resize(s.probs, len(s.exps)), resize(s.units, len(s.exps))
	rows.Shares(s.probs, s.units, s.exps, s.sum)
	s.sortKeys(s.probs)
	return len(scores) - s.nucleus(p, 1).count(s.keys)
}

func share(units uint64) float64 { return min(1, float64(units)/rows.Unit) }
