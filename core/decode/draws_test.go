package decode

import (
	"math"
	"runtime"
	"testing"

	"decodingplayground/core/lm"
	"decodingplayground/core/lm/table"
	"decodingplayground/core/logits"
)

// draws is fewer under js/wasm, where a draw takes longer: its bits are those of
// the other platforms, which TestRegress checks.
var draws = map[bool]int{false: 200_000, true: 20_000}[runtime.GOOS == "js"]

// chiSquare fails when counts are not what expected probabilities give. The
// bound is that of chance 1 in a million (Wilson and Hilferty's approximation);
// the seeds are fixed, so that the verdict is, too.
func chiSquare(t *testing.T, counts map[string]int, expected map[string]float64) {
	t.Helper()
	total := 0
	for what, n := range counts {
		total += n
		if expected[what] == 0 {
			t.Errorf("%q was drawn %d times and has no probability", what, n)
		}
	}
	// Cells with few expected draws count as one.
	var sum, few, fewWant float64
	cells := 0
	add := func(got, want float64) {
		sum += math.Pow(got-want, 2) / want
		cells++
	}
	for _, what := range sortedKeys(expected) {
		if want := expected[what] * float64(total); want >= 5 {
			add(float64(counts[what]), want)
		} else {
			few, fewWant = few+float64(counts[what]), fewWant+want
		}
	}
	if fewWant > 1 {
		add(few, fewWant)
	}
	free := float64(cells - 1)
	bound := free * math.Pow(1-2/(9*free)+4.75*math.Sqrt(2/(9*free)), 3)
	if sum > bound {
		t.Errorf("chi-square %.1f of %d cells over %d draws, want at most %.1f", sum, cells, total, bound)
	}
}

// firstTokens draws the first token with many seeds.
func firstTokens(t *testing.T, s *Session) map[string]int {
	t.Helper()
	counts := map[string]int{}
	set := *s.set
	for seed := range uint64(draws) {
		set.Seed = seed
		env := newEnv(s.model, &set, len(s.prompt), Frontier{}, -1, s.memo)
		f, err := set.Strategy.Step(env, s.newest())
		if err != nil {
			t.Fatal(err)
		}
		counts[text(f.Live[0].IDs[:1])]++
	}
	return counts
}

// firstPairs draws the first two tokens with some seeds.
func firstPairs(t *testing.T, s *Session) map[string]int {
	t.Helper()
	counts := map[string]int{}
	set := s.Settings()
	for seed := range uint64(draws / 10) {
		set.Seed = seed
		if err := s.Retune(set); err != nil {
			t.Fatal(err)
		}
		for s.newest().Live[0].Len() < 2 {
			step(t, s, 1)
		}
		counts[text(s.newest().Live[0].Sequence()[:2])]++
		if err := s.Rewind(s.Steps()); err != nil {
			t.Fatal(err)
		}
	}
	return counts
}

func text(ids []int) string {
	b := make([]byte, len(ids))
	for i, id := range ids {
		b[i] = byte('0' + id)
	}
	return string(b)
}

// expectedTokens and expectedPairs are the probabilities of the first token and
// of the first two by the processed distributions that the session shows.
func expectedTokens(t *testing.T, s *Session) map[string]float64 {
	t.Helper()
	expected := map[string]float64{}
	for id, p := range logits.Softmax[float64](nil, finalScores(t, s)) {
		expected[text([]int{id})] = p
	}
	return expected
}

func expectedPairs(t *testing.T, s *Session) map[string]float64 {
	t.Helper()
	expected := map[string]float64{}
	for a, p := range logits.Softmax[float64](nil, finalScores(t, s)) {
		if p == 0 {
			continue
		}
		if err := s.Force(a); err != nil {
			t.Fatal(err)
		}
		for b, q := range logits.Softmax[float64](nil, finalScores(t, s)) {
			expected[text([]int{a, b})] = p * q
		}
		if err := s.Rewind(1); err != nil {
			t.Fatal(err)
		}
	}
	return expected
}

// otherToy is a draft for toy that is often wrong.
func otherToy(t *testing.T) lm.Model {
	t.Helper()
	_, v := toy(t)
	v, err := v.With("", []float32{-1, -1, -0.5, -2, -1.5})
	if err != nil {
		t.Fatal(err)
	}
	if v, err = v.With("a", []float32{-1, -0.2, -2, -1, -3}); err != nil {
		t.Fatal(err)
	}
	m, err := table.NewToy(v)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDrawsFollowTheProcessedDistribution(t *testing.T) {
	m, _ := toy(t)
	for _, c := range []struct {
		kind string
		num  map[string]float64
	}{
		{"sampling", nil},
		{"mirostat", map[string]float64{"mirostat_tau": 1.2}},
		{"mirostat_v2", map[string]float64{"mirostat_tau": 1.2}},
		{"prompt_lookup", map[string]float64{"do_sample": 1}},
		{"assisted", map[string]float64{"do_sample": 1, "num_assistant_tokens": 2}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			set := Settings{
				Strategy: made(t, c.kind, c.num), Die: -1, MaxNewTokens: 9, Draft: otherToy(t),
				Pipeline: logits.Pipeline{stageOf(t, "temperature", 1.3), stageOf(t, "min_p", 0.05)},
			}
			s := opened(t, m, nil, set)
			plain := set
			if c.kind == "assisted" || c.kind == "prompt_lookup" {
				plain.Strategy = sampling{} // speculation must not change the distribution
			}
			chiSquare(t, firstTokens(t, s), expectedTokens(t, opened(t, m, nil, plain)))
			chiSquare(t, firstPairs(t, s), expectedPairs(t, opened(t, m, nil, plain)))
		})
	}
}

// Beam sampling draws two candidates of one text without putting back.
func TestBeamSamplingDraws(t *testing.T) {
	m, _ := toy(t)
	set := Settings{Strategy: sampling{}, Die: -1, MaxNewTokens: 9}
	s := opened(t, m, nil, set)
	p := logits.Softmax[float64](nil, finalScores(t, s))
	expected := map[string]float64{}
	for a := range p {
		for b := range p {
			if a != b {
				expected[text([]int{a, b})] = p[a] * p[b] / (1 - p[a])
			}
		}
	}
	env := newEnv(m, s.set, 0, Frontier{}, -1, newMemo())
	runs, err := env.runs(s.newest().Live, extra{})
	if err != nil {
		t.Fatal(err)
	}
	all := kept(runs)
	counts := map[string]int{}
	for seed := range uint64(draws) {
		s.set.Seed = seed
		chosen := chooseByDie(all, 2, env.stream(0))
		counts[text([]int{chosen[0].id, chosen[1].id})]++
	}
	chiSquare(t, counts, expected)
}

// The dice of one seed, step by step, are as good as those of many seeds.
func TestDiceOfOneSeed(t *testing.T) {
	env := &Env{set: &Settings{Seed: 1}, die: -1}
	counts := map[string]int{}
	expected := map[string]float64{}
	for i := range 64 {
		expected[text([]int{i})] = 1.0 / 64
	}
	for at := range draws {
		die := env.throw(at)
		if die < 0 || die >= 1 {
			t.Fatalf("die %v, want 0 up to, but not, 1", die)
		}
		counts[text([]int{int(die * 64)})]++
	}
	chiSquare(t, counts, expected)
}

func TestDieByHandComesFirst(t *testing.T) {
	env := &Env{set: &Settings{Seed: 1}, die: 0}
	stream := env.stream(3)
	if a, b := stream(), stream(); a != 0 || b == 0 {
		t.Errorf("throws %v and %v, want 0 and one of the seed", a, b)
	}
}
