package decode

import (
	"fmt"
	"sync"

	"decodingplayground/core/lm"
)

// StepAll takes one step of each session, the questions to a model gathered
// into one pass over its weights, and gives each session's error, nil for one
// that has stopped. Results are those of stepping each alone, bit for bit; an
// error or a panic in one does not touch the others. No session may be given
// twice.
func StepAll(sessions ...*Session) []error {
	errs := make([]error, len(sessions))
	meetings := map[lm.Model]*meeting{}
	at := func(m lm.Model) *meeting {
		if meetings[m] == nil {
			meetings[m] = &meeting{Model: m}
		}
		return meetings[m]
	}
	for _, s := range sessions {
		at(s.model).present++
		if s.set.Draft != nil {
			at(s.set.Draft) // asked through a meeting, too, so that no model answers two at a time
		}
	}
	var wg sync.WaitGroup
	for i, s := range sessions {
		wg.Go(func() {
			defer meetings[s.model].leave()
			errs[i] = guard(func() error {
				_, err := s.stepWith(meetings[s.model], meetings[s.set.Draft])
				return err
			})
		})
	}
	wg.Wait()
	return errs
}

// Logits are the model's for the token after each session's best text, from one
// pass over the head, and not to be written to. A step that follows, or a View,
// uses them again. No session may be given twice.
func Logits(sessions ...*Session) ([][]float32, error) {
	rows := make([][]float32, len(sessions))
	hidden := map[lm.Model][][]float32{}
	asking := map[lm.Model][]int{}
	for i, s := range sessions {
		if !s.Ready() {
			return nil, errNotFed
		}
		h := s.Best()
		if r := s.memo.rows[h]; r != nil {
			rows[i] = r.logits
			continue
		}
		last, err := newEnv(s.model, s.set, len(s.prompt), s.newest(), -1, s.memo).lastHidden(h)
		if err != nil {
			return nil, err
		}
		hidden[s.model], asking[s.model] = append(hidden[s.model], last), append(asking[s.model], i)
	}
	for m, list := range asking {
		for k, row := range m.Head(hidden[m]...) {
			s := sessions[list[k]]
			rows[list[k]] = row
			s.memo.rows[s.Best()] = newRow(row)
		}
	}
	return rows, nil
}

// guard turns a panic into an error.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal: %v", r)
		}
	}()
	return f()
}

// meeting is a model for several callers at once. A call waits until as many
// have been made as callers are present; then all are answered together. Since
// a caller waits in one place at a time, some meeting always has enough calls.
type meeting struct {
	lm.Model

	lock    sync.Mutex
	present int
	waiting []*call
}

// call is a question and, after done is closed, its answer.
type call struct {
	inputs []lm.Input  // of Forward
	hidden [][]float32 // of Head
	output []lm.Output
	logits [][]float32
	err    error
	done   chan struct{}
}

// leave is called once by each caller, when it asks nothing more.
func (m *meeting) leave() {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.present--
	m.answer()
}

func (m *meeting) ask(c *call) {
	c.done = make(chan struct{})
	m.lock.Lock()
	m.waiting = append(m.waiting, c)
	m.answer()
	m.lock.Unlock()
	<-c.done
}

// Forward implements lm.Model.
func (m *meeting) Forward(batch ...lm.Input) ([]lm.Output, error) {
	c := &call{inputs: batch}
	m.ask(c)
	return c.output, c.err
}

// Head implements lm.Model.
func (m *meeting) Head(hidden ...[]float32) [][]float32 {
	c := &call{hidden: hidden}
	m.ask(c)
	if c.err != nil {
		panic(c.err)
	}
	return c.logits
}

// answer answers the waiting calls when nobody else can come. The lock is held.
func (m *meeting) answer() {
	if len(m.waiting) == 0 || len(m.waiting) < m.present {
		return
	}
	calls := m.waiting
	m.waiting = nil
	if err := guard(func() error { return m.answerAll(calls) }); err != nil {
		// Somebody's question was bad: each gets an answer of its own.
		for _, c := range calls {
			c.err = guard(func() error { return m.answerAll([]*call{c}) })
		}
	}
	for _, c := range calls {
		close(c.done)
	}
}

func (m *meeting) answerAll(calls []*call) error {
	var inputs []lm.Input
	var hidden [][]float32
	for _, c := range calls {
		inputs = append(inputs, c.inputs...)
		hidden = append(hidden, c.hidden...)
	}
	if len(inputs) > 0 {
		out, err := m.Model.Forward(inputs...)
		if err != nil {
			return err
		}
		for _, c := range calls {
			c.output, out = out[:len(c.inputs)], out[len(c.inputs):]
		}
	}
	if len(hidden) > 0 {
		out := m.Model.Head(hidden...)
		for _, c := range calls {
			c.logits, out = out[:len(c.hidden)], out[len(c.hidden):]
		}
	}
	return nil
}
