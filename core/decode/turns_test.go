package decode

import (
	"slices"
	"testing"

	"decodingplayground/core/logits"
)

// A change of strategy at any moment works: every kind goes on from what every
// other kind has left.
func TestEveryKindFollowsEveryOther(t *testing.T) {
	m, eos := someTable(t)
	for _, first := range Kinds {
		for _, second := range Kinds {
			s := opened(t, m, somePrompt, settingsOf(t, first.Name, m, eos))
			step(t, s, 3)
			before := s.Best().Sequence()
			stopped := s.Stop().Reason != ""
			if err := s.Retune(settingsOf(t, second.Name, m, eos)); err != nil {
				t.Fatal(err)
			}
			step(t, s, 3)
			after := s.Best().Sequence()
			if !stopped && s.Stop().Reason == "" && len(after) <= len(before) {
				t.Errorf("%s after %s: the text has %d tokens, had %d", second.Name, first.Name, len(after), len(before))
			}
		}
	}
}

// A text that is known to be what greedy search gives stays so when it is made
// by several strategies in turn.
func TestGreedyByTurns(t *testing.T) {
	m, eos := someTable(t)
	want := opened(t, m, somePrompt, settingsOf(t, "greedy", m, eos))
	finish(t, want)
	s := opened(t, m, somePrompt, settingsOf(t, "greedy", m, eos))
	turns := []string{"greedy", "prompt_lookup", "greedy", "assisted", "beam", "assisted", "prompt_lookup"}
	for i := 0; s.Stop().Reason == ""; i++ {
		set := settingsOf(t, turns[i%len(turns)], m, eos)
		if turns[i%len(turns)] == "beam" {
			set.Strategy = made(t, "beam", map[string]float64{"num_beams": 1})
		}
		if err := s.Retune(set); err != nil {
			t.Fatal(err)
		}
		step(t, s, 1)
	}
	if got, want := s.Best().Sequence(), want.Best().Sequence(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestSamplingWithSpeculationIsSampling(t *testing.T) {
	m, eos := someTable(t)
	want := opened(t, m, somePrompt, settingsOf(t, "sampling", m, eos))
	finish(t, want)
	set := settingsOf(t, "prompt_lookup", m, eos)
	set.Strategy = made(t, "prompt_lookup", map[string]float64{"do_sample": 1})
	s := opened(t, m, somePrompt, set)
	finish(t, s)
	if got, want := s.Best().Sequence(), want.Best().Sequence(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v: the same dice", got, want)
	}
}

func TestTemperatureZeroIsGreedyWithThePipeline(t *testing.T) {
	m, eos := someTable(t)
	greedySet := settingsOf(t, "greedy", m, eos)
	want := opened(t, m, somePrompt, greedySet)
	finish(t, want)
	set := settingsOf(t, "sampling", m, eos)
	set.Pipeline = logits.Pipeline{stageOf(t, "repetition_penalty", 1.2), stageOf(t, "temperature", 0), stageOf(t, "top_p", 0.3)}
	s := opened(t, m, somePrompt, set)
	finish(t, s)
	if got, want := s.Best().Sequence(), want.Best().Sequence(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
