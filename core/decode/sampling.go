package decode

import (
	"errors"

	"decodingplayground/core/spec"
)

// sampling draws a token by its probability after the pipeline.
type sampling struct{}

var samplingKind = Kind{spec.Kind[Strategy]{
	Name: "sampling", Label: "Sampling", Group: "Single",
	Doc:     "Draws each token by its probability after the pipeline, with the die of the step.",
	Formula: "t = min{n : u < p₍₁₎ + … + p₍ₙ₎}, p₍₁₎ ≥ p₍₂₎ ≥ …",
	Source:  "transformers GenerationMixin._sample with do_sample=True",
	New:     func(spec.Args) (Strategy, error) { return sampling{}, nil },
}}

func (sampling) Traits() Traits { return Traits{Samples: true} }

var errNothingLeft = errors.New("every token is removed: nothing to draw from")

func (sampling) Step(env *Env, f Frontier) (Frontier, error) {
	h := f.Live[0]
	s, err := env.scoreOf(h, extra{})
	if err != nil {
		return Frontier{}, err
	}
	die := env.throw(h.length - env.promptLen)
	d, ok := draw(s.scores, s.lse, die)
	if !ok {
		return Frontier{}, errNothingLeft
	}
	return f.next(env.child(h, s.take(d, die))), nil
}
