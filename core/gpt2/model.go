package gpt2

import (
	"errors"
	"fmt"
	"math"

	"decodingplayground/core/fmath"
	"decodingplayground/core/kernel"
	"decodingplayground/core/lm"
)

// Model is GPT-2 with its weights. It implements lm.Model. It is for one
// goroutine at a time.
type Model struct {
	cfg    Config
	width  int           // of a head in a page
	wte    kernel.Matrix // (vocab_size, n_embd)
	wpe    kernel.Matrix // (n_positions, n_embd)
	blocks []block
	lnF    norm
	head   kernel.Matrix // wte, or lm_head: (vocab_size, n_embd)
	work   work
}

// block is one transformer layer.
type block struct {
	ln1   norm
	attn  linear // c_attn: (3*n_embd, n_embd), rows q, k, v
	proj  linear // attn.c_proj: (n_embd, n_embd)
	ln2   norm
	fc    linear // mlp.c_fc: (n_inner, n_embd)
	down  linear // mlp.c_proj: (n_embd, n_inner)
	scale float32
}

type linear struct {
	weight kernel.Matrix
	bias   []float32
}

type norm struct{ weight, bias []float32 }

func newModel(cfg Config, w weights) *Model {
	norm := func(name string) norm { return norm{w.vectors[name+".weight"], w.vectors[name+".bias"]} }
	linear := func(name string) linear {
		return linear{w.matrices[name+".weight"], w.vectors[name+".bias"]}
	}
	m := &Model{
		cfg:   cfg,
		width: kernel.HeadWidth(cfg.NEmbd / cfg.NHead),
		wte:   w.matrices["wte.weight"],
		wpe:   w.matrices["wpe.weight"],
		lnF:   norm("ln_f"),
		head:  w.matrices["lm_head.weight"],
	}
	if cfg.TieWordEmbeddings {
		m.head = m.wte
	}
	for i := range cfg.NLayer {
		h := fmt.Sprintf("h.%d.", i)
		m.blocks = append(m.blocks, block{
			ln1:   norm(h + "ln_1"),
			attn:  linear(h + "attn.c_attn"),
			proj:  linear(h + "attn.c_proj"),
			ln2:   norm(h + "ln_2"),
			fc:    linear(h + "mlp.c_fc"),
			down:  linear(h + "mlp.c_proj"),
			scale: cfg.attnScale(i),
		})
	}
	return m
}

// Config is what the model was made from.
func (m *Model) Config() Config { return m.cfg }

// Info implements lm.Model.
func (m *Model) Info() lm.Info {
	return lm.Info{Vocab: m.cfg.VocabSize, Context: m.cfg.NPositions, Untied: !m.cfg.TieWordEmbeddings}
}

// row is one token on its way through the layers.
type row struct {
	seq    *sequence
	id     int
	pos    int
	layers [][]float32 // where its hidden states between blocks go; nil if nobody asked
	hidden []float32   // where its last one goes
}

// sequence is one input of a batch with the pages of its keys and values.
type sequence struct{ keys, values [][]float32 }

// maxRows is how many tokens go through the layers together. More share each
// load of a weight; their activations must stay near the processor.
const maxRows = 64

// Forward implements lm.Model. Tokens of all inputs go through the layers
// side by side, maxRows at a time.
func (m *Model) Forward(batch ...lm.Input) ([]lm.Output, error) {
	for i, in := range batch {
		if err := m.check(in); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
	}
	outputs := make([]lm.Output, len(batch))
	var rows []row
	for i, in := range batch {
		outputs[i], rows = m.open(in, rows)
	}
	for len(rows) > 0 {
		n := min(maxRows, len(rows))
		m.forward(rows[:n])
		rows = rows[n:]
	}
	return outputs, nil
}

