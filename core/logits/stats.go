package logits

import (
	"math"

	"decodingplayground/core/fmath"
)

// StageStats is what a stage left. Count tokens are kept, Cut fewer than before
// it, and the Cut ones had CutMass of the distribution that came in. Entropy is
// in bits. LogSumExp makes probabilities of the row's scores: see Prob.
type StageStats struct {
	Count     int
	Cut       int
	CutMass   float64
	Entropy   float64
	LogSumExp float64
}

// Stats is one entry for each row of the trace, the model's first. What is
// no distribution has zeros; nothing is NaN. dst grows where it is too short.
func (t Trace) Stats(dst []StageStats) []StageStats {
	s := borrow()
	defer s.release()
	dst = resize(dst, len(t.Scores))
	for i, row := range t.Scores {
		st := StageStats{LogSumExp: math.Inf(1)}
		if i > 0 {
			st.Cut, st.CutMass = s.cutMass(row, t.Scores[i-1])
		}
		for _, x := range row {
			if !removed(x) {
				st.Count++
			}
		}
		s.distribution(row, &st)
		dst[i] = st
	}
	return dst
}

// distribution fills exps with the probabilities of row, and st with what
// follows from them.
func (s *scratch) distribution(row []float32, st *StageStats) {
	s.exps = resize(s.exps, len(row))
	top, ok := peak(row)
	if !ok {
		clear(s.exps)
		return
	}
	var sum, dot float64
	for i, x := range row {
		e := exp(x, top)
		s.exps[i] = e
		sum += e
		if e > 0 {
			dot += float64(e * (float64(x) - top))
		}
	}
	for i := range s.exps {
		s.exps[i] /= sum
	}
	st.Entropy = bits(sum, dot)
	st.LogSumExp = top + fmath.Log(sum)
}

// cutMass is how many tokens row lacks of before, and their share there, which
// exps holds.
func (s *scratch) cutMass(row, before []float32) (count int, mass float64) {
	for i, x := range row {
		if removed(x) && !removed(before[i]) {
			count++
			mass += s.exps[i]
		}
	}
	return count, min(1, mass)
}

// KeptCount is how many tokens the whole pipeline left.
func (t Trace) KeptCount() int {
	n := 0
	for _, s := range t.Final() {
		if !removed(s) {
			n++
		}
	}
	return n
}

// KeptMass is the share that the tokens left by the whole pipeline have in the
// distribution that enters the first filter.
func (t Trace) KeptMass() float64 { return t.massOfKept(t.Scores[t.FirstCut]) }

// ModelKeptMass is their share in the model's own distribution.
func (t Trace) ModelKeptMass() float64 { return t.massOfKept(t.Scores[0]) }

func (t Trace) massOfKept(row []float32) float64 {
	top, ok := peak(row)
	if !ok {
		return 0
	}
	var kept, all float64
	for i, s := range t.Final() {
		e := exp(row[i], top)
		all += e
		if !removed(s) {
			kept += e
		}
	}
	return kept / all
}

// NucleusSize is how many tokens top_p keeps of the row: 1 to the number that
// are left, 0 where there is none.
func NucleusSize(scores []float32, p float64) int {
	left := 0
	for _, s := range scores {
		if !removed(s) {
			left++
		}
	}
	s := borrow()
	defer s.release()
	if p >= 1 || !s.softmax(scores) {
		return left
	}
	s.sortKeys(scores)
	return min(left, s.nucleus(p, 1))
}
