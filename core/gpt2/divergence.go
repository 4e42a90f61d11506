package gpt2

import "decodingplayground/core/fmath"

// Divergence compares the distributions of two rows of logits: the
// Kullback-Leibler divergence of got from want in nats, and whether both have
// the same likeliest token (the first of equal ones).
func Divergence(want, got []float32) (kl float64, sameTop bool) {
	p, pMost, pSum := shape(want)
	q, qMost, qSum := shape(got)
	for i := range want {
		logP := float64(want[i]) - pMost - fmath.Log(pSum)
		logQ := float64(got[i]) - qMost - fmath.Log(qSum)
		kl += float64(fmath.Exp(logP) * (logP - logQ))
	}
	return kl, p == q
}

// shape is what a softmax needs to know of a row, and its likeliest token.
func shape(logits []float32) (top int, most, sum float64) {
	for i, v := range logits {
		if v > logits[top] {
			top = i
		}
	}
	most = float64(logits[top])
	for _, v := range logits {
		sum += fmath.Exp(float64(v) - most)
	}
	return top, most, sum
}
