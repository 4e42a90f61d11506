package logits

import (
	"math"

	"decodingplayground/core/rows"
	"decodingplayground/core/spec"
)

var typicalPKind = spec.Kind[Processor]{
	Name: "typical_p", Label: "Typical-p", Letter: "t", Group: "Cut",
	Doc:     "Keeps the tokens whose surprise is nearest the average. The top token may be cut.",
	Formula: "K = {1 … n}, n = min{m : p₍₁₎ + … + p₍ₘ₎ ≥ P}, d₍₁₎ ≤ d₍₂₎ ≤ …, dₜ = |−log pₜ − H|",
	Source:  "Meister et al. 2023, arXiv:2202.00666; transformers TypicalLogitsWarper, llama.cpp typ-p",
	Warper:  true,
	Params: []spec.Param{{
		Name: "typical_p", Label: "Typical-p", Type: spec.Number,
		Doc:     "The share that the kept tokens reach together. 1 is off.",
		Default: 1, Min: 0, Max: 1, OpenMin: true, Off: 1, HasOff: true,
		Low: 0.05, High: 1, Step: 0.01, Scale: spec.Linear,
	}, {
		Name: "typical_rule", Label: "Rule", Type: spec.Choice,
		Doc:     "What happens at the border: transformers keeps tied tokens, llama.cpp wants the sum above p.",
		Default: 0, Min: 0, Max: 1, Low: 0, High: 1, Step: 1, Scale: spec.Linear,
		Choices: []string{"transformers", "llama.cpp"},
	}, minTokensToKeep},
	New: func(a spec.Args) (Processor, error) {
		return typicalP{p: a.Get("typical_p"), llama: a.Get("typical_rule") == 1, keep: a.Int("min_tokens_to_keep")}, nil
	},
}

// typicalP orders tokens by the distance of their surprise -log p from the
// entropy, nearest first, and keeps them up to and including the one with which
// their mass reaches p.
//
// transformers: reaches is sum >= p, and every token as near as the last one
// stays, too. llama.cpp: reaches is sum > p, and ties at the border are settled
// by lower id (there: as its sort leaves them). Distances are float32.
type typicalP struct {
	p     float64
	llama bool
	keep  int
}

func (t typicalP) Process(c Context, scores []float32) {
	if t.p == 1 {
		return
	}
	s := c.borrow()
	defer s.release()
	if !s.softmax(c, scores) {
		return
	}
	s.distanceKeys()
	want, keep := float32(t.p), keepOf(t.keep, c)
	reached := func(sum uint64) bool { return mass(sum) >= want }
	if t.llama {
		reached = func(sum uint64) bool { return mass(sum) > want }
	}
	key, sum, ok := s.boundary(s.keys, s.units, reached)
	if !ok {
		return
	}
	safe := s.lowest(s.keys, keep)
	for i, k := range s.keys {
		stays := k <= key
		if t.llama && k == key {
			stays = !reached(sum)
			sum += s.units[i]
		}
		if !safe.takeBelow(k) && !stays {
			s.remove(scores, i)
		}
	}
}

// distanceKeys fills keys with the order of |surprise - entropy|, in nats, of
// the row that softmax was called for.
func (s *scratch) distanceKeys() {
	h, lse := s.entropy(), s.logSumExp()
	s.keys, s.keyed = resize(s.keys, len(s.scores)), false
	for i, x := range s.scores {
		s.keys[i] = rows.Key(float32(math.Abs(lse - float64(x) - h)))
	}
}

// entropy is in nats, of the row that softmax was called for.
func (s *scratch) entropy() float64 {
	var h float64
	lse := s.logSumExp()
	for i, p := range s.probs {
		if p > 0 {
			h += float64(float64(p) * (lse - float64(s.scores[i])))
		}
	}
	return h
}
