package decode

import "testing"

// A prompt's token meets the model as one that was taken by hand does.
func TestMeetPromptIsForcing(t *testing.T) {
	m, eos := someTable(t)
	long := somePrompt
	s := opened(t, m, long, settingsOf(t, "greedy", m, eos))
	met, err := s.MeetPrompt(0, 100)
	if err != nil {
		t.Fatal(err)
	}
	if len(met) != len(long) || met[0] != (Met{Surprise: -1}) {
		t.Fatalf("MeetPrompt(0, 100) = %v", met)
	}
	forced := opened(t, m, long[:1], settingsOf(t, "greedy", m, eos))
	for i, id := range long[1:] {
		if err := forced.Force(id); err != nil {
			t.Fatal(err)
		}
		taken := forced.Best().Generated()[i]
		if got, want := met[i+1], (Met{taken.Surprise, taken.Rank}); got != want {
			t.Errorf("token %d: %v, taken by hand it has %v", i+1, got, want)
		}
	}

	part, err := s.MeetPrompt(2, 3)
	if err != nil || len(part) != 3 || part[0] != met[2] || part[2] != met[4] {
		t.Errorf("MeetPrompt(2, 3) = %v, %v, want a part of %v", part, err, met)
	}
	if end, err := s.MeetPrompt(len(long), 1); err != nil || len(end) != 0 {
		t.Errorf("at the end: %v, %v", end, err)
	}
	for _, bad := range [][2]int{{-1, 1}, {len(long) + 1, 1}, {0, 0}} {
		if _, err := s.MeetPrompt(bad[0], bad[1]); err == nil {
			t.Errorf("MeetPrompt(%d, %d): no error", bad[0], bad[1])
		}
	}
}

func TestMeetPromptWantsItRead(t *testing.T) {
	m, eos := someTable(t)
	s, err := Open(m, somePrompt, settingsOf(t, "greedy", m, eos))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.MeetPrompt(0, 1); err == nil {
		t.Error("no error before the prompt is read")
	}
}
