package decode

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"decodingplayground/core/logits"
	"decodingplayground/core/spec"
)

// contrastive search (Su et al. 2022) looks at the top_k likeliest tokens after
// the pipeline and takes the one with the best
//
//	(1 - penalty_alpha) * probability - penalty_alpha * max cosine
//
// where the cosine is that of the token's final hidden state with those of all
// earlier tokens, prompt included. Probabilities are of the whole vocabulary.
// Ties: the likelier token. All candidates are read in one pass.
type contrastive struct {
	alpha float64
	topK  int
}

var contrastiveKind = Kind{spec.Kind[Strategy]{
	Name: "contrastive", Label: "Contrastive search", Group: "Single",
	Doc:     "Of the top_k likeliest tokens, takes the one that is likely and least like what was said before.",
	Formula: "t = argmax (1 − α) · pₜ − α · maxᵢ cos(hₜ, hᵢ)",
	Source:  "Su et al. 2022; transformers 4.46 GenerationMixin._contrastive_search",
	Params: []spec.Param{
		{
			Name: "penalty_alpha", Label: "Penalty", Type: spec.Number, Default: 0.6, Max: 1, High: 1, Step: 0.01,
			Off: 0, HasOff: true, Doc: "Weight of likeness to earlier states against probability; 0 is greedy.",
		},
		{
			Name: "top_k", Label: "Candidates", Type: spec.Integer, Default: 4, Min: 1, Max: 64, Low: 1, High: 16, Step: 1,
			Doc: "Likeliest tokens looked at.",
		},
	},
	New: func(a spec.Args) (Strategy, error) { return contrastive{a.Get("penalty_alpha"), a.Int("top_k")}, nil },
}}

func (contrastive) Traits() Traits { return Traits{Peeks: true} }

func (c contrastive) Step(env *Env, f Frontier) (Frontier, error) {
	h := f.Live[0]
	s, err := env.scoreOf(h, extra{})
	if err != nil {
		return Frontier{}, err
	}
	ids := logits.Top(nil, s.scores, c.topK)
	if len(ids) == 0 {
		ids = []int{argmax(s.scores)}
	}
	more := make([][]int, len(ids))
	for i, id := range ids {
		more[i] = []int{id}
	}
	out, err := env.after(h, more...)
	if err != nil {
		return Frontier{}, err
	}
	notes := make([]Candidate, len(ids))
	for i, id := range ids {
		// What h had not read was read with every candidate.
		n := len(out[i].Hidden) - 1
		penalty := likeness(out[i].Hidden[n], slices.Concat(h.states(), out[i].Hidden[:n]))
		p := s.prob(id)
		notes[i] = Candidate{
			Parent: h, ID: id, Prob: s.row.prob(id), Penalty: penalty,
			Score: float64((1-c.alpha)*p) - float64(c.alpha*penalty),
			State: Pruned, Reason: fmt.Sprintf("degeneration penalty %.4g", penalty),
		}
	}
	best := 0
	for i := range notes {
		if notes[i].Score > notes[best].Score {
			best = i
		}
	}
	child := env.child(h, s.take(place(s.scores, ids[best]), -1))
	child.Past, child.Hidden = out[best].Past, out[best].Hidden
	if layers := out[best].Layers; len(layers) > 0 {
		child.Layers = layers[len(layers)-1]
	}
	notes[best].State, notes[best].Child = Live, child
	slices.SortStableFunc(notes, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	for i := range notes {
		notes[i].Place = i + 1
	}
	return f.next(child, notes...), nil
}

// likeness is the largest cosine of a state with earlier ones; a zero vector is
// like nothing.
func likeness(state []float32, earlier [][]float32) float64 {
	most := math.Inf(-1)
	for _, e := range earlier {
		norm := math.Sqrt(dot(state, state)) * math.Sqrt(dot(e, e))
		if norm == 0 {
			most = max(most, 0)
			continue
		}
		most = max(most, dot(state, e)/norm)
	}
	return most
}

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(float64(a[i]) * float64(b[i]))
	}
	return sum
}
