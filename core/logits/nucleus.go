package logits

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
	if !s.softmax(scores) {
		return Nucleus{Crossing: -1}
	}
	left := len(s.left)
	if p >= 1 {
		return Nucleus{Size: left, Mass: 1, Crossing: -1, SlipSize: left, SlipMass: 1}
	}
	s.sortKeys(s.scores)
	fall, size := s.nucleus(p, 1)
	n := Nucleus{Size: size}
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
// distribution.
func NucleusSize(scores []float32, p float64) int { return NucleusOf(scores, p).Size }

func share(units uint64) float64 { return min(1, float64(units)/unit) }
