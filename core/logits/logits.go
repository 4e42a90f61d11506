// Package logits turns a model's logits into the scores a token is chosen by:
// a pipeline of processors, each of which reshapes the scores or removes
// tokens, recorded stage by stage.
package logits

import "math"

// Context is what a processor may know besides the scores.
type Context struct {
	IDs       []int // prompt and generated tokens so far; not to be changed
	PromptLen int   // how many of IDs are the prompt
	MaxLength int   // prompt plus max_new_tokens; 0 when unbounded
	EOS       []int // end-of-sequence ids, possibly none

	// MinTokensToKeep is HF's: 1, or in beam sampling the number of EOS ids
	// plus one (2 without EOS). Below 1 counts as 1.
	MinTokensToKeep int

	// Coin is this step's uniform number in [0,1) for kinds that throw one of
	// their own (XTC). It is not the die of the draw.
	Coin float64
}

// Processor changes scores in place, one score a token. -Inf removes a token;
// a removed token stays removed. It keeps no state between calls and does not
// keep scores.
type Processor interface {
	Process(c Context, scores []float32)
}

// Stage is a processor under the name of its kind. Warper marks HF's "logits
// warpers", which only act when a strategy samples.
type Stage struct {
	Name   string
	Warper bool
	Processor
}

// Pipeline is a list of stages in the order they act.
type Pipeline []Stage

// Trace is what a pipeline did: Scores[0] is the model's own row, Scores[i+1]
// what stage i left. Names[0] is "model".
type Trace struct {
	Names  []string
	Scores [][]float32
}

// Run sends raw through the pipeline and records every stage. raw is not
// changed; Scores[0] is raw itself.
func (p Pipeline) Run(c Context, raw []float32) Trace {
	t := Trace{Names: []string{"model"}, Scores: [][]float32{raw}}
	for _, s := range p {
		next := append([]float32(nil), t.Final()...)
		s.Process(c, next)
		t.Names = append(t.Names, s.Name)
		t.Scores = append(t.Scores, next)
	}
	return t
}

// Apply sends scores through the pipeline in place, without a record.
func (p Pipeline) Apply(c Context, scores []float32) {
	for _, s := range p {
		s.Process(c, scores)
	}
}

// Final is the row after the last stage.
func (t Trace) Final() []float32 { return t.Scores[len(t.Scores)-1] }

// RemovedBy is the index in Names of the stage that removed id, or -1 for a
// token that is kept. 0 means that the model itself gave -Inf.
func (t Trace) RemovedBy(id int) int {
	for i, row := range t.Scores {
		if math.IsInf(float64(row[id]), -1) {
			return i
		}
	}
	return -1
}
