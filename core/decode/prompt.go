package decode

import (
	"fmt"

	"decodingplayground/core/logits"
)

// Met is how a model meets a token that stands in its prompt.
type Met struct {
	Surprise float64 // -log2 of the model's own probability; -1 for the first token, which nothing precedes
	Rank     int     // in the model's order, from 1; 0 for the first token
}

// MeetPrompt says how the model meets up to n tokens of the prompt, MaxFeed at
// most, from place from on. It costs a pass over the head alone. The prompt
// has to be read.
func (s *Session) MeetPrompt(from, n int) ([]Met, error) {
	if !s.Ready() {
		return nil, errNotFed
	}
	if from < 0 || from > len(s.prompt) {
		return nil, fmt.Errorf("from: %d, want 0 to %d", from, len(s.prompt))
	}
	if n < 1 {
		return nil, fmt.Errorf("count: %d tokens, want at least 1", n)
	}
	to := min(from+min(n, MaxFeed), len(s.prompt))
	met := make([]Met, 0, to-from)
	if from == 0 && to > 0 {
		met = append(met, Met{Surprise: -1})
		from = 1
	}
	if from >= to {
		return met, nil
	}
	hidden := s.history[0].frontier.Live[0].Hidden
	for i, scores := range s.model.Head(hidden[from-1 : to-1]...) {
		id := s.prompt[from+i]
		met = append(met, Met{
			Surprise: surpriseBits(float64(scores[id]) - logits.LogSumExp(scores)),
			Rank:     logits.Rank(scores, id),
		})
	}
	return met, nil
}
