package decode

import (
	"math"
	"slices"
	"strings"
	"testing"

	"decodingplayground/core/lm/table"
	"decodingplayground/core/logits"
)

// A likelier token lost the draw: the record shows the die on the token's
// place, and that a die was thrown at all.
func TestSlipTheDrawIsHidden(t *testing.T) {
	m, v := toy(t)
	set := Settings{Strategy: made(t, "sampling", nil), MaxNewTokens: 1, Die: 0.97}
	s := opened(t, m, nil, set)
	step(t, s, 1)
	got := s.Best().Taken[0]
	if got.Rank == 1 || got.Die != 0.97 || got.Die < got.Low || got.Die >= got.High {
		t.Errorf("%+v, want an unlikely token under the die 0.97", got)
	}
	if math.Abs(got.High-got.Low-got.Prob) > 1e-12 {
		t.Errorf("the place [%v, %v) is not as wide as the probability %v", got.Low, got.High, got.Prob)
	}
	set.Strategy, set.Die = made(t, "greedy", nil), -1
	g := opened(t, m, nil, set)
	step(t, g, 1)
	if got := g.Best().Taken[0]; got.Die != -1 || got.ID != 4 || v.Vocab[got.ID] != "the" {
		t.Errorf("greedy has %+v, want the likeliest and no die", got)
	}
}

// Temperature acts on token scores, not on the sum of a beam, so sums stay
// finite in long runs.
func TestSlipBeamSamplingScoresExplode(t *testing.T) {
	m, _ := someTable(t)
	set := Settings{
		Strategy: made(t, "beam_sampling", map[string]float64{"num_beams": 3}), Die: -1, MaxNewTokens: 100,
		Pipeline: logits.Pipeline{stageOf(t, "temperature", 0.3)},
	}
	s := opened(t, m, somePrompt, set)
	last := 0.0
	for range 99 {
		step(t, s, 1)
		for _, h := range s.newest().Live {
			if math.IsNaN(h.Score) || math.IsInf(h.Score, 0) || h.Score < -100*1000 {
				t.Fatalf("step %d: score %v", s.Steps(), h.Score)
			}
		}
		// The best sum falls by one token's score a step, not by a multiple.
		if fall := last - s.newest().Live[0].Score; fall > 100 {
			t.Fatalf("step %d: the sum fell by %v", s.Steps(), fall)
		}
		last = s.newest().Live[0].Score
	}
}

// Length normalisation counts the generated tokens, not the prompt.
func TestSlipLengthNormalisationCountsThePrompt(t *testing.T) {
	_, v := toy(t)
	var finals [2]float64
	for i, context := range [][]int{{1}, slices.Repeat([]int{1, 2, 3, 4}, 10)} {
		v.Context = context
		m, err := table.NewToy(v)
		if err != nil {
			t.Fatal(err)
		}
		set := Settings{Strategy: made(t, "beam", map[string]float64{"num_beams": 3}), Die: -1, MaxNewTokens: 5, EOS: []int{v.EOS}}
		s := opened(t, m, context, set)
		finish(t, s)
		finals[i] = s.Best().Final
		n := float64(len(s.Best().Generated()))
		if want := s.Best().Score / n; s.Best().Final != want {
			t.Errorf("final score %v, want the sum / %v = %v", s.Best().Final, n, want)
		}
	}
	if finals[0] != finals[1] {
		t.Errorf("scores %v after 1 and after 40 prompt tokens, want the same", finals)
	}
}

