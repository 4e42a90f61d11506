package decode

import (
	"math"
	"testing"

	"decodingplayground/core/logits"
)

func keptCount(scores []float32) int { return len(logits.Order(nil, scores)) }

// Rows computed by hand: tokens of 1/2, 1/4, 1/8 and 1/8 have 1, 2, 3 and 3
// bits of surprise.
func TestSurpriseCut(t *testing.T) {
	for _, c := range []struct {
		mu   float64
		want int
	}{{0.5, 1}, {-3, 1}, {1.5, 1}, {2.5, 2}, {2.9, 2}, {3.1, 4}, {50, 4}} {
		scores := []float32{float32(math.Log(1. / 8)), float32(math.Log(1. / 2)), float32(math.Log(1. / 8)), float32(math.Log(1. / 4))}
		surpriseCut(c.mu)(scores)
		if got := keptCount(scores); got != c.want || math.IsInf(float64(scores[1]), -1) {
			t.Errorf("mu %v keeps %d, want %d with the likeliest", c.mu, got, c.want)
		}
	}
}

// Rows computed by hand: on probabilities that fall as rank^-s the estimate of
// s is exact, so k = (e 2^mu / (1 - 100^-e))^(1/s), e = s - 1.
func TestZipfCut(t *testing.T) {
	for _, c := range []struct {
		s, mu float64
		want  int
	}{
		{2, 6, 8},    // (64 / 0.99)^(1/2) = 8.04
		{1.5, 4, 4},  // (8 / 0.9)^(2/3) = 4.29
		{1, 6, 13},   // 64 / ln 100 = 13.90
		{0.5, 3, 1},  // (4 / 9)^2 = 0.20: less than one
		{2, -9, 1},   // less than one
		{2, 40, 100}, // more than there are
		{0, 5, 100},  // flat: nothing to cut by
	} {
		scores := make([]float32, 100)
		for i := range scores {
			scores[i] = float32(-c.s * math.Log(float64(i+1)))
		}
		zipfCut(c.mu)(scores)
		if got := keptCount(scores); got != c.want {
			t.Errorf("s %v, mu %v keeps %d, want %d", c.s, c.mu, got, c.want)
		}
	}
	one := []float32{3}
	zipfCut(5)(one)
	if keptCount(one) != 1 {
		t.Error("the only token was removed")
	}
}

// mu begins at 2 tau and moves by eta times the error of the drawn token.
func TestMirostatMoves(t *testing.T) {
	m, eos := someTable(t)
	set := settingsOf(t, "mirostat_v2", m, eos)
	set.Pipeline = nil
	set.EOS = nil
	set.Strategy = made(t, "mirostat_v2", map[string]float64{"mirostat_tau": 2, "mirostat_eta": 0.3})
	s := opened(t, m, somePrompt, set)
	want := 4.0
	for range 20 {
		seen, err := s.View(-1)
		if err != nil {
			t.Fatal(err)
		}
		names := seen[0].Trace.Names
		if names[len(names)-1] != "mirostat_v2" || seen[0].Stages[len(names)-1] != -1 {
			t.Fatalf("stages %v at %v, want mirostat_v2 last", names, seen[0].Stages)
		}
		step(t, s, 1)
		taken := s.Best().Taken[0]
		want -= 0.3 * (-math.Log2(taken.Prob) - 2)
		if got := float64(s.Best().Memo.(mu)); math.Abs(got-want) > 1e-9 {
			t.Fatalf("mu %v, want %v", got, want)
		}
	}
	// A token taken by hand counts, a removed one doesn't.
	before := s.Best().Memo
	set.Pipeline = logits.Pipeline{stageOf(t, "top_k", 1)}
	set.Strategy = s.Settings().Strategy
	if err := s.Retune(set); err != nil {
		t.Fatal(err)
	}
	for id, score := range finalScores(t, s) {
		if math.IsInf(float64(score), -1) {
			if err := s.Force(id); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	if got := s.Best().Memo; got != before {
		t.Errorf("mu went from %v to %v by a removed token", before, got)
	}
}

// The point of it: the mean surprise comes near to the target.
func TestMirostatReachesItsTarget(t *testing.T) {
	m, _ := someTable(t)
	for _, kind := range []string{"mirostat", "mirostat_v2"} {
		set := Settings{Strategy: made(t, kind, map[string]float64{"mirostat_tau": 1.5}), Die: -1, Seed: 3, MaxNewTokens: 900}
		s := opened(t, m, somePrompt, set)
		finish(t, s)
		var sum float64
		text := s.Best().Generated()
		for _, taken := range text {
			sum -= math.Log2(taken.Prob)
		}
		if mean := sum / float64(len(text)); math.Abs(mean-1.5) > 0.1 {
			t.Errorf("%s: mean surprise %.3f bits, want 1.5", kind, mean)
		}
	}
}
