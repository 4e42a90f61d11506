package api

import (
	"fmt"
	"slices"

	"decodingplayground/core/decode"
)

func (a *App) step(p Steps) (Stepped, error) {
	sessions := make([]*session, len(p.Sessions))
	inner := make([]*decode.Session, len(p.Sessions))
	before := make([]int, len(p.Sessions))
	for i, handle := range p.Sessions {
		s, err := find(a.sessions, "session", handle)
		if err != nil {
			return Stepped{}, err
		}
		if slices.Contains(sessions[:i], s) {
			return Stepped{}, fmt.Errorf("sessions: %d stands there twice", handle)
		}
		sessions[i], inner[i], before[i] = s, s.Session, s.Steps()
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
