package decode

import (
	"testing"
)

// FuzzWalk lets a user do anything: the session never panics, and steps taken
// again from what a share link holds (the settings, dice and tokens by hand of
// each step) give the same tree.
func FuzzWalk(f *testing.F) {
	f.Add([]byte{0, 0, 0})
	f.Add([]byte{2, 0x22, 0x13, 0, 0x41, 0x30, 0, 0x54})
	f.Add([]byte{6, 0, 0x10, 0x62, 0, 0, 0x31, 0x65, 0, 0})
	f.Add([]byte{8, 0, 0, 0x66, 0x10, 0, 0x67, 0, 0x30, 0x53})
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) == 0 || len(ops) > 40 {
			return
		}
		m, v := toy(t)
		s := opened(t, m, nil, settingsOf(t, Kinds[int(ops[0])%len(Kinds)].Name, m, v.EOS))
		for _, op := range ops[1:] {
			walk(t, s, op, func(kind string) Settings { return settingsOf(t, kind, m, v.EOS) })
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
		fork := s.Fork()
		_ = fork.Force(with % 5) // likewise
		_, err = fork.Step()
	default:
		_, err = s.Step()
	}
	if err != nil {
		t.Fatalf("operation %#x: %v", op, err)
	}
	s.Tree()
	s.Metrics()
}
