// Package api is the worker's side of the wire, in plain Go: a table of
// methods over structs that cross as they are. It knows nothing of JavaScript;
// package wasm carries its structs over, tests call it directly.
//
// The wire structs hold strings, bools, ints, float64s, and slices, maps with
// string keys and structs of those. Bulk numbers are []float32 and []int32 in
// unexported fields that Columns lists; they cross as typed arrays. Every key
// is spelled by its json tag, which has no options. No slice or map of an
// answer is null on the page.
package api

// Nothing is the empty object: no parameters, or nothing to answer.
type Nothing struct{}

// Columns is implemented by results that carry bulk numbers. The map's values
// are []float32, []int32 or []byte; its keys are the field names on the page.
type Columns interface{ Columns() map[string]any }

// Described is the answer to describe: all that can be picked and tuned.
type Described struct {
	Processors []Kind  `json:"processors"` // in default pipeline order
	Strategies []Kind  `json:"strategies"`
	Charts     []Chart `json:"charts"`
	Orders     []Order `json:"orders"` // the default first
}

// Order is an order of stages to pick: names of processors, first to last.
type Order struct {
	Name  string   `json:"name"`
	Label string   `json:"label"`
	Doc   string   `json:"doc"`
	Kinds []string `json:"kinds"`
}

// Kind is a spec.Kind on the wire. Warper: acts only when a strategy samples.
type Kind struct {
	Name    string  `json:"name"`
	Label   string  `json:"label"`
	Letter  string  `json:"letter"`
	Group   string  `json:"group"`
	Doc     string  `json:"doc"`
	Formula string  `json:"formula"`
	Source  string  `json:"source"`
	Warper  bool    `json:"warper"`
	Params  []Param `json:"params"`

	// Of strategies: Samples is whether it throws the die, Beams whether it
	// follows several texts, Draft whether it needs a second model.
	Samples bool `json:"samples"`
	Beams   bool `json:"beams"`
	Draft   bool `json:"draft"`
}

