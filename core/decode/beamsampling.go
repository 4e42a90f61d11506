package decode

import (
	"slices"

	"decodingplayground/core/fmath"
	"decodingplayground/core/spec"
)

// beamSampling is beam search whose candidates are drawn, without putting
// back, by the softmax of the summed scores of all continuations of all beams.
// The pipeline, warpers included, acts on a token's log-probability before the
// sum is added. The first draw of a step throws the die, the others go on with
// its stream.
type beamSampling struct {
	beam
	choose func(live []*Hypothesis, all []candidate, n int) []candidate // nil: by the die
}

var beamSamplingKind = Kind{spec.Kind[Strategy]{
	Name: "beam_sampling", Label: "Beam sampling", Group: "Several",
	Doc:     "Beam search that draws its candidates instead of taking the best.",
	Formula: "x ~ softmax(Σ log p)",
	Source:  "transformers GenerationMixin._beam_search with do_sample=True",
	Params:  append(beamParams(4, 1), rulesParam),
	New: func(a spec.Args) (Strategy, error) {
		b, err := newBeam(a)
		return beamSampling{beam: b}, err
	},
}}

func (b beamSampling) Traits() Traits {
	t := b.beam.Traits()
	t.Samples = true
	if b.beams == 1 {
		const why = "one beam is plain sampling"
		t.Ignores = map[string]string{"length_penalty": why, "early_stopping": why, "rules": why}
	}
	return t
}

func (b beamSampling) Step(env *Env, f Frontier) (Frontier, error) {
	if b.beams == 1 {
		return sampling{}.Step(env, f)
	}
	runs, err := env.runs(f.Live, extra{})
	if err != nil {
		return Frontier{}, err
	}
	all := kept(runs)
	if len(all) == 0 {
		return Frontier{}, errNothingLeft
	}
	n := min(b.width(env, b.beams), len(all))
	var cands []candidate
	if b.choose != nil {
		cands = b.choose(f.Live, all, n)
	} else {
		cands = chooseByDie(all, n, env.stream(f.Live[0].length-env.promptLen))
	}
	slices.SortStableFunc(cands, byScore)
	return b.settle(env, f, cands), nil
}

// kept is every continuation that is not removed, best first.
func kept(runs []run) []candidate {
	var all []candidate
	for _, r := range runs {
		for _, d := range strip(r.s.scores) {
			all = append(all, candidate{r, d, r.h.Score + float64(r.s.scores[d.id])})
		}
	}
	slices.SortStableFunc(all, byScore)
	return all
}

// chooseByDie draws n of all, which are sorted best first: each throw walks
// what is left from the likeliest down.
func chooseByDie(all []candidate, n int, throw func() float64) []candidate {
	weights := make([]float64, len(all))
	left := 0.0
	for i, c := range all {
		weights[i] = fmath.Exp(c.score - all[0].score)
		left += weights[i]
	}
	var chosen []candidate
	for range n {
		at, end, die := -1, 0.0, float64(throw()*left)
		for i, w := range weights {
			if w == 0 {
				continue
			}
			at, end = i, end+w
			if die < end {
				break
			}
		}
		if at < 0 {
			break
		}
		chosen = append(chosen, all[at])
		left -= weights[at]
		weights[at] = 0
	}
	return chosen
}
