package decode

import (
	"testing"

	"decodingplayground/core/logits"
)

// FuzzWalk lets a user do anything: the session never panics, and steps taken
// again from what a share link holds (the settings, dice and tokens by hand of
// each step) give the same tree.
func FuzzWalk(f *testing.F) {
	f.Add([]byte{0, 0, 0})
	f.Add([]byte{2, 0x22, 0x13, 0, 0x41, 0x30, 0, 0x54})
	f.Add([]byte{6, 0, 0x10, 0x62, 0, 0, 0x31, 0x65, 0, 0})
	f.Add([]byte{8, 0, 0, 0x66, 0x10, 0, 0x67, 0, 0x30, 0x53})
	f.Add([]byte{200, 0, 0x13, 0, 0x62, 0x41, 0, 0x30, 0x25, 0, 0x72})
	f.Add([]byte{3, 0, 0, 0, 0x72, 0x4a, 0, 0x73, 0x11, 0, 0x74})
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) == 0 || len(ops) > 40 {
			return
		}
		m, v := toy(t)
		settings := func(kind string) Settings { return settingsOf(t, kind, m, v.EOS) }
		if ops[0] >= 128 {
			settings = func(kind string) Settings { return guidedSettings(t, kind, m, v.EOS, 1, 2) }
		}
		s := opened(t, m, nil, settings(Kinds[int(ops[0])%len(Kinds)].Name))
		for _, op := range ops[1:] {
			walk(t, s, op, settings)
		}

		again := opened(t, m, nil, settingsOf(t, "greedy", m, v.EOS))
		for i := 1; i <= s.Steps(); i++ {
			set, forced := s.StepSettings(i)
			if err := again.Retune(set); err != nil {
				t.Fatal(err)
			}
			if forced {
				f := s.Frontier(i)
				h := append(f.Live, f.Done...)[0]
				if err := again.Force(h.Taken[0].ID); err != nil {
					t.Fatal(err)
				}
			} else if moved, err := again.Step(); !moved || err != nil {
				t.Fatalf("step %d of %d was taken before and is not now: %v", i, s.Steps(), err)
			}
		}
		if err := again.Retune(s.Settings()); err != nil {
			t.Fatal(err)
		}
		if got, want := shape(again), shape(s); got != want {
			t.Errorf("replayed:\n%s\nwant\n%s", got, want)
		}
	})
}

// same is how many of the newest steps were taken with the present settings and
// no token by hand.
func same(s *Session) int {
	n := 0
	for n < s.Steps() {
		if m := s.history[s.Steps()-n]; m.set != s.set || m.forced {
			break
		}
		n++
	}
	return n
}

// FuzzOneBeam writes a text with one beam and with greedy search, whatever the
// prompt and the pipeline are: the same tokens with the same numbers.
func FuzzOneBeam(f *testing.F) {
	f.Add(uint8(0), uint8(0), uint8(0), uint8(0))
	f.Add(uint8(9), uint8(130), uint8(3), uint8(200))
	f.Fuzz(func(t *testing.T, prompt, penalty, ngram, beams uint8) {
		m, eos := someTable(t)
		set := settingsOf(t, "greedy", m, eos)
		set.Pipeline = logits.Pipeline{
			stageOf(t, "repetition_penalty", 0.5+float64(penalty)/128), stageOf(t, "no_repeat_ngram_size", float64(ngram%6)),
			stageOf(t, "temperature", 0.5), stageOf(t, "top_k", 3),
		}
		greedy := opened(t, m, []int{int(prompt) % m.Info().Vocab}, set)
		finish(t, greedy)
		set.Strategy = made(t, "beam", map[string]float64{
			"num_beams": 1, "length_penalty": float64(beams)/64 - 2, "early_stopping": float64(beams % 3), "rules": float64(beams % 2),
		})
		beam := opened(t, m, []int{int(prompt) % m.Info().Vocab}, set)
		finish(t, beam)
		if got, want := shape(beam), shape(greedy); got != want {
			t.Errorf("one beam:\n%s\ngreedy:\n%s", got, want)
		}
	})
}

// walk does one thing: the high half of op says what, the low half with what.
func walk(t *testing.T, s *Session, op byte, settings func(kind string) Settings) {
	what, with := op>>4, int(op&15)
	var err error
	switch what {
	case 1:
		err = s.Force(with % 5)
		if len(s.newest().Live) == 0 {
			err = nil // refused: the search is over
		}
	case 2:
		set := settings(Kinds[with%len(Kinds)].Name)
		set.Seed = uint64(with)
		err = s.Retune(set)
	case 3:
		err = s.Rewind(min(with, s.Steps()))
	case 4:
		set := s.Settings()
		set.Die = float64(with) / 16
		err = s.Retune(set)
	case 5:
		_, _ = s.View(min(with, s.Steps()) - 1) // the end of a search has no view
	case 6:
		fork, want := s.Fork(), shape(s)
		_ = fork.Force(with % 5) // likewise
		_, err = fork.Step()
		if got := shape(s); got != want {
			t.Fatalf("a fork has changed its sibling:\n%s\nwant\n%s", got, want)
		}
	case 7:
		n := min(with, same(s))
		want := shape(s)
		err = s.Rewind(n)
		step(t, s, n)
		if got := shape(s); got != want {
			t.Fatalf("%d steps back and again:\n%s\nwant\n%s", n, got, want)
		}
	default:
		_, err = s.Step()
	}
	if err != nil {
		t.Fatalf("operation %#x: %v", op, err)
	}
	s.Tree()
	s.Metrics()
}
