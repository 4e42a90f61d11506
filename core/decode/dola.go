package decode

import (
	"errors"
	"fmt"
	"math"

	"decodingplayground/core/fmath"
	"decodingplayground/core/logits"
	"decodingplayground/core/spec"
)

// dola (Chuang et al. 2023) contrasts the final layer with an earlier one that
// goes through the same head, without the final layer norm. Tokens with at
// least a tenth of the top probability stay, with the score log p - log p_early;
// of several early layers the one whose distribution differs most from the
// final one (Jensen-Shannon) is taken. The pipeline acts on these scores, and
// the best token is taken; ties: the lower id.
type dola struct {
	layers string // low, high or list
	list   []int
}

var dolaChoices = []string{"low", "high", "list"}

var dolaKind = Kind{spec.Kind[Strategy]{
	Name: "dola", Label: "DoLa", Group: "Single",
	Doc:     "Prefers tokens that became likelier from an early layer to the last.",
	Formula: "t = argmax log pₜ − log p′ₜ, pₜ ≥ 0.1 · max p",
	Source:  "Chuang et al. 2023; transformers 4.46 GenerationMixin._dola_decoding",
	Params: []spec.Param{
		{
			Name: "dola_layers", Label: "Early layers", Type: spec.Choice, Max: 2, High: 2, Step: 1, Choices: dolaChoices,
			Doc: "Which layers to contrast with: every other one of the lower or of the upper half, or those listed.",
		},
		{
			Name: "dola_layer_list", Label: "Layer numbers", Type: spec.Sequences, Plain: true,
			Doc: "Layers for the choice list, as one list of numbers; 0 is the embedding.",
		},
	},
	New: func(a spec.Args) (Strategy, error) {
		d := dola{layers: dolaChoices[a.Int("dola_layers")]}
		for _, s := range a.Seq["dola_layer_list"] {
			d.list = append(d.list, s.IDs...)
		}
		if d.layers == "list" && len(d.list) == 0 {
			return nil, errors.New("dola_layer_list: empty, want at least one layer")
		}
		return d, nil
	},
}}

func (d dola) Traits() Traits {
	t := Traits{Layers: true}
	if d.layers != "list" {
		t.Ignores = map[string]string{"dola_layer_list": "the layers are " + d.layers + ", not those of a list"}
	}
	return t
}

func (d dola) Step(env *Env, f Frontier) (Frontier, error) {
	h := f.Live[0]
	rows, err := env.rows(h)
	if err != nil {
		return Frontier{}, err
	}
	states, err := env.lastLayers(h)
	if err != nil {
		return Frontier{}, err
	}
	early, err := d.pick(env, states)
	if err != nil {
		return Frontier{}, err
	}
	var hidden [][]float32
	for _, layer := range early {
		hidden = append(hidden, states[layer])
	}
	final := rows[0].logSoftmax()
	var base []float32
	most, layer := math.Inf(-1), 0
	for i, scores := range env.model.Head(hidden...) {
		candidate := logits.LogSoftmax(nil, scores)
		if js := divergence(final, candidate); js > most || base == nil {
			most, layer, base = js, early[i], candidate
		}
	}
	contrast := logits.Stage{Name: "dola", Processor: stage(func(scores []float32) {
		floor := final[logits.Best(final)] + float32(fmath.Log(0.1))
		for id := range scores {
			scores[id] = final[id] - base[id]
			if final[id] < floor {
				scores[id] = float32(math.Inf(-1))
			}
		}
	})}
	s := env.score(h, h.Sequence(), rows[0], rows[0].logits, extra{before: logits.Pipeline{contrast}})
	child := env.child(h, s.take(s.best(), -1))
	return f.next(child, Candidate{
		Parent: h, Child: child, ID: child.IDs[0], Prob: child.Taken[0].ModelProb, Score: float64(s.scores[child.IDs[0]]),
		Place: 1, State: Live, Reason: fmt.Sprintf("contrasted with layer %d", layer),
	}), nil
}

// pick is the early layers to look at, of n: the embedding and the output of
// every block but the last.
func (d dola) pick(env *Env, states [][]float32) ([]int, error) {
	n := len(states)
	first := 0
	if !env.model.Info().Untied {
		first = min(2, n-1) // with tied weights the embedding's own tokens win there
	}
	var list []int
	switch d.layers {
	case "low":
		list = everyOther(first, min(n/2, 20))
		if first == n/2 {
			list = []int{first}
		}
	case "high":
		list = everyOther(max(n/2, n-20), n)
	default:
		for _, layer := range d.list {
			if layer < n {
				list = append(list, layer)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("dola_layers: none of %q in a model of %d layers", d.layers, n)
	}
	return list, nil
}

func everyOther(from, to int) []int {
	var list []int
	for i := from; i < to; i += 2 {
		list = append(list, i)
	}
	return list
}

// divergence is the Jensen-Shannon divergence of two rows of log-probabilities,
// averaged over the vocabulary as HF does.
func divergence(a, b []float32) float64 {
	var sum float64
	for i := range a {
		p, q := float64(a[i]), float64(b[i])
		m := (fmath.Exp(p) + fmath.Exp(q)) / 2
		if m > 0 {
			log := fmath.Log(m)
			sum += float64(m*(log-p)) + float64(m*(log-q))
		}
	}
	return sum / 2 / float64(len(a))
}
