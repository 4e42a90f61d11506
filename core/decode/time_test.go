package decode

import (
	"math"
	"strings"
	"testing"

	"decodingplayground/core/lm"
)

// ticking is a model that takes a second for a pass, by its own clock.
type ticking struct {
	lm.Model
	seconds float64
}

func (m *ticking) Forward(batch ...lm.Input) ([]lm.Output, error) {
	m.seconds++
	return m.Model.Forward(batch...)
}

func (m *ticking) now() float64 { return m.seconds }

func TestMaxTime(t *testing.T) {
	eachKind(t, func(t *testing.T, inner lm.Model, s *Session) {
		m := &ticking{Model: inner}
		set := s.Settings()
		set.EOS, set.MaxNewTokens, set.MaxTime, set.Clock = nil, 50, 3.5, m.now
		timed := opened(t, m, somePrompt, set)
		m.seconds += 100 // what passes between steps does not count
		finish(t, timed)
		stop := timed.Stop()
		if stop.Reason != StopTime || !strings.Contains(stop.Doc, "3.5 s are the limit") {
			t.Fatalf("stopped by %+v, want max_time", stop)
		}
		if spent := timed.newest().Cost.Seconds; spent <= 3.5 || spent > 3.5+20 {
			t.Errorf("%v seconds, want a step more than 3.5", spent)
		}
		for _, h := range timed.newest().Done {
			if h.Stop.Reason != StopTime {
				t.Errorf("a text has ended by %+v, want max_time", h.Stop)
			}
		}
		if moved, err := timed.Step(); moved || err != nil {
			t.Errorf("a step after the end: %v, %v", moved, err)
		}

		// Steps that are taken back give their time back, and it is never too
		// little for a token.
		if err := timed.Rewind(timed.Steps()); err != nil {
			t.Fatal(err)
		}
		set.MaxTime = 1e-9
		if err := timed.Retune(set); err != nil {
			t.Fatal(err)
		}
		finish(t, timed)
		if n := len(timed.Best().Generated()); n < 1 || timed.Stop().Reason != StopTime {
			t.Errorf("%d tokens, stopped by %+v, want at least one and max_time", n, timed.Stop())
		}
	})
}

func TestMaxTimeIsChecked(t *testing.T) {
	m, eos := someTable(t)
	for _, c := range []struct {
		time float64
		want string
	}{
		{-1, "max_time: -1, want 0 for none or more"},
		{math.NaN(), "max_time: NaN, want 0 for none or more"},
		{math.Inf(1), "max_time: +Inf, want 0 for none or more"},
		{2, "max_time: no clock to measure it with"},
	} {
		set := settingsOf(t, "greedy", m, eos)
		set.MaxTime = c.time
		if _, err := Open(m, somePrompt, set); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %q", c.time, err, c.want)
		}
	}
}
