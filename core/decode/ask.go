package decode

import (
	"fmt"
	"slices"

	"decodingplayground/core/lm"
)

// memo keeps what a step has asked the model, so that looking at a step and
// then taking it costs one step.
type memo struct {
	rows    map[*Hypothesis]*row
	shadows map[shadowOf]shadow
	guides  map[shadowOf][]float32 // the model's rows after the shadows
	ahead   map[question][]*row    // after each id of the question
	outputs map[question]lm.Output
}

// question is a pass over the model: ids read after a past that node stands
// for. With layers, the node's own last token is read again.
type question struct {
	draft  bool // asked of the draft model
	node   *Hypothesis
	ids    string
	layers bool
}

func newMemo() *memo {
	return &memo{
		rows: map[*Hypothesis]*row{}, ahead: map[question][]*row{}, outputs: map[question]lm.Output{},
		shadows: map[shadowOf]shadow{}, guides: map[shadowOf][]float32{},
	}
}

// forward answers questions in one pass over the weights, each at most once.
// Input i belongs to question i.
func (e *Env) forward(asked []question, inputs []lm.Input) ([]lm.Output, error) {
	var batch []lm.Input
	var open []question
	for i, q := range asked {
		if _, known := e.memo.outputs[q]; !known {
			batch, open = append(batch, inputs[i]), append(open, q)
		}
	}
	if len(batch) > 0 {
		model := e.model
		if open[0].draft {
			model = e.draft
		}
		out, err := model.Forward(batch...)
		if err != nil {
			return nil, err
		}
		for i, q := range open {
			e.memo.outputs[q] = out[i]
		}
	}
	if len(asked) > 0 {
		if asked[0].draft {
			e.cost.DraftPasses++
		} else {
			e.cost.Passes++
		}
	}
	answers := make([]lm.Output, len(asked))
	for i, q := range asked {
		answers[i] = e.memo.outputs[q]
	}
	return answers, nil
}

// after reads what h has not read and then more, one list of ids a question.
func (e *Env) after(h *Hypothesis, more ...[]int) ([]lm.Output, error) {
	unread := h.Sequence()[h.read():]
	var asked []question
	var inputs []lm.Input
	for _, ids := range more {
		ids = append(append([]int(nil), unread...), ids...)
		asked = append(asked, question{false, h, fmt.Sprint(ids), e.traits.Layers})
		inputs = append(inputs, lm.Input{Past: h.Past, IDs: ids, Layers: e.traits.Layers})
	}
	return e.forward(asked, inputs)
}

// rows are the model's distributions after each text. Those that guidance
// compares them with come into the memo.
func (e *Env) rows(hs ...*Hypothesis) ([]*row, error) {
	if err := e.readShadows(hs...); err != nil {
		return nil, err
	}
	var missing []*Hypothesis
	var hidden [][]float32
	for _, h := range hs {
		counted := h.read() == h.length || slices.Contains(e.counted, h)
		if !counted {
			e.counted = append(e.counted, h)
		}
		if e.memo.rows[h] != nil {
			if !counted { // somebody has looked at this step before
				e.cost.Passes++
			}
			continue
		}
		last, err := e.lastHidden(h)
		if err != nil {
			return nil, err
		}
		missing, hidden = append(missing, h), append(hidden, last)
	}
	var guides []shadowOf
	for _, key := range sortedKeys(e.otherPrompts()) {
		for _, h := range hs {
			of := shadowOf{h, key}
			if s, _ := e.shadow(of); e.memo.guides[of] == nil {
				guides, hidden = append(guides, of), append(hidden, s.hidden)
			}
		}
	}
	if len(hidden) > 0 {
		logits := e.model.Head(hidden...)
		for i, h := range missing {
			e.memo.rows[h] = newRow(logits[i])
		}
		for i, of := range guides {
			e.memo.guides[of] = logits[len(missing)+i]
		}
	}
	out := make([]*row, len(hs))
	for i, h := range hs {
		out[i] = e.memo.rows[h]
	}
	return out, nil
}

// lastHidden is the hidden state after the whole text.
func (e *Env) lastHidden(h *Hypothesis) ([]float32, error) {
	if h.length > e.model.Info().Context {
		return nil, fmt.Errorf("text: %d tokens, want at most %d: %w", h.length, e.model.Info().Context, ErrContext)
	}
	if h.read() == h.length {
		return h.Hidden[len(h.Hidden)-1], nil
	}
	out, err := e.after(h, nil)
	if err != nil {
		return nil, err
	}
	return out[0].Hidden[len(out[0].Hidden)-1], nil
}

// lastLayers are the hidden states between the blocks at the last token. A
// node that was made without them reads that token again.
func (e *Env) lastLayers(h *Hypothesis) ([][]float32, error) {
	if h.Layers != nil {
		return h.Layers, nil
	}
	past := lm.Past(nil)
	if h.Parent != nil {
		past = h.Parent.Past
	}
	from := 0
	if past != nil {
		from = past.Len()
	}
	ids := h.Sequence()[from:]
	out, err := e.forward(
		[]question{{false, h, fmt.Sprint(ids), true}},
		[]lm.Input{{Past: past, IDs: ids, Layers: true}})
	if err != nil {
		return nil, err
	}
	return out[0].Layers[len(ids)-1], nil
}

// read returns the frontier with every live text read that can be, and its
// shadows, in one pass over the weights. Old nodes stay as they are.
func (e *Env) read(f Frontier) (Frontier, error) {
	var batch []lm.Input
	var take []func(live []*Hypothesis, out lm.Output) // what becomes of each answer
	for i, h := range f.Live {
		if h.read() < h.length && e.fits(h.Past, h.length-h.read()) {
			batch = append(batch, lm.Input{Past: h.Past, IDs: h.Sequence()[h.read():], Layers: e.traits.Layers})
			take = append(take, func(live []*Hypothesis, out lm.Output) { live[i].readOn(out) })
		}
		for _, u := range e.unread(h) {
			if len(u.input.IDs) > 0 && e.fits(u.input.Past, len(u.input.IDs)) {
				batch = append(batch, u.input)
				take = append(take, func(live []*Hypothesis, out lm.Output) { live[i].shadows[u.key] = shadowIn(out) })
			}
		}
	}
	if len(batch) == 0 {
		return f, nil
	}
	out, err := e.model.Forward(batch...)
	if err != nil {
		return Frontier{}, err
	}
	e.cost.Passes++
	live := make([]*Hypothesis, len(f.Live))
	for i, old := range f.Live {
		h := *old
		h.shadows = map[string]shadow{}
		live[i] = &h
		for c := range f.Candidates {
			if f.Candidates[c].Child == old {
				f.Candidates[c].Child = &h
			}
		}
	}
	for i, o := range out {
		take[i](live, o)
	}
	f.Live = live
	return f, nil
}

// fits says whether the model can read n tokens more.
func (e *Env) fits(past lm.Past, n int) bool {
	if past != nil {
		n += past.Len()
	}
	return n <= e.model.Info().Context
}

// readOn notes what was read of a new node.
func (h *Hypothesis) readOn(out lm.Output) {
	h.Past = out.Past
	h.Hidden = append(append([][]float32(nil), h.Hidden...), out.Hidden...)
	if n := len(out.Layers); n > 0 {
		h.Layers = out.Layers[n-1]
	}
}
