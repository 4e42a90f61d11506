package logits

import (
	"fmt"

	"decodingplayground/core/spec"
)

var guidanceKind = spec.Kind[Processor]{
	Name: "guidance_scale", Label: "Guidance", Letter: "g", Group: "Shape",
	Doc:     "Moves away from what the model would say without the prompt, or after another one.",
	Formula: "sₜ ← uₜ + g · (log pₜ − uₜ), u = log p′",
	Source:  "Sanchez et al. 2023, arXiv:2306.17806; transformers UnbatchedClassifierFreeGuidanceLogitsProcessor",
	Params: []spec.Param{{
		Name: "guidance_scale", Label: "Guidance", Type: spec.Number,
		Doc:     "Above 1 the prompt counts for more, below 1 for less. 1 is off.",
		Default: 1, Min: 0, Max: 100, Off: 1, HasOff: true,
		Low: 0, High: 5, Step: 0.05, Scale: spec.Linear,
	}, tokens("negative_prompt_ids", "Other prompt", "The prompt to move away from. Empty: the last token of the text's own.")},
	New: func(a spec.Args) (Processor, error) {
		list := a.Seq["negative_prompt_ids"]
		if len(list) > 1 {
			return nil, fmt.Errorf("negative_prompt_ids: %d entries, want one", len(list))
		}
		return guidance{scale: a.Get("guidance_scale"), prompt: flatten(list)}, nil
	},
}

// Guided is a processor that asks Context.Without, if asks, for this prompt.
type Guided interface {
	OtherPrompt() (prompt []int, asks bool)
}

// guidance compares the row's log-probabilities with those of the model after
// another prompt, in float32 as transformers does. A removed token stays
// removed. Where the other row gives a token no chance, the score is the limit:
// the largest float32 above scale 1, the smallest below it. A row that is no
// distribution, or without another row, stays as it is.
type guidance struct {
	scale  float64
	prompt []int
}

// OtherPrompt implements Guided.
func (g guidance) OtherPrompt() (prompt []int, asks bool) { return g.prompt, g.scale != 1 }

func (g guidance) Process(c Context, scores []float32) {
	if g.scale == 1 || c.Without == nil {
		return
	}
	other := c.Without(g.prompt)
	if _, ok := peak(scores); !ok || len(other) != len(scores) {
		return
	}
	if _, ok := peak(other); !ok {
		return
	}
	s := borrow()
	defer s.release()
	s.probs = LogSoftmax(s.probs, other)
	LogSoftmax(scores, scores)
	scale := float32(g.scale)
	for i, u := range s.probs {
		switch {
		case removed(scores[i]):
		case removed(u):
			scores[i] = finite((scale - 1) * -gone)
		default:
			scores[i] = finite(float32(scale*(scores[i]-u)) + u)
		}
	}
}

func (g guidance) checkVocab(vocab int) error {
	return checkTokens("negative_prompt_ids", g.prompt, vocab)
}
