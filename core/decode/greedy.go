package decode

import "decodingplayground/core/spec"

// greedy takes the likeliest token; ties: the lower id. Where every token is
// removed it takes id 0, as HF's argmax does.
type greedy struct{}

var greedyKind = Kind{spec.Kind[Strategy]{
	Name: "greedy", Label: "Greedy", Group: "Single",
	Doc:     "Takes the likeliest token at each step.",
	Formula: "t = argmax p",
	Source:  "transformers GenerationMixin._sample with do_sample=False",
	New:     func(spec.Args) (Strategy, error) { return greedy{}, nil },
}}

func (greedy) Traits() Traits { return Traits{} }

func (greedy) Step(env *Env, f Frontier) (Frontier, error) {
	h := f.Live[0]
	s, err := env.scoreOf(h, extra{})
	if err != nil {
		return Frontier{}, err
	}
	return f.next(env.child(h, s.take(s.best(), -1))), nil
}
