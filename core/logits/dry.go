package logits

import (
	"slices"

	"decodingplayground/core/fmath"
	"decodingplayground/core/spec"
)

var dryKind = spec.Kind[Processor]{
	Name: "dry", Label: "DRY", Letter: "d", Group: "Repeat",
	Doc:     "The longer a run of tokens that would come again, the less likely its next token.",
	Formula: "sₜ ← sₜ − m · b^(n − f), n = max{k : x₋ₖ … x₋₁ t ⊂ x} ≥ f",
	Source:  "p-e-w 2024, oobabooga/text-generation-webui#5677; llama.cpp dry",
	Params: []spec.Param{{
		Name: "dry_multiplier", Label: "Strength", Type: spec.Number,
		Doc:     "What the shortest run costs. 0 is off.",
		Default: 0, Min: 0, Max: 100, Off: 0, HasOff: true,
		Low: 0, High: 2, Step: 0.05, Scale: spec.Linear,
	}, {
		Name: "dry_base", Label: "Growth", Type: spec.Number,
		Doc:     "How many times more each further token costs.",
		Default: 1.75, Min: 1, Max: 10, Low: 1, High: 4, Step: 0.05, Scale: spec.Linear,
	}, {
		Name: "dry_allowed_length", Label: "Free length", Type: spec.Integer,
		Doc:     "Runs shorter than this cost nothing.",
		Default: 2, Min: 1, Max: 1000, Low: 1, High: 10, Step: 1, Scale: spec.Linear,
	}, {
		Name: "dry_penalty_last_n", Label: "Looks back", Type: spec.Integer,
		Doc:     "How many of the last tokens count. -1 is all, 0 none.",
		Default: -1, Min: -1, Max: 1e6, Low: -1, High: 1024, Step: 1, Scale: spec.Linear,
	}, tokens("dry_sequence_breakers", "Breakers", "Tokens that a run does not reach across.")},
	New: func(a spec.Args) (Processor, error) {
		return dry{
			multiplier: a.Get("dry_multiplier"), base: a.Get("dry_base"),
			allowed: a.Int("dry_allowed_length"), window: window(a.Int("dry_penalty_last_n")),
			breakers: a.Seq["dry_sequence_breakers"],
		}, nil
	},
}

// dry looks for earlier places where the end of the text stood already. The
// token that followed there would make the run one longer; for a run of n >=
// allowed tokens its score loses multiplier * base**(n-allowed), n the longest
// such run. A run does not reach back past the last breaker, and a breaker of
// one token is never penalised. Breakers are token ids here, texts in llama.cpp.
type dry struct {
	multiplier, base float64
	allowed          int
	window           window
	breakers         []spec.Sequence
}

func (d dry) Process(c Context, scores []float32) {
	ids := d.window.of(c.IDs)
	if d.multiplier == 0 || len(ids) <= d.allowed {
		return
	}
	limit := d.sinceBreaker(ids)
	if limit < d.allowed {
		return
	}
	longest := map[int]int{}
	for end := 1; end < len(ids); end++ {
		if n := sharedEnd(ids[:end], ids, limit); n >= d.allowed {
			longest[ids[end]] = max(longest[ids[end]], n)
		}
	}
	for id, n := range longest {
		if !d.breaks(id) {
			add(scores, id, -d.penalty(n-d.allowed))
		}
	}
}

// penalty keeps the exponent where base**exponent is a float32.
func (d dry) penalty(exponent int) float32 {
	const logMaxFloat32 = 88.7228391
	if d.base > 1.000001 {
		exponent = min(exponent, int(logMaxFloat32/fmath.Log(d.base)))
	}
	return finite(float32(d.multiplier * power(d.base, exponent)))
}

// sharedEnd is how many tokens a and b have in common at their ends, at most
// limit.
func sharedEnd(a, b []int, limit int) int {
	n := 0
	for n < limit && n < len(a) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// sinceBreaker is how many tokens come after the last breaker, all where there
// is none.
func (d dry) sinceBreaker(ids []int) int {
	for start := range slices.Backward(ids) {
		length := 0
		for _, b := range d.breakers {
			if n := len(b.IDs); start+n <= len(ids) && slices.Equal(ids[start:start+n], b.IDs) {
				length = max(length, n)
			}
		}
		if length > 0 {
			return len(ids) - start - length
		}
	}
	return len(ids)
}

func (d dry) breaks(id int) bool {
	return slices.ContainsFunc(d.breakers, func(b spec.Sequence) bool { return len(b.IDs) == 1 && b.IDs[0] == id })
}

func (d dry) checkVocab(vocab int) error {
	return checkTokens("dry_sequence_breakers", flatten(d.breakers), vocab)
}
