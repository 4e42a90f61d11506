package logits

import "decodingplayground/core/spec"

var minPKind = spec.Kind[Processor]{
	Name: "min_p", Label: "Min-p", Letter: "m", Group: "Cut",
	Doc:     "Cuts tokens below this part of the top token's share.",
	Formula: "K = {t : pₜ ≥ m · max p}",
	Source:  "Nguyen et al. 2024, arXiv:2407.01082; transformers MinPLogitsWarper",
	Warper:  true,
	Params: []spec.Param{{
		Name: "min_p", Label: "Min-p", Type: spec.Number,
		Doc:     "The part of the top token's share that a token needs to stay. 0 is off.",
		Default: 0, Min: 0, Max: 1, Off: 0, HasOff: true,
		Low: 0, High: 1, Step: 0.001, Scale: spec.Linear,
	}, minTokensToKeep},
	New: func(a spec.Args) (Processor, error) {
		return minP{p: a.Get("min_p"), keep: a.Int("min_tokens_to_keep")}, nil
	},
}

// minP removes tokens whose probability is strictly below p times the largest,
// compared in float32; tokens equal to that stay. Of the min_tokens_to_keep
// that stay whatever their share, ties are settled by lower id.
type minP struct {
	p    float64
	keep int
}

func (m minP) Process(c Context, scores []float32) {
	if m.p == 0 {
		return
	}
	s := c.borrow()
	defer s.release()
	if !s.softmax(c, scores) {
		return
	}
	var top float32
	for _, p := range s.probs {
		top = max(top, p)
	}
	floor := float32(m.p) * top
	for i, p := range s.probs {
		if p < floor {
			s.remove(scores, i)
		}
	}
	s.order = Top(s.order, s.scores, keepOf(m.keep, c))
	for _, i := range s.order {
		scores[s.left[i]] = s.scores[i]
	}
}
