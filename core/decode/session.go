package decode

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"decodingplayground/core/lm"
)

// MaxFeed is the most prompt tokens that one call of Feed reads.
const MaxFeed = 64

// Session is a prompt and the steps taken after it. It is not safe for use by
// several goroutines at once.
type Session struct {
	model   lm.Model
	prompt  []int
	set     *Settings       // for the next step
	throws  map[int]float64 // dice set by hand, by step
	history []moment        // history[0] is the prompt; empty until it is read
	fed     lm.Output       // of the prompt so far
	memo    *memo           // of the newest frontier
}

// moment is a frontier and how it came about.
type moment struct {
	frontier Frontier
	set      *Settings // that the step was taken with; nil for the prompt
	die      float64   // set by hand, below 0 for none
	forced   bool      // a token was taken by hand
}

// Open makes a session on a prompt. No token is read before Feed. A prompt may
// be empty only for a model that is an lm.Starter.
func Open(m lm.Model, prompt []int, set Settings) (*Session, error) {
	info := m.Info()
	_, starts := m.(lm.Starter)
	if len(prompt) == 0 && !starts {
		return nil, errors.New("prompt: empty, want at least one token")
	}
	if len(prompt) > info.Context {
		return nil, fmt.Errorf("prompt: %d tokens, want at most %d: %w", len(prompt), info.Context, ErrContext)
	}
	for _, id := range prompt {
		if id < 0 || id >= info.Vocab {
			return nil, fmt.Errorf("prompt: token %d, want 0 to %d", id, info.Vocab-1)
		}
	}
	s := &Session{model: m, prompt: slices.Clone(prompt), throws: map[int]float64{}, memo: newMemo()}
	if err := s.Retune(set); err != nil {
		return nil, err
	}
	return s, nil
}

// Feed reads up to n prompt tokens, MaxFeed at most, and says how many of all
// are read. The session can step when done is total.
func (s *Session) Feed(n int) (done, total int, err error) {
	total = len(s.prompt)
	if s.Ready() {
		return total, total, nil
	}
	if total == 0 {
		s.fed = s.model.(lm.Starter).Start()
		s.plant()
		return 0, 0, nil
	}
	if n < 1 {
		return s.read(), total, fmt.Errorf("feed: %d tokens, want at least 1", n)
	}
	from := s.read()
	to := min(from+min(n, MaxFeed), total)

	// The last token is read with its layers, whatever the strategy: a later
	// change of strategy may ask for them.
	out, err := s.model.Forward(lm.Input{Past: s.fed.Past, IDs: s.prompt[from:to], Layers: to == total})
	if err != nil {
		return from, total, err
	}
	s.fed.Past, s.fed.Layers = out[0].Past, out[0].Layers
	s.fed.Hidden = append(s.fed.Hidden, out[0].Hidden...)
	if to == total {
		s.plant()
	}
	return to, total, nil
}

func (s *Session) read() int {
	if s.fed.Past == nil {
		return 0
	}
	return s.fed.Past.Len()
}

// plant makes the root of the tree when the prompt is read.
func (s *Session) plant() {
	root := &Hypothesis{IDs: s.prompt, Past: s.fed.Past, Hidden: s.fed.Hidden, length: len(s.prompt)}
	if n := len(s.fed.Layers); n > 0 {
		root.Layers = s.fed.Layers[n-1]
	}
	s.history = []moment{{frontier: Frontier{Live: []*Hypothesis{root}}}}
	s.fed = lm.Output{}
}

// Ready says whether the prompt is read.
func (s *Session) Ready() bool { return len(s.history) > 0 }

// Prompt is the prompt's ids, not to be changed.
func (s *Session) Prompt() []int { return s.prompt }

// Settings are those of the next step.
func (s *Session) Settings() Settings { return *s.set }

// Steps is how many steps have been taken.
func (s *Session) Steps() int { return max(0, len(s.history)-1) }

// Frontier is what step left, 0 being the prompt. It panics when step is not
// 0 to Steps.
func (s *Session) Frontier(step int) Frontier { return s.history[step].frontier }

func (s *Session) newest() Frontier { return s.history[len(s.history)-1].frontier }

