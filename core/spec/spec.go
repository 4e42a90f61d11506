// Package spec describes the things a user picks by name and tunes: processors
// and strategies. A slider, a wire message, a share link and a doc page are all
// made from the same description.
package spec

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Type says how a parameter is entered.
type Type string

// The types of a parameter.
const (
	Number    Type = "number"
	Integer   Type = "integer"
	Flag      Type = "flag"      // 0 or 1
	Choice    Type = "choice"    // index into Param.Choices
	Sequences Type = "sequences" // token sequences, in Args.Seq
)

// Scale says how a slider spreads its range.
type Scale string

// The scales of a slider.
const (
	Linear     Scale = "linear"
	Log        Scale = "log"
	Complement Scale = "complement" // logarithmic in 1 - value, down to Step; the end after that is 1
)

// Param is one value a user can set. Name is Hugging Face's where it has one.
// Min and Max are what is accepted (exclusive with OpenMin, OpenMax); Low and
// High are the slider's ends. Off is the value that changes nothing; a
// parameter without one has HasOff false.
type Param struct {
	Name, Label, Doc string
	Type             Type
	Default          float64
	Min, Max         float64
	OpenMin, OpenMax bool
	Off              float64
	HasOff           bool
	Low, High, Step  float64
	Scale            Scale
	Choices          []string
	Plain            bool // of Sequences: the ids are plain numbers, not tokens
}

// Sequence is a run of token ids, with a bias where the parameter wants one.
type Sequence struct {
	IDs  []int
	Bias float64
}

// Args are the values a user gave, by parameter name; what is missing has its
// default.
type Args struct {
	Num map[string]float64
	Seq map[string][]Sequence
}

// Get is the number under name, or 0. Kind.Make has filled in the defaults.
func (a Args) Get(name string) float64 { return a.Num[name] }

// Int is the number under name as an int.
func (a Args) Int(name string) int { return int(a.Num[name]) }

// Kind is a thing a user can pick: a processor or a strategy. Label, Letter and
// Group are how a page shows it ("Top-k", "k", "Cut"). Doc is a line that says
// what it does, Formula another that says it in signs: x is the text, t a token,
// s a score, p a probability and H the entropy (in nats) of what comes in, K what
// stays, u a number thrown in [0,1). Warper, of processors: acts only when a
// strategy samples, as transformers' logits warpers do.
type Kind[T any] struct {
	Name, Label, Letter, Group string
	Doc, Formula, Source       string
	Warper                     bool
	Params                     []Param
	New                        func(Args) (T, error)
}

// Make checks args against the kind's parameters, fills in the defaults and
// builds the thing. An unknown name, NaN or a value out of range is an error
// that names the parameter, the value and the range; nothing is clamped.
func (k Kind[T]) Make(args Args) (T, error) {
	full, err := Check(k.Params, args)
	if err != nil {
		var zero T
		return zero, err
	}
	return k.New(full)
}

// Find returns the kind called name.
func Find[T any](kinds []Kind[T], name string) (Kind[T], error) {
	for _, k := range kinds {
		if k.Name == name {
			return k, nil
		}
	}
	return Kind[T]{}, fmt.Errorf("unknown kind %q", name)
}

// Check returns args with every default filled in, or the first error.
func Check(params []Param, args Args) (Args, error) {
	full := Args{Num: map[string]float64{}, Seq: map[string][]Sequence{}}
	for _, p := range params {
		if p.Type != Sequences {
			full.Num[p.Name] = p.Default
		}
	}
	for _, name := range sortedKeys(args.Num) {
		i := slices.IndexFunc(params, func(p Param) bool { return p.Name == name && p.Type != Sequences })
		if i < 0 {
			return Args{}, fmt.Errorf("%s: no such number here", name)
		}
		if err := params[i].check(args.Num[name]); err != nil {
			return Args{}, err
		}
		full.Num[name] = args.Num[name]
	}
	for _, name := range sortedKeys(args.Seq) {
		i := slices.IndexFunc(params, func(p Param) bool { return p.Name == name && p.Type == Sequences })
		if i < 0 {
			return Args{}, fmt.Errorf("%s: no such list here", name)
		}
		if err := params[i].checkSequences(args.Seq[name]); err != nil {
			return Args{}, err
		}
		full.Seq[name] = args.Seq[name]
	}
	return full, nil
}

func (p Param) check(v float64) error {
	low := v < p.Min || p.OpenMin && v == p.Min
	high := v > p.Max || p.OpenMax && v == p.Max
	if math.IsNaN(v) || low || high {
		return fmt.Errorf("%s: %s, want %s", p.Name, plain(v), p.Range())
	}
	if p.Type != Number && v != math.Trunc(v) {
		return fmt.Errorf("%s: %s, want a whole number", p.Name, plain(v))
	}
	return nil
}

func (p Param) checkSequences(list []Sequence) error {
	for i, seq := range list {
		if len(seq.IDs) == 0 {
			return fmt.Errorf("%s: entry %d is empty, want at least one token", p.Name, i+1)
		}
		for _, id := range seq.IDs {
			if id < 0 {
				return fmt.Errorf("%s: token %d, want 0 or more", p.Name, id)
			}
		}
		if math.IsNaN(seq.Bias) || math.IsInf(seq.Bias, 0) {
			return fmt.Errorf("%s: bias %v, want a finite number", p.Name, seq.Bias)
		}
	}
	return nil
}

// Range is the accepted range in words: "0 to 1", "above 0, up to 100".
func (p Param) Range() string {
	low, high := plain(p.Min), plain(p.Max)
	switch {
	case p.OpenMin && p.OpenMax:
		return fmt.Sprintf("above %s, below %s", low, high)
	case p.OpenMin:
		return fmt.Sprintf("above %s, up to %s", low, high)
	case p.OpenMax:
		return fmt.Sprintf("%s up to, but not, %s", low, high)
	}
	return fmt.Sprintf("%s to %s", low, high)
}

// plain is v without an exponent: 1000000, not 1e+06.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