// Two beam searches side by side count their lengths each for itself.
func TestSlipBeamsSideBySideShareALength(t *testing.T) {
	m, eos := someTable(t)
	set := settingsOf(t, "beam", m, eos)
	alone := opened(t, m, somePrompt, set)
	a, b := alone.Fork(), alone.Fork()
	finish(t, alone)
	for a.Stop().Reason == "" {
		for _, err := range StepAll(a, b) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if shape(a) != shape(alone) || shape(b) != shape(alone) {
		t.Error("a pane is not what it is alone")
	}
}

// Under a negative length_penalty long texts only get worse, so the bound of a
// running text is its score as it stands, for early_stopping never, too: the
// search ends with the first step at which that is no better than the worst
// finished text, not before and not after.
func TestSlipNegativeLengthPenaltyEndsEarly(t *testing.T) {
	m, v := toy(t)
	for _, early := range []float64{0, 1, 2} {
		set := Settings{
			Strategy: made(t, "beam", map[string]float64{"num_beams": 3, "length_penalty": -2, "early_stopping": early, "num_return_sequences": 3}),
			Die:      -1, MaxNewTokens: 8, EOS: []int{v.EOS},
		}
		s := opened(t, m, nil, set)
		for s.Stop().Reason == "" {
			step(t, s, 1)
			f := s.newest()
			over := len(f.Done) == 3 && early == 1
			if len(f.Done) == 3 && len(f.Live) > 0 && early != 1 {
				n := float64(f.Step)
				over = f.Live[0].Score*n*n <= f.Done[2].Score*float64(len(f.Done[2].Generated())*len(f.Done[2].Generated()))
			}
			if over != (s.Stop().Reason == StopEarly) && f.Step < 8 {
				t.Errorf("early_stopping %v, step %d: stopped by %+v, want an end: %v", early, f.Step, s.Stop(), over)
			}
		}
		for i, h := range s.Results() {
			n := float64(len(h.Generated()))
			if want := h.Score * n * n; h.Final != want {
				t.Errorf("early_stopping %v, text %d: final %v, want %v", early, i, h.Final, want)
			}
			if i > 0 && s.Results()[i-1].Final < h.Final {
				t.Errorf("early_stopping %v: text %d is better than the one before", early, i)
			}
		}
	}
}

// A stop string of one letter, as a token of its own and inside one.
func TestSlipOneLetterStopString(t *testing.T) {
	inside := func(id int) []byte {
		if id == 2 {
			return []byte("ab.cd")
		}
		return letters(id)
	}
	for _, c := range []struct {
		piece func(int) []byte
		stop  string
		want  Stop
	}{
		{letters, "c", Stop{Text: "c", Start: 1, End: 2}},
		{inside, ".", Stop{Text: ".", Start: 3, End: 4}},
	} {
		tokens, got := stopAt(t, []int{9}, []int{5, 2, 6}, c.piece, c.stop)
		got.Doc, got.Reason = "", ""
		if tokens != 2 || got != c.want {
			t.Errorf("%q: after %d tokens, %+v, want 2, %+v", c.stop, tokens, got, c.want)
		}
	}
}

// A stop string of one character whose bytes are two tokens: it is found when
// the second comes, and half of it is nothing.
func TestSlipStopStringSplitOverByteTokens(t *testing.T) {
	halves := func(id int) []byte {
		switch id {
		case 0:
			return []byte{0xc3}
		case 1:
			return []byte{0xa9}
		}
		return letters(id)
	}
	tokens, got := stopAt(t, []int{9}, []int{5, 0, 1, 6}, halves, "é")
	if tokens != 3 || got.Start != 1 || got.End != 3 {
		t.Errorf("after %d tokens, %+v, want 3, bytes 1 to 3", tokens, got)
	}
	if tokens, got := stopAt(t, []int{9}, []int{5, 0, 6}, halves, "é"); tokens != 0 {
		t.Errorf("half a character stops the text: %+v", got)
	}
}

// Everything removed: greedy takes id 0 as argmax does, a draw is an error in
// words, a beam search ends and says why. Nothing panics.
func TestNothingLeft(t *testing.T) {
	m, _ := someTable(t)
	all := logits.Stage{Name: "all", Processor: stage(func(scores []float32) {
		for id := range scores {
			scores[id] = float32(math.Inf(-1))
		}
	})}
	for _, k := range Kinds {
		set := settingsOf(t, k.Name, m, 63)
		set.Pipeline = logits.Pipeline{all}
		s := opened(t, m, somePrompt, set)
		moved, err := s.Step()
		switch {
		case k.Traits().Samples:
			if err == nil || !strings.Contains(err.Error(), "every token is removed") {
				t.Errorf("%s: %v", k.Name, err)
			}
		case k.Traits().Beams:
			if err != nil || s.Stop().Reason != StopNothing {
				t.Errorf("%s: %v, stopped by %+v", k.Name, err, s.Stop())
			}
		default:
			if !moved || err != nil || s.Best().Generated()[0].ID != 0 {
				t.Errorf("%s: %v, %v, %v", k.Name, moved, err, s.Best().Sequence())
			}
		}
		if seen, err := s.View(-1); err == nil && len(seen) > 0 && len(seen[0].Picks) > 0 && k.Traits().Samples {
			t.Errorf("%s shows a pick", k.Name)
		}
		s.Tree()
		s.Metrics()
		if err := s.Rewind(s.Steps()); err != nil {
			t.Error(err)
		}
		if err := s.Force(5); err != nil {
			t.Errorf("%s: a token by hand: %v", k.Name, err)
		}
	}
}
