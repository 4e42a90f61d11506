package decode

import (
	"fmt"
	"math"

	"decodingplayground/core/fmath"
)

// Metrics describes a generated text. An empty text has zeros; nothing is NaN
// or infinite.
type Metrics struct {
	Tokens      int
	MeanLogProb float64    // nats, the model's own
	Perplexity  float64    // e**-MeanLogProb
	Distinct    [3]float64 // different n-grams / n-grams, n = 1, 2, 3
	Repeated4   float64    // share of 4-grams that stood before
	MeanEntropy float64    // bits, the model's own at each step
	MeanNucleus float64    // tokens, the model's own at p = 0.9
	LoopPeriod  int        // see Loop
}

// Metrics are those of the text that Best gives.
func (s *Session) Metrics() Metrics {
	if !s.Ready() {
		return Metrics{}
	}
	return Measure(s.Best().Generated())
}

// Measure computes the metrics of a text from the record of its tokens.
func Measure(text []Taken) Metrics {
	m := Metrics{Tokens: len(text)}
	if m.Tokens == 0 {
		return m
	}
	ids := make([]int, len(text))
	n := float64(len(text))
	for i, t := range text {
		ids[i] = t.ID
		m.MeanLogProb -= float64(t.Surprise * math.Ln2)
		m.MeanEntropy += t.Entropy
		m.MeanNucleus += float64(t.Nucleus)
	}
	m.MeanLogProb = m.MeanLogProb/n + 0 // + 0 makes -0 a 0
	m.MeanEntropy /= n
	m.MeanNucleus /= n
	m.Perplexity = min(fmath.Exp(-m.MeanLogProb), math.MaxFloat64)
	for i := range m.Distinct {
		if different, total := ngrams(ids, i+1); total > 0 {
			m.Distinct[i] = float64(different) / float64(total)
		}
	}
	if different, total := ngrams(ids, 4); total > 0 {
		m.Repeated4 = float64(total-different) / float64(total)
	}
	m.LoopPeriod = Loop(ids)
	return m
}

// ngrams counts a text's n-grams and how many of them are different.
func ngrams(ids []int, n int) (different, total int) {
	total = max(0, len(ids)-n+1)
	seen := map[string]bool{}
	for i := range total {
		seen[fmt.Sprint(ids[i:i+n])] = true
	}
	return len(seen), total
}

// Loop is the shortest period that ids repeat at least three times at their
// end, 0 for none.
func Loop(ids []int) int {
	for period := 1; 3*period <= len(ids); period++ {
		tail := ids[len(ids)-3*period:]
		same := true
		for i := period; i < len(tail) && same; i++ {
			same = tail[i] == tail[i-period]
		}
		if same {
			return period
		}
	}
	return 0
}
