package api

func (a *App) metrics(p MetricsOf) (AllMetrics, error) {
	var all AllMetrics
	for _, handle := range p.Sessions {
		s, err := find(a.sessions, "session", handle)
		if err != nil {
			return AllMetrics{}, err
		}
		m := s.Metrics()
		all.Sessions = append(all.Sessions, Metrics{
			Session: handle, Tokens: m.Tokens, MeanLogProb: m.MeanLogProb, Perplexity: m.Perplexity,
			Distinct1: m.Distinct[0], Distinct2: m.Distinct[1], Distinct3: m.Distinct[2],
			Repeated4: m.Repeated4, MeanEntropy: m.MeanEntropy, MeanNucleus: m.MeanNucleus, LoopPeriod: m.LoopPeriod,
		})
	}
	return all, nil
}

func (a *App) promptSurprise(p PromptSurpriseOf) (PromptSurprise, error) {
	s, err := find(a.sessions, "session", p.Session)
	if err != nil {
		return PromptSurprise{}, err
	}
	met, err := s.MeetPrompt(p.From, p.Count)
	if err != nil {
		return PromptSurprise{}, err
	}
	out := PromptSurprise{Total: len(s.Prompt()), surprise: []float32{}, rank: []int32{}}
	for _, m := range met {
		out.surprise = append(out.surprise, float32(m.Surprise))
		out.rank = append(out.rank, int32(m.Rank))
	}
	return out, nil
}
