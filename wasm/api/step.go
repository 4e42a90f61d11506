package api

import (
	"fmt"
	"slices"

	"decodingplayground/core/decode"
)

func (a *App) step(p Steps) (Stepped, error) {
	sessions, inner, err := a.several(p.Sessions)
	if err != nil {
		return Stepped{}, err
	}
	before := make([]int, len(sessions))
	for i, s := range inner {
		before[i] = s.Steps()
	}
	var out Stepped
	var failed []error
	for i, err := range decode.StepAll(inner...) {
		s := sessions[i]
		if s.Steps() > before[i] {
			s.stepped()
		}
		st := s.status()
		if err != nil {
			st.Error = asError(err)
			failed = append(failed, st.Error)
		}
		out.Sessions = append(out.Sessions, st)
	}
	if len(failed) > 0 && len(failed) == len(sessions) {
		return Stepped{}, failed[0]
	}
	return out, nil
}

func (a *App) logits(p LogitsOf) (Logits, error) {
	_, inner, err := a.several(p.Sessions)
	if err != nil {
		return Logits{}, err
	}
	rows, err := decode.Logits(inner...)
	if len(rows) == 1 {
		return Logits{rows[0]}, err
	}
	return Logits{slices.Concat(rows...)}, err
}

// several are the sessions of those handles, of which none may stand there twice.
func (a *App) several(handles []int) (sessions []*session, inner []*decode.Session, err error) {
	for i, handle := range handles {
		s, err := find(a.sessions, "session", handle)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(handles[:i], handle) {
			return nil, nil, fmt.Errorf("sessions: %d stands there twice", handle)
		}
		sessions, inner = append(sessions, s), append(inner, s.Session)
	}
	return sessions, inner, nil
}
