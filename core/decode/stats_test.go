package decode

import (
	"math"
	"testing"
)

func TestMeasure(t *testing.T) {
	text := func(bits float64, ids ...int) []Taken {
		var list []Taken
		for _, id := range ids {
			list = append(list, Taken{ID: id, Surprise: bits, Entropy: 2, Nucleus: 3})
		}
		return list
	}
	m := Measure(text(1, 1, 2, 1, 2, 1, 2))
	if m.Tokens != 6 || math.Abs(m.MeanLogProb+math.Ln2) > 1e-15 || math.Abs(m.Perplexity-2) > 1e-12 {
		t.Errorf("%+v, want 6 tokens of 1 bit: log-probability -0.693, perplexity 2", m)
	}
	if m.Distinct != [3]float64{2.0 / 6, 2.0 / 5, 2.0 / 4} || m.Repeated4 != 1.0/3 {
		t.Errorf("distinct %v, repeated %v", m.Distinct, m.Repeated4)
	}
	if m.MeanEntropy != 2 || m.MeanNucleus != 3 || m.LoopPeriod != 2 {
		t.Errorf("entropy %v, nucleus %v, period %v, want 2, 3, 2", m.MeanEntropy, m.MeanNucleus, m.LoopPeriod)
	}
	if m := Measure(nil); m != (Metrics{}) {
		t.Errorf("an empty text has %+v", m)
	}
	// One token that the model held for impossible.
	m = Measure(text(surpriseBits(math.Inf(-1)), 5))
	for _, v := range []float64{m.MeanLogProb, m.Perplexity, m.Distinct[0], m.Distinct[1], m.Distinct[2], m.Repeated4} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("%+v holds %v", m, v)
		}
	}
	if m.Distinct != [3]float64{1, 0, 0} || m.Repeated4 != 0 {
		t.Errorf("one token: distinct %v, repeated %v, want 1 0 0 and 0", m.Distinct, m.Repeated4)
	}
}

func TestLoop(t *testing.T) {
	for _, c := range []struct {
		ids  []int
		want int
	}{
		{nil, 0},
		{[]int{1}, 0},
		{[]int{1, 1}, 0},
		{[]int{1, 1, 1}, 1},
		{[]int{2, 1, 1, 1}, 1},
		{[]int{1, 1, 1, 2}, 0},
		{[]int{9, 1, 2, 1, 2, 1, 2}, 2},
		{[]int{1, 2, 1, 2, 1}, 0},
		{[]int{1, 2, 3, 1, 2, 3, 1, 2, 3}, 3},
		{[]int{1, 1, 2, 1, 1, 2, 1, 1, 2}, 3},
	} {
		if got := Loop(c.ids); got != c.want {
			t.Errorf("period of %v is %d, want %d", c.ids, got, c.want)
		}
	}
}
