package decode

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
)

// Settings is everything a session is set to. It is not changed after use.
type Settings struct {
	Strategy Strategy
	Pipeline logits.Pipeline
	Seed     uint64

	// Die is the next step's throw, set by hand, in [0,1); below 0 it comes
	// from the seed. It belongs to that step: a step done again throws it again.
	Die float64

	// MaxNewTokens is how many tokens may be generated, MaxLength how long the
	// text may get with its prompt. One of them must be set; the first wins
	// over the second. The model's context is a limit of its own.
	MaxNewTokens int
	MaxLength    int

	// MaxTime is how many seconds the steps may take together, 0 for any. It is
	// looked at when a token is there, so there is at least one. A step in
	// company counts as long as all took.
	MaxTime float64
	Clock   func() float64 // seconds since any moment; needed for MaxTime

	EOS   []int               // end-of-sequence ids, possibly none
	Stop  []string            // stop strings, none empty
	Piece func(id int) []byte // a token's bytes; needed for stop strings

	Draft lm.Model // for strategies that need a draft model
}

// ErrContext is wrapped by errors that say that a text does not fit the model.
var ErrContext = errors.New("the model's context is full")

// check refuses settings that make no sense for a prompt of n tokens.
func (s Settings) check(m lm.Model, n int) error {
	vocab := m.Info().Vocab
	switch {
	case s.Strategy == nil:
		return errors.New("strategy: none")
	case math.IsNaN(s.Die) || s.Die >= 1:
		return fmt.Errorf("die: %v, want 0 up to, but not, 1, or below 0 for none", s.Die)
	case s.MaxNewTokens < 0 || s.MaxNewTokens == 0 && s.MaxLength == 0:
		return fmt.Errorf("max_new_tokens: %d, want at least 1", s.MaxNewTokens)
	case s.MaxLength < 0:
		return fmt.Errorf("max_length: %d, want 0 for none or more", s.MaxLength)
	case s.MaxNewTokens == 0 && s.MaxLength <= n:
		return fmt.Errorf("max_length: %d, want more than the prompt's %d tokens", s.MaxLength, n)
	case math.IsNaN(s.MaxTime) || math.IsInf(s.MaxTime, 0) || s.MaxTime < 0:
		return fmt.Errorf("max_time: %v, want 0 for none or more", s.MaxTime)
	case s.MaxTime > 0 && s.Clock == nil:
		return errors.New("max_time: no clock to measure it with")
	}
	for _, id := range s.EOS {
		if id < 0 || id >= vocab {
			return fmt.Errorf("eos_token_id: %d, want 0 to %d", id, vocab-1)
		}
	}
	if slices.Contains(s.Stop, "") {
		return errors.New("stop_strings: an empty one, want at least one character")
	}
	if len(s.Stop) > 0 && s.Piece == nil {
		return errors.New("stop_strings: no tokenizer to match them with")
	}
	if err := s.Pipeline.Check(vocab); err != nil {
		return err
	}
	for _, stage := range s.Pipeline {
		if g, ok := stage.Processor.(logits.Guided); ok {
			if prompt, _ := g.OtherPrompt(); len(prompt) > m.Info().Context {
				return fmt.Errorf("negative_prompt_ids: %d tokens, want at most %d: %w", len(prompt), m.Info().Context, ErrContext)
			}
		}
	}
	if s.Strategy.Traits().Draft {
		if s.Draft == nil {
			return errors.New("draft model: none, and this strategy needs one")
		}
		if got := s.Draft.Info().Vocab; got != vocab {
			return fmt.Errorf("draft model: %d tokens in its vocabulary, want the model's %d", got, vocab)
		}
	}
	return nil
}

// Ignored is a stage of the pipeline, or a parameter of the strategy, that has
// no effect. Stage is its index in Settings.Pipeline, -1 for a parameter.
type Ignored struct {
	Stage  int
	Name   string
	Reason string
}

// Ignored lists what has no effect with this strategy and why, stages first.
func (s Settings) Ignored() []Ignored {
	var list []Ignored
	t := s.Strategy.Traits()
	for i, stage := range s.Pipeline {
		if why := ignored(stage, t); why != "" {
			list = append(list, Ignored{i, stage.Name, why})
		}
	}
	if s.MaxNewTokens > 0 && s.MaxLength > 0 {
		list = append(list, Ignored{-1, "max_length", "max_new_tokens is set, and it wins"})
	}
	for _, name := range sortedKeys(t.Ignores) {
		list = append(list, Ignored{-1, name, t.Ignores[name]})
	}
	return list
}

// ignored says why a strategy passes a stage over, or nothing.
func ignored(stage logits.Stage, t Traits) string {
	_, guided := stage.Processor.(logits.Guided)
	switch {
	case stage.Warper && !t.Samples:
		return "this strategy draws nothing, and " + stage.Name + " only shapes a draw"
	case guided && t.Ahead:
		return "this strategy checks several tokens in one pass, and " + stage.Name + " needs another text read token by token"
	}
	return ""
}

// now is what the clock says, 0 without one.
func (s Settings) now() float64 {
	if s.Clock == nil {
		return 0
	}
	return s.Clock()
}

// active is the pipeline without what is ignored, and each stage's index in
// Settings.Pipeline.
func (s Settings) active() (logits.Pipeline, []int) {
	t := s.Strategy.Traits()
	var p logits.Pipeline
	var index []int
	for i, stage := range s.Pipeline {
		if ignored(stage, t) == "" {
			p = append(p, stage)
			index = append(index, i)
		}
	}
	return p, index
}
