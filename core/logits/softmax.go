package logits

import (
	"math"

	"decodingplayground/core/fmath"
)

// Softmax writes the probabilities of scores to dst, which grows where it is
// too short, and returns it. They are summed in float64, in the order of ids.
// The probabilities of a row that is no distribution are all 0, never NaN.
func Softmax[F ~float32 | ~float64](dst []F, scores []float32) []F {
	dst = resize(dst, len(scores))
	s := borrow()
	defer s.release()
	clear(dst)
	if s.spread(Context{}, scores) {
		for i, e := range s.exps {
			dst[s.left[i]] = F(e / s.sum)
		}
	}
	return dst
}

// LogSoftmax writes the natural logarithms of the probabilities to dst, which
// grows where it is too short, and returns it. A removed token has -Inf; so has
// every token of a row that is no distribution. dst may be scores.
func LogSoftmax(dst, scores []float32) []float32 {
	dst = resize(dst, len(scores))
	top, ok := peak(scores)
	if !ok {
		for i := range dst {
			dst[i] = gone
		}
		return dst
	}
	log := fmath.Log(expSum(scores, top))
	for i, s := range scores {
		dst[i] = float32(float64(s) - top - log)
	}
	return dst
}

// LogSumExp is the logarithm of the sum of e**score: a score's log-probability
// is the score less this. It is +Inf for a row that is no distribution, so that
// Prob is 0 there.
func LogSumExp(scores []float32) float64 {
	top, ok := peak(scores)
	if !ok {
		return math.Inf(1)
	}
	return top + fmath.Log(expSum(scores, top))
}

// Measure is LogSumExp and Entropy of a row at the cost of one.
func Measure(scores []float32) (logSumExp, entropy float64) {
	top, ok := peak(scores)
	if !ok {
		return math.Inf(1), 0
	}
	sum, dot := fmath.ExpSums(scores, top)
	return top + fmath.Log(sum), entropyOf(sum, dot)
}

// Summary is what every step tells of a row.
type Summary struct {
	LogSumExp float64 // as LogSumExp gives it
	Entropy   float64 // in bits, as Entropy gives it
	Best      int     // as Best gives it
	Nucleus   int     // as NucleusSize gives it
}

// Summarise computes each e**score of the row once. Nucleus is that of p.
func Summarise(scores []float32, p float64) Summary {
	best := Best(scores)
	if best < 0 || scores[best] != scores[best] || math.IsInf(float64(scores[best]), 0) {
		return Summary{LogSumExp: math.Inf(1), Best: best}
	}
	s := borrow()
	defer s.release()
	top := float64(scores[best])
	s.exps = resize(s.exps, len(scores))
	var dot float64
	s.sum, dot = fmath.Exps(s.exps, scores, top)
	return Summary{top + fmath.Log(s.sum), entropyOf(s.sum, dot), best, s.nucleusSize(scores, p)}
}

// Prob is the probability of a score in a row whose LogSumExp is given: 0 to 1,
// never NaN.
func Prob(score float32, logSumExp float64) float64 {
	if removed(score) || score != score || math.IsInf(logSumExp, 0) {
		return 0
	}
	return min(1, fmath.Exp(float64(score)-logSumExp))
}

// Entropy is the entropy of the row's distribution in bits: 0 when one token is
// left or the row is no distribution, never NaN.
func Entropy(scores []float32) float64 {
	top, ok := peak(scores)
	if !ok {
		return 0
	}
	return entropyOf(fmath.ExpSums(scores, top))
}

// entropyOf is the entropy in bits of weights e**x, x <= 0, from their sum and the sum of
// e**x * x.
func entropyOf(sum, dot float64) float64 {
	return max(0, (fmath.Log(sum)-dot/sum)/math.Ln2)
}

// peak is the largest score, and whether the row is a distribution.
func peak(scores []float32) (top float64, ok bool) {
	best := Best(scores)
	if best < 0 || scores[best] != scores[best] {
		return 0, false
	}
	return float64(scores[best]), !math.IsInf(float64(scores[best]), 0)
}

func expSum(scores []float32, top float64) float64 {
	sum, _ := fmath.ExpSums(scores, top)
	return sum
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
