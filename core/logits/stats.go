package logits

import (
	"math"

	"decodingplayground/core/rows"
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

// Stats is one entry for each row of the trace, the model's first. What is no
// distribution has no mass and no entropy; nothing is NaN. They are written to
// dst, which grows where it is too short.
func (t Trace) Stats(dst []StageStats) []StageStats {
	dst = dst[:0]
	if len(t.Scores) == 0 {
		return dst
	}
	return t.stats(append(dst, measure(t.Scores[0])))
}

// Stats is Trace.Stats of the last run, good until the next. The model's own row
// is measured once and not again while runs have the very same slice, so that
// slice must not be written to in between.
func (r *Runner) Stats() []StageStats {
	if len(r.used) == 0 {
		return nil
	}
	raw := r.used[0]
	if len(r.stats) == 0 || !same(r.measured, raw) {
		r.stats, r.measured = append(r.stats[:0], measure(raw)), raw
	}
	r.stats = Trace{Scores: r.used}.stats(r.stats[:1])
	return r.stats
}

// stats adds to the model's entry those of the other rows.
func (t Trace) stats(dst []StageStats) []StageStats {
	for i, row := range t.Scores[1:] {
		st := measure(row)
		st.Cut, st.CutMass = cutMass(t.Scores[i], row, dst[i])
		dst = append(dst, st)
	}
	return dst
}

// measure gives what follows from a row by itself.
func measure(row []float32) StageStats {
	st := StageStats{Count: rows.Kept(row)}
	st.LogSumExp, st.Entropy = Measure(row)
	return st
}

// cutMass is how many tokens of before are not in after, and their mass. The
// smaller of the two parts is added up.
func cutMass(before, after []float32, st StageStats) (count int, mass float64) {
	var stay int
	for i, s := range before {
		switch {
		case removed(s):
		case removed(after[i]):
			count++
		default:
			stay++
		}
	}
	if count == 0 || math.IsInf(st.LogSumExp, 0) {
		return count, 0
	}
	for i, s := range before {
		if removed(after[i]) == (count <= stay) {
			mass += Prob(s, st.LogSumExp)
		}
	}
	if count > stay {
		mass = 1 - mass
	}
	return count, min(max(mass, 0), 1)
}

// KeptCount is how many tokens the whole pipeline left.
func (t Trace) KeptCount() int { return rows.Kept(t.Final()) }

// KeptMass is the share that the tokens left by the whole pipeline have in the
// distribution that enters the first filter. st are the trace's Stats.
func (t Trace) KeptMass(st []StageStats) float64 { return t.massOfKept(t.FirstCut, st) }

// ModelKeptMass is their share in the model's own distribution.
func (t Trace) ModelKeptMass(st []StageStats) float64 { return t.massOfKept(0, st) }

func (t Trace) massOfKept(row int, st []StageStats) float64 {
	if math.IsInf(st[row].LogSumExp, 0) {
		return 0
	}
	cut, mass := cutMass(t.Scores[row], t.Final(), st[row])
	if cut == 0 {
		return 1
	}
	return 1 - mass
}
