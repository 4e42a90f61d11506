package decode

import (
	"math"

	"decodingplayground/core/fmath"
	"decodingplayground/core/logits"
	"decodingplayground/core/spec"
)

// mirostat (Basu et al. 2021) holds the surprise of the drawn tokens near
// mirostat_tau bits. It remembers mu, at first 2 tau, cuts by it before each
// draw, and moves it by mirostat_eta times the error of the token drawn.
//
// Version 1 estimates the exponent s of a Zipf distribution from the 100
// likeliest tokens and keeps the k likeliest, k = (e 2^mu / (1 - N^-e))^(1/s)
// with e = s - 1 and N the vocabulary; version 2 removes tokens with a surprise
// above mu. The likeliest token always stays; of equal ones the lower ids.
type mirostat struct {
	tau, eta float64
	cut      func(mu float64) stage
	name     string
}

func mirostatParams() []spec.Param {
	return []spec.Param{
		{
			Name: "mirostat_tau", Label: "Target surprise", Type: spec.Number, Default: 5, Max: 100, High: 10, Step: 0.1,
			Doc: "The surprise in bits that drawn tokens should have on average.",
		},
		{
			Name: "mirostat_eta", Label: "Learning rate", Type: spec.Number, Default: 0.1, Max: 1, High: 1, Step: 0.01,
			Off: 0, HasOff: true, Doc: "How strongly the error of a token moves the cut of the next.",
		},
	}
}

var mirostatKind = Kind{spec.Kind[Strategy]{
	Name: "mirostat", Label: "Mirostat 1", Group: "Single",
	Doc:     "Samples while steering the mean surprise to a target, with a top-k cut estimated by Zipf's law.",
	Formula: "k = (e · 2^μ / (1 − N^−e))^(1/s), e = s − 1, μ ← μ − η · (−log₂ pₜ − τ)",
	Source:  "Basu et al. 2021; llama.cpp llama_sampler_init_mirostat",
	Params:  mirostatParams(),
	New: func(a spec.Args) (Strategy, error) {
		return mirostat{a.Get("mirostat_tau"), a.Get("mirostat_eta"), zipfCut, "mirostat"}, nil
	},
}}

var mirostatV2Kind = Kind{spec.Kind[Strategy]{
	Name: "mirostat_v2", Label: "Mirostat 2", Group: "Single",
	Doc:     "Samples while steering the mean surprise to a target, by cutting tokens that are too surprising.",
	Formula: "K = {t : −log₂ pₜ ≤ μ}, μ ← μ − η · (−log₂ pₜ − τ)",
	Source:  "Basu et al. 2021; llama.cpp llama_sampler_init_mirostat_v2",
	Params:  mirostatParams(),
	New: func(a spec.Args) (Strategy, error) {
		return mirostat{a.Get("mirostat_tau"), a.Get("mirostat_eta"), surpriseCut, "mirostat_v2"}, nil
	},
}}

func (mirostat) Traits() Traits { return Traits{Samples: true} }

// mu is the Memo of a text.
type mu float64

func (m mirostat) mu(h *Hypothesis) float64 {
	if v, ok := h.Memo.(mu); ok {
		return float64(v)
	}
	return 2 * m.tau
}

func (m mirostat) Step(env *Env, f Frontier) (Frontier, error) {
	h := f.Live[0]
	cut := logits.Stage{Name: m.name, Warper: true, Cut: true, Processor: m.cut(m.mu(h))}
	s, err := env.scoreOf(h, extra{after: logits.Pipeline{cut}})
	if err != nil {
		return Frontier{}, err
	}
	die := env.throw(h.length - env.promptLen)
	d, ok := draw(s.scores, s.lse, die)
	if !ok {
		return Frontier{}, errNothingLeft
	}
	child := env.child(h, s.take(d, die))
	child.Memo = m.moved(h, child.Taken[0].Prob)
	return f.next(child), nil
}

// moved is mu after a token with this probability among those that were kept.
func (m mirostat) moved(h *Hypothesis, p float64) mu {
	return mu(m.mu(h) - float64(m.eta*(-fmath.Log(p)/math.Ln2-m.tau)))
}

// remember implements rememberer. A token that the pipeline had removed has no
// probability to learn from.
func (m mirostat) remember(_ *Env, h *Hypothesis, t Taken) any {
	if t.Prob == 0 {
		return mu(m.mu(h))
	}
	return m.moved(h, t.Prob)
}

func surpriseCut(mu float64) stage {
	return func(scores []float32) {
		lse := logits.LogSumExp(scores)
		best := logits.Best(scores)
		for id, s := range scores {
			if id != best && (lse-float64(s))/math.Ln2 > mu {
				scores[id] = float32(math.Inf(-1))
			}
		}
	}
}

func zipfCut(mu float64) stage {
	return func(scores []float32) {
		const looked = 100
		lse := logits.LogSumExp(scores)
		k := zipfK(scores, lse, logits.Top(nil, scores, looked), mu)
		keep := map[int]bool{}
		for _, id := range logits.Top(nil, scores, k) {
			keep[id] = true
		}
		for id := range scores {
			if !keep[id] {
				scores[id] = float32(math.Inf(-1))
			}
		}
	}
}

// zipfK is the k of version 1: 1 to the size of the vocabulary.
func zipfK(scores []float32, lse float64, top []int, mu float64) int {
	var tb, tt float64
	for i := range len(top) - 1 {
		t := fmath.Log(float64(i+2) / float64(i+1))
		b := float64(scores[top[i]]) - float64(scores[top[i+1]]) // log of the ratio of probabilities
		tb += float64(t * b)
		tt += float64(t * t)
	}
	n := float64(len(scores))
	if tt == 0 {
		return 1
	}
	s := tb / tt
	if s <= 0 {
		return len(scores) // a flat top: nothing to cut by
	}
	e := s - 1
	ratio := 1 / fmath.Log(n) // the limit at e = 0
	if math.Abs(e) > 1e-9 {
		ratio = e / (1 - fmath.Exp(-e*fmath.Log(n)))
	}
	k := fmath.Exp((fmath.Log(ratio) + float64(mu*math.Ln2)) / s)
	if !(k < n) {
		return len(scores)
	}
	return max(1, int(k))
}