// Param is a spec.Param on the wire.
type Param struct {
	Name    string   `json:"name"`
	Label   string   `json:"label"`
	Doc     string   `json:"doc"`
	Type    string   `json:"type"` // number, integer, flag, choice, sequences
	Default float64  `json:"default"`
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`
	OpenMin bool     `json:"openMin"`
	OpenMax bool     `json:"openMax"`
	Off     float64  `json:"off"`
	HasOff  bool     `json:"hasOff"`
	Low     float64  `json:"low"`
	High    float64  `json:"high"`
	Step    float64  `json:"step"`
	Scale   string   `json:"scale"` // linear, log, complement
	Range   string   `json:"range"` // in words
	Choices []string `json:"choices"`
	Plain   bool     `json:"plain"` // of sequences: the ids are plain numbers, not tokens
}

// Chart is a chart that can be asked for by name.
type Chart struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Doc   string `json:"doc"`
}

// Settings is everything a decoder is set to.
type Settings struct {
	Strategy     string             `json:"strategy"`
	StrategyArgs map[string]float64 `json:"strategyArgs"`
	StrategySeqs []Sequence         `json:"strategySeqs"`
	Stages       []Stage            `json:"stages"`         // in pipeline order; a kind may stand twice
	Seed         float64            `json:"seed"`           // a whole number, 0 to 2^53-1
	Die          float64            `json:"die"`            // in [0,1): the next step's throw, set by hand; -1: from the seed
	MaxNewTokens int                `json:"max_new_tokens"` // 0: max_length counts
	MaxLength    int                `json:"max_length"`     // of the text with its prompt; 0: none
	MaxTime      float64            `json:"max_time"`       // seconds that all steps may take; 0: any
	EOS          []int              `json:"eos"`            // none: never ends by itself
	Stop         []string           `json:"stop"`           // stop strings

	// For strategies that want a model that guesses ahead: Draft, or the first
	// EarlyExit blocks of the model itself; 0 for none.
	Draft     int `json:"draft"`
	EarlyExit int `json:"assistant_early_exit"`
}

// Stage is one processor of a pipeline. One that is off is not in the trace.
type Stage struct {
	Kind string             `json:"kind"`
	On   bool               `json:"on"`
	Args map[string]float64 `json:"args"`
	Seqs []Sequence         `json:"seqs"`
}

// Sequence is one entry of a list parameter.
type Sequence struct {
	Param string  `json:"param"`
	IDs   []int   `json:"ids"`
	Bias  float64 `json:"bias"`
}

// Token is a token as a page shows it. Text is empty when the piece is no
// whole UTF-8 text; Hex has its bytes then ("F0 9F").
type Token struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
	Hex  string `json:"hex"`
}

// Part is one file of a model folder; see Manifest.
type Part struct {
	File        string `json:"file"`
	Bytes       int    `json:"bytes"`
	SHA256      string `json:"sha256"`
	CodedFile   string `json:"codedFile"`
	CodedBytes  int    `json:"codedBytes"`
	CodedSHA256 string `json:"codedSha256"`
}

// ModelBegin starts loading: the text of manifest.json. The answer names the
// parts in order. Each part is then handed over, decoded, by modelPart; the
// model is ready when modelEnd answers.
type ModelBegin struct {
	Manifest string `json:"manifest"`
}

// ModelBegun is the answer to modelBegin. Model is the handle for the rest.
type ModelBegun struct {
	Model int    `json:"model"`
	Name  string `json:"name"`
	Hash  string `json:"hash"` // as in ModelInfo
	Parts []Part `json:"parts"`
}

// ModelPart hands over decoded bytes of part Index, from byte At on: the whole
// part, or a piece of it, in order. The part is checked when its last byte came:
// against SHA256, in hex, where the caller has computed it (a browser does so ten
// times as fast), else the bytes are hashed here.
// Bytes come beside the struct; see package wasm.
type ModelPart struct {
	Model  int    `json:"model"`
	Index  int    `json:"index"`
	At     int    `json:"at"`
	SHA256 string `json:"sha256"`
}

// ModelRef names a model.
type ModelRef struct {
	Model int `json:"model"`
}

// ModelToy makes a table model of a few words, for lessons: the one called
// Name of the JSON text Toys; core/lm/table has its form.
type ModelToy struct {
	Toys string `json:"toys"`
	Name string `json:"name"`
}

// ModelStep makes a model that knows one step of GPT-2: the token after Prompt.
// Its logits, little-endian float32, come beside the struct; see package wasm.
type ModelStep struct {
	Name   string `json:"name"`
	Prompt string `json:"prompt"`
}

// ModelInfo describes a model that is ready.
type ModelInfo struct {
	Model   int    `json:"model"`
	ID      string `json:"id"`
	Name    string `json:"name"`
	Hash    string `json:"hash"` // sha256 of the manifest's parts; part of share links
	Layers  int    `json:"n_layer"`
	Heads   int    `json:"n_head"`
	Embd    int    `json:"n_embd"`
	Context int    `json:"n_positions"`
	Vocab   int    `json:"vocab_size"`
	Params  int    `json:"params"`
	EOS     int    `json:"eos_token_id"`
	Bits    string `json:"bits"`
	Licence string `json:"licence"`
	Source  string `json:"source"`

	// Of toys and of single steps: the prompt, which a toy shows and does not
	// read, and the ids to open a session with, possibly none.
	Toy       bool   `json:"toy"`
	Prompt    string `json:"prompt"`
	PromptIDs []int  `json:"promptIds"`
}

// Tokenize asks for the tokens of a text, at most one more of them than the
// model reads. BOS puts the chip <|endoftext|> at the front; the same
// characters inside Text are plain text.
type Tokenize struct {
	Model int    `json:"model"`
	Text  string `json:"text"`
	BOS   bool   `json:"bos"`
}

// TokenTexts asks for the tokens of ids.
type TokenTexts struct {
	Model int   `json:"model"`
	IDs   []int `json:"ids"`
}

// Tokens is a list of tokens. Count is of all, those of a long text that are
// not listed included.
type Tokens struct {
	Tokens []Token `json:"tokens"`
	Count  int     `json:"count"`
}

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

// ViewOf asks what the pipeline does at a step: 0 is the first generated
// token of Status.Text, -1 the next one. Rows is how many tokens are wanted, 1
// to 1000.
type ViewOf struct {
	Session int `json:"session"`
	Step    int `json:"step"`
	Rows    int `json:"rows"`
}

// View is one step, stage by stage. Its token list is the union of what the
// picture, the bars and the table need; Bars and Strip index into it.
//
// Strip is the order of the draw: kept tokens from the likeliest down, then
// the removed ones, those that fell last first; so on every strip the next
// stage cuts a far end off. Bars is in the order of the model's own rank.
// Groups are the tokens outside Strip, joined by the stage that removes them,
// in strip order.
//
// A step that was taken stays as it was: Strategy and the stages' Args are those
// that it was taken with.
type View struct {
	Step     int         `json:"step"`
	Strategy string      `json:"strategy"`
	Stages   []StageView `json:"stages"` // [0] is the model
	Tokens   []Token     `json:"tokens"`
	Bars     []int       `json:"bars"`
	Strip    []int       `json:"strip"`
	Groups   []Group     `json:"groups"`
	Numbers  Numbers     `json:"numbers"`
	Draw     Draw        `json:"draw"`

	// Columns, one number a token of Tokens.
	logits     []float32 // the model's
	scores     []float32 // after the pipeline; -Infinity where removed
	rank       []int32   // in the model's order, from 1
	removed    []int32   // index in Stages, -1 = kept
	probs      []float32 // stage by stage: probs[stage*tokens.length+token]
	groupProbs []float32 // likewise: groupProbs[stage*groups.length+group]
}

// Columns implements Columns.
func (v View) Columns() map[string]any {
	return map[string]any{
		"logits": v.logits, "scores": v.scores, "rank": v.rank,
		"removed": v.removed, "probs": v.probs, "groupProbs": v.groupProbs,
	}
}

// StageView is what a stage left: Count tokens. Cut and CutMass are what it
// removed for good, CutMass of the distribution that came in. Index is its place in
// Settings.Stages, -1 for the model. Args are its numbers, defaults included.
type StageView struct {
	Kind    string             `json:"kind"`
	Index   int                `json:"index"`
	Args    map[string]float64 `json:"args"`
	Count   int                `json:"count"`
	Cut     int                `json:"cut"`
	CutMass float64            `json:"cutMass"`
	Entropy float64            `json:"entropy"` // bits
}

// Group is a run of tokens outside Strip. Removed is the stage, -1 = kept.
type Group struct {
	Removed int `json:"removed"`
	Count   int `json:"count"`
}

// Numbers are the readout. NucleusSize is what the top-p stage leaves (what
// the whole pipeline leaves where there is none); KeptCount is what the whole
// pipeline leaves. KeptMass is of the distribution that enters the first
// filter, ModelKeptMass of the model's own.
type Numbers struct {
	NucleusSize      int     `json:"nucleus_size"`
	KeptCount        int     `json:"kept_count"`
	KeptMass         float64 `json:"kept_mass"`
	ModelKeptMass    float64 `json:"model_kept_mass"`
	Entropy          float64 `json:"entropy"` // bits, final
	ModelEntropy     float64 `json:"model_entropy"`
	EffectiveChoices float64 `json:"effective_choices"` // 2^entropy
	ModelChoices     float64 `json:"model_choices"`
	CrossingToken    Token   `json:"crossing_token"` // the one that crosses top_p
	CrossingSum      float64 `json:"crossing_sum"`   // its mass and all before it; 0 when no top-p stage cuts

	// What the common wrong rule, which drops the crossing token, would keep.
	SlipSize int     `json:"slip_size"`
	SlipMass float64 `json:"slip_mass"`
}

// Draw is how the token of the step is chosen. Thrown is false where no die
// is: greedy, beams, a token taken by hand. Token is the index in View.Tokens
// of the token that is taken or would be, -1 when none is decided yet.
type Draw struct {
	Thrown bool    `json:"thrown"`
	Forced bool    `json:"forced"`
	Die    float64 `json:"die"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Token  int     `json:"token"`
	Top    int     `json:"top"` // index of the likeliest kept token
	TopEnd float64 `json:"topEnd"`
}

