package decode

import (
	"math"

	"decodingplayground/core/fmath"
	"decodingplayground/core/logits"
)

// row is a model's distribution after a text, with what is told of it.
type row struct {
	logits  []float32
	lse     float64 // log of the sum of e**logit
	entropy float64 // bits
	best    int     // as argmax gives it
	nucleus int     // what top_p keeps at 0.9
}

func newRow(scores []float32) *row {
	s := logits.Summarise(scores, 0.9)
	return &row{scores, s.LogSumExp, s.Entropy, max(0, s.Best), s.Nucleus}
}

// rank is id's place in the order of the draw.
func (r *row) rank(id int) int {
	if id == r.best {
		return 1
	}
	return logits.Rank(r.logits, id)
}

// logProb is the natural log-probability of id; -Inf stands for 0.
func (r *row) logProb(id int) float64 { return float64(r.logits[id]) - r.lse }

// prob is the probability of id.
func (r *row) prob(id int) float64 { return logits.Prob(r.logits[id], r.lse) }

// logSoftmax is the row as log-probabilities, in a new slice.
func (r *row) logSoftmax() []float32 {
	out := make([]float32, len(r.logits))
	for id := range out {
		out[id] = float32(r.logProb(id))
	}
	return out
}

// drawn is a token and its place on the strip, where the kept tokens lie end
// to end from the likeliest down (ties: lower id first), each as wide as its
// probability.
type drawn struct {
	id        int
	low, high float64
}

// strip lays out the kept tokens, likeliest first.
func strip(scores []float32) []drawn {
	lse := logits.LogSumExp(scores)
	order := logits.Order(nil, scores)
	out := make([]drawn, len(order))
	end := 0.0
	for i, id := range order {
		out[i] = drawn{id: id, low: end, high: end + logits.Prob(scores[id], lse)}
		end = out[i].high
	}
	return out
}

// draw is the token that die, in [0,1), lies on, given the LogSumExp; the last kept one takes what
// rounding leaves. ok is false when every token is removed.
func draw(scores []float32, lse, die float64) (d drawn, ok bool) {
	for id := range logits.Descending(scores) {
		d = drawn{id: id, low: d.high, high: d.high + logits.Prob(scores[id], lse)}
		if die < d.high {
			return d, true
		}
		ok = true
	}
	return d, ok
}

// place is where id lies; a removed token has no width.
func place(scores []float32, id int) drawn {
	lse := logits.LogSumExp(scores)
	low := 0.0
	for other := range logits.Descending(scores) {
		high := low + logits.Prob(scores[other], lse)
		if other == id {
			return drawn{id: id, low: low, high: high}
		}
		low = high
	}
	return drawn{id: id}
}

// argmax is the id of the largest score; ties: the lowest id. All -Inf gives
// 0, as in HF.
func argmax(scores []float32) int { return max(0, logits.Best(scores)) }

// surpriseBits is -log2 of a probability given by its natural logarithm. An
// impossible token has the largest float32, so that sums stay finite.
func surpriseBits(logProb float64) float64 {
	if math.IsInf(logProb, -1) || math.IsNaN(logProb) {
		return math.MaxFloat32
	}
	return max(0, -logProb/math.Ln2)
}

// power is n to the p, exact for small whole p.
func power(n int, p float64) float64 {
	if p != math.Trunc(p) || math.Abs(p) > 5 {
		return fmath.Exp(p * fmath.Log(float64(n)))
	}
	v := 1.0
	for range int(math.Abs(p)) {
		v *= float64(n)
	}
	if p < 0 {
		return 1 / v
	}
	return v
}
