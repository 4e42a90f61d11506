package api

// Sessions on the wire: what opens, steps and changes one, and what it is then.

// Open makes a session on a prompt. No prompt token is read before feed.
type Open struct {
	Model    int      `json:"model"`
	IDs      []int    `json:"ids"` // at least one, but for toys
	Settings Settings `json:"settings"`
}

// Ref names a session.
type Ref struct {
	Session int `json:"session"`
}

// Feed reads up to Count prompt tokens.
type Feed struct {
	Session int `json:"session"`
	Count   int `json:"count"`
}

// Fed is the answer to feed: prompt tokens read of all.
type Fed struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// Retune changes a session's settings from the next step on. No forward pass.
type Retune struct {
	Session  int      `json:"session"`
	Settings Settings `json:"settings"`
}

// Steps takes one step of each session, in one pass over the weights. A session
// that has stopped stays as it is. The call fails when no session could do what
// was asked; else the reason of one that couldn't is in its Status.
type Steps struct {
	Sessions []int `json:"sessions"`
}

// Stepped is the answer to step, in the order asked.
type Stepped struct {
	Sessions []Status `json:"sessions"`
}

// Force takes the token ID as the next one, whatever the strategy would do.
type Force struct {
	Session int `json:"session"`
	ID      int `json:"id"`
}

// Rewind keeps the first Steps steps.
type Rewind struct {
	Session int `json:"session"`
	Steps   int `json:"steps"`
}

// Status is a session after a call. Stop is empty while it can go on, else
// eos, max_new_tokens, max_length, max_time, context, stop_string,
// early_stopping or no_candidates (beams).
type Status struct {
	Session int       `json:"session"`
	Ready   bool      `json:"ready"` // the prompt is read
	Steps   int       `json:"steps"`
	Stop    string    `json:"stop"`
	StopDoc string    `json:"stopDoc"` // the reason in words
	Text    []Step    `json:"text"`    // tokens of the best hypothesis, oldest first
	Ignored []Ignored `json:"ignored"` // settings that have no effect
	Endings []Ending  `json:"endings"` // finished texts of a beam search, best first
	Rounds  []Round   `json:"rounds"`  // of strategies that guess ahead, one a step
	Cost    Cost      `json:"cost"`
	Error   Error     `json:"error"` // why a step of several was refused; see Steps

	told *Told
}

// Ignored is a setting without effect. Place is that of a stage in
// Settings.Stages; -1 for a parameter of the strategy, or of Settings itself.
type Ignored struct {
	Place  int    `json:"place"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// Ending is a finished text of a beam search. Score is the sum of
// log-probabilities, Final what it is ranked by. Returned says that it is one
// of the num_return_sequences that the search gives, now that it is over.
type Ending struct {
	Tokens   []Token `json:"tokens"`
	Score    float64 `json:"score"`
	Final    float64 `json:"final"`
	Stop     string  `json:"stop"`
	StopDoc  string  `json:"stopDoc"`
	Returned bool    `json:"returned"`
}

// Round is what a step of speculative decoding guessed, and how many of the
// first guesses the model accepted. They are the step's tokens, with one more
// of the model's own after them, unless the text ended there.
type Round struct {
	Step     int     `json:"step"` // as in Step
	Guessed  []Token `json:"guessed"`
	Accepted int     `json:"accepted"`
}

// Cost is that of all steps, the prompt not counted: forward passes over the
// weights of the model and of the draft model, however many texts each served,
// and seconds.
type Cost struct {
	Passes      int     `json:"passes"`
	DraftPasses int     `json:"draftPasses"`
	Seconds     float64 `json:"seconds"`
}

// Step is one generated token with what was true when it was chosen. Probs are
// the model's own unless said otherwise; Rank is 1 for the likeliest.
//
// Step is the number of steps after which it stood there: rewinding to one
// less takes it back. It is the token's place, from 1, but for strategies that
// add several tokens in a step.
type Step struct {
	Step      int     `json:"step"`
	ID        int     `json:"id"`
	Text      string  `json:"text"`
	Hex       string  `json:"hex"`
	Forced    bool    `json:"forced"` // taken by hand
	ModelProb float64 `json:"modelProb"`
	Prob      float64 `json:"prob"` // after the pipeline
	Rank      int     `json:"rank"`
	Surprise  float64 `json:"surprise"` // bits, of the model's own
	Entropy   float64 `json:"entropy"`  // bits, of the model's own
	Nucleus   int     `json:"nucleus"`  // the model's own at p = 0.9
	Die       float64 `json:"die"`      // -1: none was thrown
	Low       float64 `json:"low"`      // the token's place on the last strip
	High      float64 `json:"high"`
}
