package decode

import "decodingplayground/core/lm"

// remembering is a model that computes each text once: the oracle asks for the
// same beginnings thousands of times. It relies on the contract of lm.Model,
// that a text gives the same bits whatever way it is read.
type remembering struct {
	lm.Model
	start *remembered
	texts int
	owner map[*float32]*remembered // of each hidden state that was handed out
}

// remembered is a text that was read. It is the Past of that text.
type remembered struct {
	lm.Past
	hidden []float32
	layers [][]float32
	logits []float32
	next   map[int]*remembered
}

// maxTexts bounds the memory; then all is forgotten.
const maxTexts = 20000

func newRemembering(m lm.Model) *remembering {
	r := &remembering{Model: m}
	r.forget()
	return r
}

func (r *remembering) forget() {
	r.start, r.texts, r.owner = &remembered{next: map[int]*remembered{}}, 0, map[*float32]*remembered{}
}

func (r *remembering) Forward(batch ...lm.Input) ([]lm.Output, error) {
	out := make([]lm.Output, len(batch))
	for i, in := range batch {
		at := r.start
		if in.Past != nil {
			at = in.Past.(*remembered)
		}
		for _, id := range in.IDs {
			next := at.next[id]
			if next == nil {
				got, err := r.Model.Forward(lm.Input{Past: at.Past, IDs: []int{id}, Layers: true})
				if err != nil {
					return nil, err
				}
				next = &remembered{Past: got[0].Past, hidden: got[0].Hidden[0], layers: got[0].Layers[0], next: map[int]*remembered{}}
				at.next[id] = next
				r.owner[&next.hidden[0]] = next
				r.texts++
			}
			at = next
			out[i].Hidden = append(out[i].Hidden, at.hidden)
			if in.Layers {
				out[i].Layers = append(out[i].Layers, at.layers)
			}
		}
		out[i].Past = at
	}
	return out, nil
}

func (r *remembering) Head(hidden ...[]float32) [][]float32 {
	out := make([][]float32, len(hidden))
	for i, h := range hidden {
		text := r.owner[&h[0]]
		if text == nil {
			out[i] = r.Model.Head(h)[0]
			continue
		}
		if text.logits == nil {
			text.logits = r.Model.Head(h)[0]
		}
		out[i] = append([]float32(nil), text.logits...)
	}
	return out
}
