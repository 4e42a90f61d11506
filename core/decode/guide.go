package decode

import (
	"fmt"
	"slices"

	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
)

// shadow is a text beside a hypothesis: another prompt with the same generated
// tokens after it. Guidance compares the two.
type shadow struct {
	past   lm.Past
	hidden []float32 // after its last token
}

// otherPrompts are the prompts that the pipeline asks for, by a key.
func (e *Env) otherPrompts() map[string][]int {
	var prompts map[string][]int
	for _, stage := range e.pipeline {
		g, ok := stage.Processor.(logits.Guided)
		if !ok {
			continue
		}
		if prompt, asks := g.OtherPrompt(); asks {
			if prompts == nil {
				prompts = map[string][]int{}
			}
			prompts[fmt.Sprint(prompt)] = prompt
		}
	}
	return prompts
}

// guided is how many stages act up to the last guidance, 0 where there is none.
func (e *Env) guided() int {
	for i, stage := range slices.Backward(e.pipeline) {
		if _, ok := stage.Processor.(logits.Guided); ok {
			return i + 1
		}
	}
	return 0
}

// longer is by how many tokens the longest of them is longer than the text's own.
func (e *Env) longer() int {
	n := e.promptLen
	for _, prompt := range e.otherPrompts() {
		n = max(n, len(prompt))
	}
	return n - e.promptLen
}

// shadowOf names the shadow of a text by the key of its prompt.
type shadowOf struct {
	h   *Hypothesis
	key string
}

// unread is a shadow that is not known, and what to read for it: nothing where
// the text's own prompt is empty, too, and no token is generated.
type unread struct {
	shadowOf
	input lm.Input
}

// unread lists the shadows that these texts lack.
func (e *Env) unread(hs ...*Hypothesis) []unread {
	prompts := e.otherPrompts()
	var list []unread
	for _, key := range sortedKeys(prompts) {
		for _, h := range hs {
			if _, known := e.shadow(shadowOf{h, key}); !known {
				list = append(list, unread{shadowOf{h, key}, e.shadowInput(h, key, prompts[key])})
			}
		}
	}
	return list
}

// shadow is one that is known: it was read with its text, or asked for since.
func (e *Env) shadow(of shadowOf) (shadow, bool) {
	if s, known := of.h.shadows[of.key]; known {
		return s, true
	}
	s, known := e.memo.shadows[of]
	return s, known
}

// shadowInput reads on from the nearest text before h whose shadow is known.
func (e *Env) shadowInput(h *Hypothesis, key string, prompt []int) lm.Input {
	var ids []int
	for n := h; n.Parent != nil; n = n.Parent {
		ids = append(slices.Clone(n.IDs), ids...)
		if s, known := e.shadow(shadowOf{n.Parent, key}); known {
			return lm.Input{Past: s.past, IDs: ids}
		}
	}
	if len(prompt) == 0 {
		own := h.Sequence()[:e.promptLen]
		prompt = own[max(0, len(own)-1):]
	}
	return lm.Input{IDs: append(slices.Clone(prompt), ids...)}
}

// readShadows makes the shadows of these texts known, in one pass. It counts
// whether or not somebody has looked at this step before.
func (e *Env) readShadows(hs ...*Hypothesis) error {
	e.countShadows(hs)
	var open []unread
	var batch []lm.Input
	for _, u := range e.unread(hs...) {
		if len(u.input.IDs) == 0 {
			e.memo.shadows[u.shadowOf] = shadow{u.h.Past, u.h.Hidden[len(u.h.Hidden)-1]}
			continue
		}
		open, batch = append(open, u), append(batch, u.input)
	}
	if len(open) == 0 {
		return nil
	}
	out, err := e.model.Forward(batch...)
	if err != nil {
		return fmt.Errorf("negative_prompt_ids: %w", err)
	}
	for i, u := range open {
		e.memo.shadows[u.shadowOf] = shadowIn(out[i])
	}
	return nil
}

// countShadows counts a pass when a text came without a shadow that has
// something to read, once a step.
func (e *Env) countShadows(hs []*Hypothesis) {
	for key, prompt := range e.otherPrompts() {
		for _, h := range hs {
			if _, read := h.shadows[key]; !read && !e.shaded && h.length+len(prompt) > 0 {
				e.cost.Passes++
				e.shaded = true
			}
		}
	}
}

func shadowIn(out lm.Output) shadow { return shadow{out.Past, out.Hidden[len(out.Hidden)-1]} }

// without is Context.Without for the token after h.
func (e *Env) without(h *Hypothesis) func(prompt []int) []float32 {
	return func(prompt []int) []float32 { return e.memo.guides[shadowOf{h, fmt.Sprint(prompt)}] }
}
