package api

import (
	"fmt"
	"slices"

	"decodingplayground/core/decode"
)

// session is a decode.Session with what a page must know besides.
type session struct {
	*decode.Session
	handle int
	model  *model
	tuned  tuned   // what the next step is taken with
	taken  []tuned // by step: what it was taken with
	ranked ranking // of the model's row that was looked at last
	told   Told
}

// tuned is what of its settings a step is looked at with.
type tuned struct {
	strategy string
	stages   []stageRef // of the pipeline
	seed     uint64
}

func (a *App) open(p Open) (Status, error) {
	m, err := find(a.models, "model", p.Model)
	if err != nil {
		return Status{}, err
	}
	set, stages, err := a.settingsOf(p.Settings, m)
	if err != nil {
		return Status{}, err
	}
	opened, err := decode.Open(m.Model, p.IDs, set)
	if err != nil {
		return Status{}, err
	}
	opened.Share(a.others(m)...)
	if len(p.IDs) == 0 { // nothing to read
		if _, _, err := opened.Feed(1); err != nil {
			return Status{}, err
		}
	}
	return a.add(&session{Session: opened, model: m, tuned: tuned{p.Settings.Strategy, stages, set.Seed}}), nil
}

// others are the sessions of a model.
func (a *App) others(m *model) (list []*decode.Session) {
	for _, s := range a.sessions {
		if s.model == m {
			list = append(list, s.Session)
		}
	}
	return list
}

func (a *App) add(s *session) Status {
	s.handle = a.handle()
	a.sessions[s.handle] = s
	return s.status()
}

func (a *App) feed(p Feed) (Fed, error) {
	s, err := find(a.sessions, "session", p.Session)
	if err != nil {
		return Fed{}, err
	}
	done, total, err := s.Feed(p.Count)
	return Fed{Done: done, Total: total}, err
}

func (a *App) force(p Force) (Status, error) {
	return a.change(p.Session, func(s *session) error {
		if err := s.Force(p.ID); err != nil {
			return err
		}
		s.stepped()
		return nil
	})
}

func (a *App) rewind(p Rewind) (Status, error) {
	return a.change(p.Session, func(s *session) error {
		if p.Steps < 0 || p.Steps > s.Steps() {
			return fmt.Errorf("steps: %d, want 0 to %d", p.Steps, s.Steps())
		}
		s.taken = s.taken[:p.Steps]
		return s.Rewind(s.Steps() - p.Steps)
	})
}

func (a *App) retune(p Retune) (Status, error) {
	return a.change(p.Session, func(s *session) error {
		set, stages, err := a.settingsOf(p.Settings, s.model)
		if err != nil {
			return err
		}
		if err := s.Retune(set); err != nil {
			return err
		}
		s.tuned = tuned{p.Settings.Strategy, stages, set.Seed}
		return nil
	})
}

func (a *App) status(p Ref) (Status, error) {
	return a.change(p.Session, func(*session) error { return nil })
}

func (a *App) fork(p Ref) (Status, error) {
	s, err := find(a.sessions, "session", p.Session)
	if err != nil {
		return Status{}, err
	}
	return a.add(&session{
		Session: s.Fork(), model: s.model, tuned: s.tuned, taken: slices.Clone(s.taken), ranked: s.ranked,
	}), nil
}

func (a *App) close(p Ref) (Nothing, error) {
	_, err := find(a.sessions, "session", p.Session)
	delete(a.sessions, p.Session)
	return Nothing{}, err
}

// change does something to a session and answers what it has become.
func (a *App) change(handle int, do func(*session) error) (Status, error) {
	s, err := find(a.sessions, "session", handle)
	if err != nil {
		return Status{}, err
	}
	if err := do(s); err != nil {
		return Status{}, err
	}
	return s.status(), nil
}

// stepped notes what a new step was taken with.
func (s *session) stepped() { s.taken = append(slices.Clip(s.taken), s.tuned) }

func (s *session) status() Status {
	st := Status{Session: s.handle, Ready: s.Ready(), Steps: s.Steps(), Ignored: s.ignored(), told: &s.told}
	if !st.Ready {
		return st
	}
	stop := s.Stop()
	st.Stop, st.StopDoc = string(stop.Reason), stop.Doc
	for i, node := range path(s.Best()) {
		for _, t := range node.Taken {
			st.Text = append(st.Text, stepOf(s.model.words, i+1, t))
		}
	}
	st.Endings, st.Rounds = s.endings(), s.rounds()
	st.Cost = Cost(s.Frontier(s.Steps()).Cost)
	return st
}

// path are the nodes of a text that add tokens to the prompt, oldest first:
// one a step.
func path(h *decode.Hypothesis) []*decode.Hypothesis {
	var nodes []*decode.Hypothesis
	for ; h.Parent != nil; h = h.Parent {
		nodes = append(nodes, h)
	}
	slices.Reverse(nodes)
	return nodes
}

func stepOf(w words, step int, t decode.Taken) Step {
	token := tokenOf(w, t.ID)
	return Step{
		Step: step, ID: t.ID, Text: token.Text, Hex: token.Hex, Forced: t.Forced,
		ModelProb: t.ModelProb, Prob: t.Prob, Rank: t.Rank, Surprise: t.Surprise, Entropy: t.Entropy,
		Nucleus: t.Nucleus, Die: t.Die, Low: t.Low, High: t.High,
	}
}