// LogitsOf asks for what the model says comes next in each session's best text.
type LogitsOf struct {
	Sessions []int `json:"sessions"`
}

// Logits are one number a token of the vocabulary, row after row in the order
// asked. All come from one pass, and the next step uses them again.
type Logits struct {
	logits []float32
}

// Columns implements Columns.
func (l Logits) Columns() map[string]any { return map[string]any{"logits": l.logits} }

// DrawsOf asks what Count dice would draw at a step: thrown with the session's
// seed and those that follow it. Step is as in ViewOf, Count 1 to 100000.
type DrawsOf struct {
	Session int `json:"session"`
	Step    int `json:"step"`
	Count   int `json:"count"`
}

// Draws is how often each token was hit. Tokens are kept ones in the order of
// the draw, 50 at most, with their final probability; Other is of all the rest.
type Draws struct {
	Count         int       `json:"count"`
	Tokens        []Token   `json:"tokens"`
	Expected      []float64 `json:"expected"`
	Hits          []int     `json:"hits"`
	OtherTokens   int       `json:"otherTokens"`
	OtherExpected float64   `json:"otherExpected"`
	OtherHits     int       `json:"otherHits"`

	dice []float32 // the first throws, 1000 at most
}

// Columns implements Columns.
func (d Draws) Columns() map[string]any { return map[string]any{"dice": d.dice} }