func (m *Model) check(in lm.Input) error {
	n := 0
	if in.Past != nil {
		p, ok := in.Past.(*past)
		if !ok || p.model != m {
			return errors.New("past: of another model")
		}
		n = p.n
	}
	if len(in.IDs) == 0 {
		return errors.New("ids: none, want at least one")
	}
	if n+len(in.IDs) > m.cfg.NPositions {
		return fmt.Errorf("context is full: %d tokens and %d more, want at most %d", n, len(in.IDs), m.cfg.NPositions)
	}
	for _, id := range in.IDs {
		if id < 0 || id >= m.cfg.VocabSize {
			return fmt.Errorf("id: %d, want 0 to %d", id, m.cfg.VocabSize-1)
		}
	}
	return nil
}

// open makes room for an input's keys, values and results, and adds its tokens
// to rows.
func (m *Model) open(in lm.Input, rows []row) (lm.Output, []row) {
	old := &past{}
	if in.Past != nil {
		old = in.Past.(*past)
	}
	next := &past{m, old.n + len(in.IDs), m.grow(old.pages, old.n, len(in.IDs))}
	seq := &sequence{}
	for _, p := range next.pages {
		seq.keys = append(seq.keys, p.keys)
		seq.values = append(seq.values, p.values)
	}
	out := lm.Output{Past: next, Hidden: slices2(len(in.IDs), m.cfg.NEmbd)}
	for i, id := range in.IDs {
		r := row{seq: seq, id: id, pos: old.n + i, hidden: out.Hidden[i]}
		if in.Layers {
			r.layers = slices2(m.cfg.NLayer, m.cfg.NEmbd)
			out.Layers = append(out.Layers, r.layers)
		}
		rows = append(rows, r)
	}
	return out, rows
}

// slices2 is n slices of size numbers.
func slices2(n, size int) [][]float32 {
	all := make([]float32, n*size)
	list := make([][]float32, n)
	for i := range list {
		list[i] = all[i*size:][:size:size]
	}
	return list
}

// forward sends rows through the model: the definition of GPT-2.
func (m *Model) forward(rows []row) {
	d := m.cfg.NEmbd
	w := &m.work
	w.resize(m, len(rows))
	for i, r := range rows {
		x := w.x[i*d:][:d]
		m.wte.Row(x, r.id)
		m.wpe.Row(w.normed[:d], r.pos)
		kernel.Add(x, w.normed[:d])
	}
	for layer := range m.blocks {
		b := &m.blocks[layer]
		for i, r := range rows {
			if r.layers != nil {
				copy(r.layers[layer], w.x[i*d:][:d])
			}
		}
		b.ln1.apply(w.normed, w.x, m.cfg.Epsilon)
		b.attn.apply(w.wide, w.normed, len(rows), &w.scratch)
		m.attend(layer, rows)
		b.proj.apply(w.wide, w.normed, len(rows), &w.scratch)
		addRows(w.x, w.wide, len(rows), b.proj.weight.Stride())

		b.ln2.apply(w.normed, w.x, m.cfg.Epsilon)
		b.fc.apply(w.wide, w.normed, len(rows), &w.scratch)
		w.inner = compact(w.inner, w.wide, len(rows), m.cfg.NInner, b.fc.weight.Stride())
		m.activate(w.inner)
		b.down.apply(w.wide, w.inner, len(rows), &w.scratch)
		addRows(w.x, w.wide, len(rows), b.down.weight.Stride())
	}
	m.lnF.apply(w.normed, w.x, m.cfg.Epsilon)
	for i, r := range rows {
		copy(r.hidden, w.normed[i*d:])
	}
}

