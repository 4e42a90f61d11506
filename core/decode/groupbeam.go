package decode

import (
	"fmt"
	"slices"

	"decodingplayground/core/logits"
	"decodingplayground/core/spec"
)

// groupBeam is diverse beam search (Vijayakumar et al. 2016) by the rules of
// transformers 4.46, the last version that has it. The groups choose in turn;
// each token that earlier groups chose in this step costs a later group
// diversity_penalty, once for each time it was chosen, and that stays in the
// scores. A group that is over counts as choosing EOS with all its beams.
type groupBeam struct {
	beam
	groups    int
	diversity float64
}

// group is the Memo of a text: which group it belongs to.
type group int

var groupBeamKind = Kind{spec.Kind[Strategy]{
	Name: "group_beam", Label: "Diverse beam search", Group: "Several",
	Doc:     "Beam search in groups, each of which is charged for tokens that earlier groups chose at the same step.",
	Formula: "max (Σ (log pₜ − λ · nₜ)) / n^α",
	Source:  "Vijayakumar et al. 2016; transformers 4.46 GenerationMixin._group_beam_search",
	Params: append(beamParams(4, 1),
		spec.Param{
			Name: "num_beam_groups", Label: "Groups", Type: spec.Integer, Default: 2, Min: 2, Max: 16, Low: 2, High: 8, Step: 1,
			Doc: "Groups of beams; num_beams must be a multiple.",
		},
		spec.Param{
			Name: "diversity_penalty", Label: "Diversity penalty", Type: spec.Number, Default: 0.5, Min: 0, Max: 100, High: 5, Step: 0.1,
			Off: 0, HasOff: true, Doc: "Taken off a token's log-probability for each time an earlier group chose it at this step.",
		},
	),
	New: func(a spec.Args) (Strategy, error) {
		b, err := newBeam(a)
		if err != nil {
			return nil, err
		}
		g := groupBeam{b, a.Int("num_beam_groups"), a.Get("diversity_penalty")}
		if b.beams%g.groups != 0 {
			return nil, fmt.Errorf("num_beam_groups: %d, want a divisor of num_beams, %d", g.groups, b.beams)
		}
		return g, nil
	},
}}

func (b groupBeam) Traits() Traits { return Traits{Beams: true, Returns: b.returns} }

func (b groupBeam) Step(env *Env, f Frontier) (Frontier, error) {
	size := b.beams / b.groups
	next := Frontier{Step: f.Step + 1, Cost: f.Cost}
	var chosen []int // tokens of earlier groups in this step
	over := ""
	for g := range b.groups {
		live := b.members(f, group(g))
		if len(live) == 0 {
			// A group that is over emits EOS (HF's pad) with each of its beams.
			next.Done = append(next.Done, doneOf(f, group(g))...)
			chosen = append(chosen, slices.Repeat([]int{env.pad()}, size)...)
			continue
		}
		runs, err := env.runs(live, b.charge(chosen))
		if err != nil {
			return Frontier{}, err
		}
		cands := best(runs, b.width(env, size))
		goOn, done, why := b.settle446(env, &next, doneOf(f, group(g)), size, cands, group(g))
		for _, h := range goOn {
			chosen = append(chosen, h.IDs[0])
		}
		goOn, done = b.end446(env, &next, goOn, done, size, why)
		if why != "" {
			over = why
			next.end(goOn, why)
			goOn = nil
		}
		next.Live = append(next.Live, goOn...)
		next.Done = append(next.Done, done...)
	}
	slices.SortStableFunc(next.Done, byFinal)
	if len(next.Live) == 0 {
		next.Stop = searchStop(env, next, over)
	}
	return next, nil
}

// members are the live texts of a group. Texts that belong to no group, as at
// the prompt or after another strategy, start all groups: the best of them.
func (b groupBeam) members(f Frontier, g group) []*Hypothesis {
	var list []*Hypothesis
	for _, h := range f.Live {
		if of, ok := h.Memo.(group); !ok {
			return f.Live[:1]
		} else if of == g {
			list = append(list, h)
		}
	}
	return list
}

func doneOf(f Frontier, g group) []*Hypothesis {
	var list []*Hypothesis
	for _, h := range f.Done {
		if h.Memo == g {
			list = append(list, h)
		}
	}
	return list
}

// charge is the stage that takes the diversity penalty off.
func (b groupBeam) charge(chosen []int) extra {
	if len(chosen) == 0 || b.diversity == 0 {
		return extra{}
	}
	return extra{guided: logits.Pipeline{{Name: "diversity_penalty", Processor: stage(func(scores []float32) {
		times := map[int]int{}
		for _, id := range chosen {
			times[id]++
		}
		for id, n := range times {
			scores[id] -= float32(b.diversity * float64(n))
		}
	})}}}
}

// pad is the token that HF fills up finished texts with.
func (e *Env) pad() int {
	if len(e.set.EOS) > 0 {
		return e.set.EOS[0]
	}
	return 0
}

// end takes texts out that a group leaves behind when it is over.
func (f *Frontier) end(live []*Hypothesis, why string) {
	for _, h := range live {
		f.pruneChild(h, "its group is over: %s", why)
	}
}