// Tree is the search of a session, step by step, for strategies that follow
// several texts. Node 0 is the prompt.
type Tree struct {
	Nodes []Node `json:"nodes"`
	Best  int    `json:"best"` // the best hypothesis so far
}

// Node is one candidate. State is live, done or pruned, as things stand after
// the newest step; Reason says why it was pruned or how it ended. Score is the sum of log-probabilities, Final
// the length-normalised score of one that is done.
type Node struct {
	Parent  int     `json:"parent"`
	Step    int     `json:"step"` // 1 is the first; 0 the prompt
	ID      int     `json:"id"`
	Text    string  `json:"text"`
	Hex     string  `json:"hex"`
	Prob    float64 `json:"prob"`
	Score   float64 `json:"score"`
	Final   float64 `json:"final"`
	Place   int     `json:"place"` // in its step, from 1
	State   string  `json:"state"`
	Reason  string  `json:"reason"`
	Chained bool    `json:"chained"` // on the path to Best
}

// ChartOf asks for a chart: an ECharts option as JSON. Colours in it are names
// of the page's custom properties ("--kept"); the page puts the colours in.
type ChartOf struct {
	Name     string `json:"name"`
	Sessions []int  `json:"sessions"`
	Step     int    `json:"step"`  // as in ViewOf, of the first session
	Draws    int    `json:"draws"` // of the chart "draws": how many, up to 100000
}

// ChartJSON is the option.
type ChartJSON struct {
	Option string `json:"option"`
}

// Metrics of a session's text so far. Never NaN; an empty text has zeros.
type Metrics struct {
	Session     int     `json:"session"`
	Tokens      int     `json:"tokens"`
	MeanLogProb float64 `json:"mean_logprob"` // nats, the model's own
	Perplexity  float64 `json:"perplexity"`
	Distinct1   float64 `json:"distinct_1"`
	Distinct2   float64 `json:"distinct_2"`
	Distinct3   float64 `json:"distinct_3"`
	Repeated4   float64 `json:"repeated_4"` // share of 4-grams seen before
	MeanEntropy float64 `json:"mean_entropy"`
	MeanNucleus float64 `json:"mean_nucleus"`
	LoopPeriod  int     `json:"loop_period"` // tokens that the end repeats three times or more; 0: no loop
}

// MetricsOf asks for metrics of sessions.
type MetricsOf struct {
	Sessions []int `json:"sessions"`
}

// AllMetrics is the answer, in the order asked.
type AllMetrics struct {
	Sessions []Metrics `json:"sessions"`
}

// PromptSurpriseOf asks how the model meets up to Count tokens of a session's
// prompt, 64 at most, from place From on. The prompt has to be read.
type PromptSurpriseOf struct {
	Session int `json:"session"`
	From    int `json:"from"`
	Count   int `json:"count"`
}

// PromptSurprise is the answer, token by token; Total is of the whole prompt.
type PromptSurprise struct {
	Total int `json:"total"`

	surprise []float32 // bits; -1 for the first token, which nothing precedes
	rank     []int32   // in the model's order, from 1; 0 for the first token
}

// Columns implements Columns.
func (p PromptSurprise) Columns() map[string]any {
	return map[string]any{"surprise": p.surprise, "rank": p.rank}
}

// Error is what a failed call answers. Code is one of bad_request, unknown,
// context_full, bad_model, internal; Message is for a person.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}
