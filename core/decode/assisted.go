package decode

import (
	"fmt"
	"slices"

	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
	"decodingplayground/core/spec"
)

// assisted lets a draft model propose num_assistant_tokens tokens a round, by
// its own distribution after the same pipeline. Greedy, the text is that of
// greedy search. With do_sample a proposal is accepted with probability
// min(1, p/q), and after a rejection the token is drawn from max(p - q, 0)
// (Leviathan et al. 2023), so that the text is distributed as in sampling.
type assisted struct {
	tokens int
	sample bool
}

var assistedKind = Kind{spec.Kind[Strategy]{
	Name: "assisted", Label: "Draft model", Group: "Faster",
	Doc:     "A small model proposes some tokens, and the model checks them in one pass.",
	Formula: "u < min(1, p(g) / q(g)) ⇒ t = g, u ≥ … ⇒ t ~ max(p − q, 0)",
	Source:  "Leviathan et al. 2023; transformers AssistedCandidateGenerator",
	Params: []spec.Param{
		{
			Name: "num_assistant_tokens", Label: "Proposals", Type: spec.Integer, Default: 5, Min: 1, Max: 32, Low: 1, High: 16, Step: 1,
			Doc: "Tokens proposed in a round, at most.",
		},
		sampleParam,
	},
	New: func(a spec.Args) (Strategy, error) {
		return assisted{a.Int("num_assistant_tokens"), a.Get("do_sample") == 1}, nil
	},
}}

func (a assisted) Traits() Traits { return Traits{Ahead: true, Draft: true, Samples: a.sample} }

// drafted is the Memo of a text: what the draft model has read of it.
type drafted struct{ past lm.Past }

func (a assisted) Step(env *Env, f Frontier) (Frontier, error) {
	proposals, pasts, err := a.propose(env, f.Live[0])
	if err != nil {
		return Frontier{}, err
	}
	return speculate(env, f, proposals, a.sample, func(accepted int) any {
		if len(pasts) == 0 {
			return nil
		}
		return drafted{pasts[min(accepted, len(pasts)-1)]}
	})
}

// propose lets the draft model write on. pasts[i] is what it had read when it
// had written i tokens.
func (a assisted) propose(env *Env, h *Hypothesis) ([]proposal, []lm.Past, error) {
	text := h.Sequence()
	var past lm.Past
	if m, ok := h.Memo.(drafted); ok {
		past = m.past
	}
	var list []proposal
	var pasts []lm.Past
	for range min(a.tokens, env.room(h), env.draft.Info().Context-h.length+1) {
		out, err := env.readDraft(h, past, text)
		if err != nil {
			return nil, nil, fmt.Errorf("draft model: %w", err)
		}
		past = out.Past
		pasts = append(pasts, past)
		scores := env.draft.Head(out.Hidden[len(out.Hidden)-1])[0]
		env.pipeline.Apply(env.context(text), scores)
		p := proposal{id: argmax(scores)}
		if a.sample {
			coin := env.coins(len(text) - env.promptLen)
			coin()
			coin() // the first is the pipeline's, the second decides on acceptance
			d, ok := draw(scores, logits.LogSumExp(scores), coin())
			if !ok {
				return nil, nil, errNothingLeft
			}
			p = proposal{d.id, logits.Softmax[float64](nil, scores)}
		}
		list = append(list, p)
		text = append(text, p.id)
		if slices.Contains(env.set.EOS, p.id) {
			break
		}
	}
	return list, pasts, nil
}

// readDraft lets the draft model read the rest of a text that goes on from h.
func (e *Env) readDraft(h *Hypothesis, past lm.Past, text []int) (lm.Output, error) {
	if starter, ok := e.set.Draft.(lm.Starter); ok && len(text) == 0 {
		return starter.Start(), nil
	}
	from := 0
	if past != nil {
		from = past.Len()
	}
	out, err := e.forward(
		[]question{{draft: true, node: h, ids: fmt.Sprint(text[h.length:])}},
		[]lm.Input{{Past: past, IDs: text[from:]}})
	if err != nil {
		return lm.Output{}, err
	}
	return out[0], nil
}
