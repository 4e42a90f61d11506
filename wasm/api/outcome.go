package api

import "decodingplayground/core/decode"

// ignored are the settings of the next step that have no effect.
func (s *session) ignored() []Ignored {
	var list []Ignored
	for _, i := range s.Settings().Ignored() {
		place := -1
		if i.Stage >= 0 {
			place = s.tuned.stages[i.Stage].place
		}
		list = append(list, Ignored{Place: place, Name: i.Name, Reason: i.Reason})
	}
	return list
}

// endings are the finished texts of a beam search.
func (s *session) endings() []Ending {
	var returned []*decode.Hypothesis
	if s.Stop().Reason != "" {
		returned = s.Results()
	}
	var list []Ending
	for i, h := range s.Frontier(s.Steps()).Done {
		list = append(list, Ending{
			Tokens: tokensOf(s.model.words, h.Sequence()[len(s.Prompt()):]), Score: h.Score, Final: h.Final,
			Stop: string(h.Stop.Reason), StopDoc: h.Stop.Doc, Returned: i < len(returned) && returned[i] == h,
		})
	}
	return list
}

// rounds are what the steps guessed ahead.
func (s *session) rounds() []Round {
	var list []Round
	for step := 1; step <= s.Steps(); step++ {
		if r := s.Frontier(step).Round; r != nil {
			list = append(list, Round{Step: step, Guessed: tokensOf(s.model.words, r.Proposed), Accepted: r.Accepted})
		}
	}
	return list
}
