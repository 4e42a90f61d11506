package gpt2

import "fmt"

// tensor is one weight of the checkpoint as the engine uses it: rows outputs
// by cols inputs. A vector has one row.
type tensor struct {
	name       string
	rows, cols int
	vector     bool // biases and layer norms: always float32
	conv1D     bool // stored (in, out) in the checkpoint, the transpose of ours
	tokens     bool // one row a token: equal rows may be stored once
}

// tensors lists a model's weights in the order a forward pass meets them.
func (c Config) tensors() []tensor {
	d := c.NEmbd
	list := []tensor{
		{name: "wte.weight", rows: c.VocabSize, cols: d, tokens: true},
		{name: "wpe.weight", rows: c.NPositions, cols: d},
	}
	vector := func(name string, n int) {
		list = append(list, tensor{name: name, rows: 1, cols: n, vector: true})
	}
	norm := func(name string) {
		vector(name+".weight", d)
		vector(name+".bias", d)
	}
	conv1D := func(name string, in, out int) {
		list = append(list, tensor{name: name + ".weight", rows: out, cols: in, conv1D: true})
		vector(name+".bias", out)
	}
	for i := range c.NLayer {
		h := fmt.Sprintf("h.%d.", i)
		norm(h + "ln_1")
		conv1D(h+"attn.c_attn", d, 3*d) // q, k and v, each split into heads
		conv1D(h+"attn.c_proj", d, d)
		norm(h + "ln_2")
		conv1D(h+"mlp.c_fc", d, c.NInner)
		conv1D(h+"mlp.c_proj", c.NInner, d)
	}
	norm("ln_f")
	if !c.TieWordEmbeddings {
		list = append(list, tensor{name: "lm_head.weight", rows: c.VocabSize, cols: d, tokens: true})
	}
	return list
}

// shape is the tensor's shape in the checkpoint.
func (t tensor) shape() []int {
	switch {
	case t.vector:
		return []int{t.cols}
	case t.conv1D:
		return []int{t.cols, t.rows}
	}
	return []int{t.rows, t.cols}
}
