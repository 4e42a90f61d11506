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
	return newEnv(s.model, s.set, len(s.prompt), -1, s.memo).stop(f.Live[0])
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
	env := newEnv(m, s.set, len(s.prompt), s.throwOf(s.Steps()), s.memo)
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
	f.Cost.Passes += env.cost.Passes
	f.Cost.DraftPasses += env.cost.DraftPasses
	s.history = append(s.history, moment{f, s.set, env.die, forced})
	s.memo = newMemo()
	return nil
}

// rememberer is a strategy that must remember a token taken by hand.
type rememberer interface {
	remember(env *Env, h *Hypothesis, t Taken) any
}

// ender is a strategy that ends texts itself and ranks those that have ended.
type ender interface {
	final(sum float64, length int) float64
}

// Force takes a token by hand, any of the vocabulary, whatever the strategy
// would do and whatever the pipeline has removed. A beam search goes on from
// this text alone. It is an error where no text is live or the context is full.
func (s *Session) Force(id int) error {
	if !s.Ready() {
		return errNotFed
	}
	if n := s.model.Info().Vocab; id < 0 || id >= n {
		return fmt.Errorf("token: %d, want 0 to %d", id, n-1)
	}
	f := s.newest()
	if len(f.Live) == 0 {
		return errors.New("the search is over: take a step back first")
	}
	h := f.Live[0]
	env := newEnv(s.model, s.set, len(s.prompt), -1, s.memo)
	sc, err := env.scoreOf(h, extra{})
	if err != nil {
		return err
	}
	t := sc.take(place(sc.scores, id), -1)
	t.Forced = true
	child := env.child(h, t)
	if p := sc.row.logProb(id); env.traits.Beams && t.ModelProb > 0 {
		child.Score = h.Score + p
	}
	child.Memo = h.Memo
	if r, ok := s.set.Strategy.(rememberer); ok {
		child.Memo = r.remember(env, h, t)
	}
	note := Candidate{
		Parent: h, Child: child, ID: id, Prob: t.ModelProb, Score: child.Score, Place: 1, State: Live, Reason: "taken by hand",
	}
	next := f.next(child)
	if b, ok := s.set.Strategy.(ender); ok && env.traits.Beams {
		if stop := env.stop(child); stop.Reason != "" {
			note.finish(child, b.final(child.Score, child.length-env.promptLen), stop)
			next.Live, next.Done, next.Stop = nil, []*Hypothesis{child}, stop
		}
	}
	next.Candidates = []Candidate{note}
	return s.push(env, next, true)
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

// View is what happens, or would happen, at a step: one decision for each text
// that was live, and for each token of a step that adds several. Step 0 is the
// first after the prompt, -1 the next one. A past step is seen with the
// settings that it was taken with. Traces are made anew, and not kept.
func (s *Session) View(step int) ([]*Decision, error) {
	if !s.Ready() {
		return nil, errNotFed
	}
	n := s.Steps()
	if step < -1 || step > n {
		return nil, fmt.Errorf("step: %d, want -1 to %d", step, n)
	}
	if step == -1 {
		step = n
	}
	f := s.history[step].frontier
	if len(f.Live) == 0 {
		return nil, errors.New("the search is over: no token follows")
	}
	set, die, memo := s.set, s.throwOf(step), s.memo
	if step < n {
		set, die, memo = s.history[step+1].set, s.history[step+1].die, newMemo()
	}
	env := newEnv(s.model, set, len(s.prompt), die, memo)
	var seen []*Decision
	env.watch = &seen
	if step < n && s.history[step+1].forced {
		next := s.history[step+1].frontier
		if _, err := env.scoreOf(f.Live[0], extra{}); err != nil {
			return nil, err
		}
		seen[0].Picks = slices.Concat(next.Live, next.Done)[0].Taken // a forced end is done
		return seen, nil
	}
	if _, err := set.Strategy.Step(env, f); err != nil && len(seen) == 0 {
		return nil, err
	}
	return seen, nil
}
