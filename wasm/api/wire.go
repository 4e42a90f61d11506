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

// Error is what a failed call answers. Code is one of bad_request, unknown,
// context_full, bad_model, internal; Message is for a person.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}
