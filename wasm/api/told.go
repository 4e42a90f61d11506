package api

// Told is what was last told of a session's text. Nearly all of a text is what it
// was a step ago: who tells it need not make all of it again.
type Told struct {
	Steps []Step
	Value any // what stands for Steps where they went
}

// Told is the session's, to be brought up to date by who tells of it.
func (s Status) Told() *Told { return s.told }
