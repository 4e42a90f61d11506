package logits

import (
	"slices"

	"decodingplayground/core/rows"
	"decodingplayground/core/spec"
)

var topPKind = spec.Kind[Processor]{
	Name: "top_p", Label: "Top-p", Letter: "p", Group: "Cut",
	Doc:     "Keeps the fewest tokens that together reach p. The token that crosses p stays.",
	Formula: "K = {1 … n}, n = min{m : p₍₁₎ + … + p₍ₘ₎ ≥ P}, p₍₁₎ ≥ p₍₂₎ ≥ …",
	Source:  "Holtzman et al. 2020, arXiv:1904.09751; transformers TopPLogitsWarper",
	Warper:  true,
	Params: []spec.Param{{
		Name: "top_p", Label: "Top-p", Type: spec.Number,
		Doc:     "The share that the kept tokens reach together. 1 is off.",
		Default: 1, Min: 0, Max: 1, Off: 1, HasOff: true,
		Low: 0, High: 1, Step: 0.0001, Scale: spec.Complement,
	}, minTokensToKeep},
	New: func(a spec.Args) (Processor, error) {
		return topP{p: a.Get("top_p"), keep: a.Int("min_tokens_to_keep")}, nil
	},
}

// topP keeps the smallest set of likeliest tokens whose mass is at least p. As
// in transformers the sum runs from the small end: tokens fall while the mass of
// what has fallen is at most 1-p, compared in float32. Of tied tokens the lower
// id falls first. p = 0 keeps one token.
type topP struct {
	p    float64
	keep int
}

func (t topP) Process(c Context, scores []float32) {
	if t.p == 1 {
		return
	}
	s := c.borrow()
	defer s.release()
	if !s.softmax(c, scores) {
		return
	}
	s.scoreKeys()
	fall := s.nucleus(t.p, keepOf(t.keep, c))
	floor := rows.OfKey(fall.key)
	rows.Cut(scores, floor)
	for id := 0; fall.ties > 0; id++ {
		if scores[id] == floor {
			scores[id] = gone
			fall.ties--
		}
	}
}

// nucleus is what falls of the row that softmax and scoreKeys were called for, when
// at least keep tokens have to stay.
func (s *scratch) nucleus(p float64, keep int) side {
	limit := float32(1 - p)
	key, sum, ok := s.boundary(s.keys, s.units, func(sum uint64) bool { return mass(sum) > limit })
	fall := side{key: key}
	if ok {
		tie := s.units[slices.Index(s.keys, key)]
		for ; mass(sum+tie) <= limit; sum += tie {
			fall.ties++
		}
	}
	if !ok || keep > 1 && len(s.keys)-fall.count(s.keys) < keep {
		return s.lowest(s.keys, len(s.keys)-keep)
	}
	return fall
}