// attend stores the rows' keys and values and replaces normed by what the
// heads read: (rows, n_embd).
func (m *Model) attend(layer int, rows []row) {
	w := &m.work
	d, heads := m.cfg.NEmbd, m.cfg.NHead
	size := d / heads
	stride := m.blocks[layer].attn.weight.Stride()
	for h := range heads { // one head for all rows: its keys and values stay near the processor
		at := (layer*heads + h) * m.width * kernel.PageRows
		for i, r := range rows {
			qkv := w.wide[i*stride:]
			page, slot := r.pos/kernel.PageRows, r.pos%kernel.PageRows
			key, value := qkv[d+h*size:][:size], qkv[2*d+h*size:][:size]
			kernel.PutKey(r.seq.keys[page][at:], key, slot)
			kernel.PutValue(r.seq.values[page][at:], value, slot, m.width)
		}
		for i, r := range rows {
			kernel.Scale(w.query[:size], w.wide[i*stride+h*size:], m.blocks[layer].scale)
			kernel.Attend(w.read, w.query, r.seq.keys, r.seq.values, at, r.pos+1, w.scores)
			kernel.Scale(w.normed[i*d+h*size:][:size], w.read, 1)
		}
	}
}

// apply sets dst, n rows with the weight's stride, to weight times x plus bias.
func (l linear) apply(dst, x []float32, n int, scratch *kernel.Scratch) {
	stride := l.weight.Stride()
	l.weight.Mul(dst[:n*stride], x, n, scratch)
	for i := range n {
		kernel.Add(dst[i*stride:][:len(l.bias)], l.bias)
	}
}

// apply sets dst to the layer norm of x's rows.
func (l norm) apply(dst, x []float32, epsilon float64) {
	for d := len(l.weight); len(x) > 0; dst, x = dst[d:], x[d:] {
		kernel.LayerNorm(dst[:d], x[:d], l.weight, l.bias, epsilon)
	}
}

func (m *Model) activate(x []float32) {
	if m.cfg.Activation == "gelu_new" {
		kernel.GeluNew(x)
		return
	}
	for i, v := range x {
		x[i] = float32(0.5 * float64(v) * (1 + fmath.Erf(float64(v)/math.Sqrt2)))
	}
}

// addRows adds n rows of y, stride apart, to x.
func addRows(x, y []float32, n, stride int) {
	d := len(x) / n
	for i := range n {
		kernel.Add(x[i*d:][:d], y[i*stride:][:d])
	}
}

// compact copies n rows of size numbers, stride apart, side by side.
func compact(dst, src []float32, n, size, stride int) []float32 {
	for i := range n {
		copy(dst[i*size:][:size], src[i*stride:])
	}
	return dst[:n*size]
}

// Head implements lm.Model.
func (m *Model) Head(hidden ...[]float32) [][]float32 {
	if len(hidden) == 0 {
		return nil
	}
	d, stride := m.cfg.NEmbd, m.head.Stride()
	x := make([]float32, 0, len(hidden)*d)
	for _, h := range hidden {
		x = append(x, h...)
	}
	logits := make([]float32, len(hidden)*stride)
	m.head.Mul(logits, x, len(hidden), &m.work.scratch)
	rows := make([][]float32, len(hidden))
	for i := range rows {
		rows[i] = logits[i*stride:][:m.cfg.VocabSize:m.cfg.VocabSize]
	}
	return rows
}

// work is memory that every pass uses again.
type work struct {
	x       []float32 // (rows, n_embd): the residual stream
	normed  []float32 // (rows, n_embd)
	wide    []float32 // (rows, stride of the widest matrix)
	inner   []float32 // (rows, n_inner)
	query   []float32 // (width)
	read    []float32 // (width)
	scores  []float32 // (n_positions, up to whole pages)
	scratch kernel.Scratch
}

func (w *work) resize(m *Model, n int) {
	b := &m.blocks[0]
	widest := max(b.attn.weight.Stride(), b.proj.weight.Stride(), b.fc.weight.Stride(), b.down.weight.Stride())
	w.x = sized(w.x, n*m.cfg.NEmbd)
	w.normed = sized(w.normed, n*m.cfg.NEmbd)
	w.wide = sized(w.wide, n*widest)
	w.inner = sized(w.inner, n*m.cfg.NInner)
	w.query = sized(w.query, m.width)
	w.read = sized(w.read, m.width)
	w.scores = sized(w.scores, m.cfg.NPositions+kernel.PageRows)
}

func sized(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}
