package logits

import "decodingplayground/core/spec"

var presenceKind = spec.Kind[Processor]{
	Name: "presence_penalty", Label: "Presence penalty", Letter: "a", Group: "Repeat",
	Doc:     "Takes a fixed amount from the score of every token that is in the text.",
	Formula: "t ∈ x ⇒ sₜ ← sₜ − a",
	Source:  "OpenAI API presence_penalty; llama.cpp penalties",
	Params: []spec.Param{
		subtracted("presence_penalty", "The amount. Below 0 repeats become likelier. 0 is off."), penaltyLastN,
	},
	New: func(a spec.Args) (Processor, error) {
		return presence{penalty: a.Get("presence_penalty"), window: window(a.Int("penalty_last_n"))}, nil
	},
}

// presence subtracts the penalty from the score of every token that occurs in
// the window, once however often.
type presence struct {
	penalty float64
	window  window
}

func (p presence) Process(c Context, scores []float32) {
	eachDistinct(p.window.of(c.IDs), len(scores), func(id, _ int) {
		add(scores, id, -float32(p.penalty))
	})
}

var frequencyKind = spec.Kind[Processor]{
	Name: "frequency_penalty", Label: "Frequency penalty", Letter: "f", Group: "Repeat",
	Doc:     "Takes an amount from a token's score for every time it is in the text.",
	Formula: "sₜ ← sₜ − f · nₜ, nₜ = |{i : xᵢ = t}|",
	Source:  "OpenAI API frequency_penalty; llama.cpp penalties",
	Params: []spec.Param{
		subtracted("frequency_penalty", "The amount for each time. Below 0 repeats become likelier. 0 is off."), penaltyLastN,
	},
	New: func(a spec.Args) (Processor, error) {
		return frequency{penalty: a.Get("frequency_penalty"), window: window(a.Int("penalty_last_n"))}, nil
	},
}

// frequency subtracts the penalty times the number of occurrences in the
// window.
type frequency struct {
	penalty float64
	window  window
}

func (f frequency) Process(c Context, scores []float32) {
	eachDistinct(f.window.of(c.IDs), len(scores), func(id, count int) {
		add(scores, id, -float32(float32(count)*float32(f.penalty)))
	})
}

func subtracted(name, doc string) spec.Param {
	return spec.Param{
		Name: name, Label: "Penalty", Doc: doc, Type: spec.Number,
		Default: 0, Min: -100, Max: 100, Off: 0, HasOff: true,
		Low: -2, High: 2, Step: 0.05, Scale: spec.Linear,
	}
}

var penaltyLastN = spec.Param{
	Name: "penalty_last_n", Label: "Looks back", Type: spec.Integer,
	Doc:     "How many of the last tokens count. -1 is all, 0 none.",
	Default: -1, Min: -1, Max: 1e6, Low: -1, High: 256, Step: 1, Scale: spec.Linear,
}

// window is how many of the last tokens count, -1 for all of them. Prompt
// tokens count, as in llama.cpp.
type window int

func (w window) of(ids []int) []int {
	if w < 0 || int(w) >= len(ids) {
		return ids
	}
	return ids[len(ids)-int(w):]
}