// StepSettings are the settings that step was taken with, from 1 to Steps, and
// whether its token was taken by hand.
func (s *Session) StepSettings(step int) (set Settings, forced bool) {
	m := s.history[step]
	set = *m.set
	set.Die = m.die
	return set, m.forced
}

// Retune changes the settings from the next step on. It costs no pass over the
// weights. On an error the settings stay.
func (s *Session) Retune(set Settings) error {
	if err := set.check(s.model, len(s.prompt)); err != nil {
		return err
	}
	set.EOS, set.Stop = slices.Clone(set.EOS), slices.Clone(set.Stop)
	set.Pipeline = slices.Clone(set.Pipeline)
	delete(s.throws, s.Steps())
	if set.Die >= 0 {
		s.throws[s.Steps()] = set.Die
	}
	set.Die = -1
	s.set = &set
	return nil
}

// throwOf is the die set by hand for the choice after step, below 0 for none.
func (s *Session) throwOf(step int) float64 {
	if die, set := s.throws[step]; set {
		return die
	}
	return -1
}

// Stop says why the session has ended; its Reason is empty while it goes on.
// It follows the present settings: a greater limit lets a text go on.
func (s *Session) Stop() Stop {
	if !s.Ready() {
		return Stop{}
	}
	return s.stopOf(s.newest())
}

func (s *Session) stopOf(f Frontier) Stop {
	if f.Stop.Reason != "" || s.set.Strategy.Traits().Beams {
		return f.Stop
	}
	return newEnv(s.model, s.set, len(s.prompt), f, -1, s.memo).stop(f.Live[0])
}

var errNotFed = errors.New("the prompt is not read yet")

// Step takes one step and says whether it did: not when the session has
// stopped. On an error the session is as it was.
func (s *Session) Step() (bool, error) { return s.stepWith(s.model, s.set.Draft) }

// stepWith is Step with other ways to ask the same models.
func (s *Session) stepWith(m, draft lm.Model) (bool, error) {
	if !s.Ready() {
		return false, errNotFed
	}
	f := s.newest()
	if s.stopOf(f).Reason != "" {
		return false, nil
	}
	env := newEnv(m, s.set, len(s.prompt), f, s.throwOf(s.Steps()), s.memo)
	env.draft = draft
	next, err := s.set.Strategy.Step(env, f)
	if err != nil {
		return false, err
	}
	return true, s.push(env, next, false)
}

// push reads a new frontier and makes it the newest.
func (s *Session) push(env *Env, f Frontier, forced bool) error {
	if !env.traits.Ahead {
		var err error
		if f, err = env.read(f); err != nil {
			return err
		}
	}
	f.Cost = env.total(f.Cost)
	s.history = append(s.history, moment{f, s.set, env.die, forced})
	s.memo = newMemo()
	return nil
}

// Rewind takes back n steps.
func (s *Session) Rewind(n int) error {
	if n < 0 || n > s.Steps() {
		return fmt.Errorf("rewind: %d steps, want 0 to %d", n, s.Steps())
	}
	if n > 0 {
		s.history = s.history[:len(s.history)-n]
		s.memo = newMemo()
	}
	return nil
}

// Fork is a session of its own with the same past. The two share all nodes.
func (s *Session) Fork() *Session {
	fork := *s
	fork.history = slices.Clone(s.history)
	fork.throws = maps.Clone(s.throws)
	fork.fed.Hidden = slices.Clone(s.fed.Hidden)
	fork.memo = newMemo()
	return &fork
}

// Best is the text to show: the best finished one when the session has
// stopped with one, else the best live one.
func (s *Session) Best() *Hypothesis {
	f := s.newest()
	if len(f.Live) == 0 && len(f.Done) > 0 || f.Stop.Reason != "" && len(f.Done) > 0 {
		return f.Done[0]
	}
	if len(f.Live) > 0 {
		return f.Live[0]
	}
	return s.history[0].frontier.Live[0]
}

// Results are the texts a session ends with, best first: as many as the
// strategy is asked to return, or the best one.
func (s *Session) Results() []*Hypothesis {
	n := max(1, s.set.Strategy.Traits().Returns)
	f := s.newest()
	if f.Stop.Reason == "" || len(f.Done) == 0 {
		return f.Live[:min(n, len(f.Live))]
	}
	return f.Done[:min(n, len(f.Done))]
}
