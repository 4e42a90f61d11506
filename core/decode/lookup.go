package decode

import (
	"slices"

	"decodingplayground/core/spec"
)

// lookup proposes the tokens that followed the last n tokens where they stood
// before: the longest n-gram first, its earliest place, cut before EOS. The text
// is that of greedy search (or, with do_sample, of sampling) in fewer passes.
type lookup struct {
	tokens, ngram int
	sample        bool
}

var lookupKind = Kind{spec.Kind[Strategy]{
	Name: "prompt_lookup", Label: "Prompt lookup", Group: "Faster",
	Doc:     "Copies what followed the last words where they stood before, and lets the model check it in one pass.",
	Formula: "g = argmax p ⇒ t = g",
	Source:  "transformers PromptLookupCandidateGenerator",
	Params: []spec.Param{
		{
			Name: "prompt_lookup_num_tokens", Label: "Proposals", Type: spec.Integer, Default: 5, Min: 1, Max: 32, Low: 1, High: 16, Step: 1,
			Doc: "Tokens proposed in a round, at most.",
		},
		{
			Name: "max_matching_ngram_size", Label: "Longest n-gram", Type: spec.Integer, Default: 2, Min: 1, Max: 16, Low: 1, High: 8, Step: 1,
			Doc: "Last tokens that must have stood before, at most.",
		},
		sampleParam,
	},
	New: func(a spec.Args) (Strategy, error) {
		return lookup{a.Int("prompt_lookup_num_tokens"), a.Int("max_matching_ngram_size"), a.Get("do_sample") == 1}, nil
	},
}}

func (l lookup) Traits() Traits { return Traits{Ahead: true, Samples: l.sample} }

func (l lookup) Step(env *Env, f Frontier) (Frontier, error) {
	h := f.Live[0]
	var proposals []proposal
	for _, id := range l.find(h.Sequence(), env.room(h), env.set.EOS) {
		proposals = append(proposals, proposal{id: id})
	}
	return speculate(env, f, proposals, l.sample, nil)
}

// room is how many tokens may be proposed after h so that one more still fits.
func (e *Env) room(h *Hypothesis) int {
	limit, _ := e.limit()
	return max(0, limit-h.length-1)
}

func (l lookup) find(ids []int, room int, eos []int) []int {
	for n := min(l.ngram, len(ids)-1); n >= 1; n-- {
		last := ids[len(ids)-n:]
		for i := 0; i+n < len(ids); i++ {
			if !slices.Equal(ids[i:i+n], last) {
				continue
			}
			found := ids[i+n : min(i+n+l.tokens, len(ids))]
			if end := slices.IndexFunc(found, func(id int) bool { return slices.Contains(eos, id) }); end >= 0 {
				found = found[:end]
			}
			return found[:min(len(found), room)]
		}
	}
	return nil
}
