package decode

import "decodingplayground/core/lm"

// Share takes over what another session with the same model has read, where
// its text starts like this one's prompt, and says how many tokens need not be
// read any more. Of several the longest start counts. A session that has begun
// to read shares nothing.
func (s *Session) Share(others ...*Session) int {
	if s.Ready() || s.read() > 0 {
		return 0
	}
	var from *Session
	n := 0
	for _, other := range others {
		if common := s.common(other); common > n {
			from, n = other, common
		}
	}
	switch {
	case n == 0:
	case n == len(s.prompt) && from.Ready() && n == len(from.prompt):
		s.history = from.history[:1:1]
	default:
		n = min(n, len(s.prompt)-1) // the last one is read with its layers
		if n == 0 {
			break
		}
		_, past, hidden := from.known()
		s.fed = lm.Output{Past: past.(lm.Cutter).Cut(n), Hidden: hidden[:n:n]}
	}
	return n
}

// common is how many tokens of the prompt another session has read. It is 0
// where it cannot give them.
func (s *Session) common(other *Session) int {
	if other.model != s.model {
		return 0
	}
	ids, past, hidden := other.known()
	if _, ok := past.(lm.Cutter); !ok || len(hidden) != len(ids) {
		return 0
	}
	n := 0
	for n < min(len(ids), len(s.prompt)) && ids[n] == s.prompt[n] {
		n++
	}
	return n
}

// known is what a session has read: ids, the past they left and their hidden
// states.
func (s *Session) known() (ids []int, past lm.Past, hidden [][]float32) {
	if !s.Ready() {
		return s.prompt[:s.read()], s.fed.Past, s.fed.Hidden
	}
	h := s.Best()
	return h.Sequence()[:h.read()], h.Past, h.states()
}
