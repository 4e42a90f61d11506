package gpt2

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"decodingplayground/core/kernel"
)

// Pack writes a model's weights as parts. emit gets each part in order and
// must not keep the slice; with a nil error from Pack, the parts' files, sizes
// and hashes are in the manifest that is returned, which still lacks ID, Name,
// Tokenizer, Licence, Source and the coded files. In memory are one part, a
// few rows, and at times a whole matrix of a block, which checkpoints keep
// transposed. The same weights always give the same bytes.
func Pack(cfg Config, src Source, q Quantisation, emit func(p Part, data []byte) error) (*Manifest, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if err := q.check(cfg); err != nil {
		return nil, err
	}
	m := &Manifest{Format: FormatVersion, Config: cfg, Quantisation: q, DistinctRows: map[string]int{}}
	m.Error.Tensors = map[string]float64{}
	p := packer{src: src, m: m, distinct: map[string]distinct{}}
	for _, t := range cfg.tensors() {
		if err := p.findDistinct(t); err != nil {
			return nil, err
		}
	}
	p.out = newPartWriter(m.Bytes(), emit)
	for _, t := range cfg.tensors() {
		if err := p.put(t); err != nil {
			return nil, err
		}
	}
	if p.sumSq > 0 {
		m.Error.RelativeRMSE = math.Sqrt(p.errSq / p.sumSq)
	}
	m.Parts = p.out.parts
	return m, nil
}

type packer struct {
	src          Source
	m            *Manifest
	distinct     map[string]distinct
	out          *partWriter
	errSq, sumSq float64 // of all matrices
}

// distinct are a matrix's rows without repetition: first[i] is where the i-th
// stands first, index[r] which of them row r is.
type distinct struct{ first, index []int }

// findDistinct looks for equal rows in a tensor with one for each token, and
// notes them where at most half are distinct.
func (p *packer) findDistinct(t tensor) error {
	if !t.tokens {
		return nil
	}
	read, err := p.rows(t)
	if err != nil {
		return err
	}
	var d distinct
	seen := map[[sha256.Size]byte]int{}
	row := make([]float32, t.cols)
	for r := range t.rows {
		if err := read(row, r); err != nil {
			return err
		}
		key := sha256.Sum256(appendFloats(nil, row))
		i, ok := seen[key]
		if !ok {
			i = len(d.first)
			seen[key] = i
			d.first = append(d.first, r)
		}
		d.index = append(d.index, i)
	}
	if len(d.first) <= t.rows/2 {
		p.distinct[t.name] = d
		p.m.DistinctRows[t.name] = len(d.first)
	}
	return nil
}

// rows is how to read rows from a number on, as many as fill dst.
func (p *packer) rows(t tensor) (func(dst []float32, from int) error, error) {
	values, err := p.src.Tensor(t.name, t.shape()...)
	if err != nil {
		return nil, err
	}
	if !t.conv1D {
		return func(dst []float32, from int) error { return values.Read(dst, from*t.cols) }, nil
	}
	whole := make([]float32, t.rows*t.cols)
	if err := values.Read(whole, 0); err != nil {
		return nil, err
	}
	return func(dst []float32, from int) error {
		for i := range dst {
			dst[i] = whole[i%t.cols*t.rows+from+i/t.cols]
		}
		return nil
	}, nil
}

// distinctRows is rows without repetition, where equal rows are stored once.
func (p *packer) distinctRows(t tensor) (n int, read func(dst []float32, from int) error, err error) {
	all, err := p.rows(t)
	d, shared := p.distinct[t.name]
	if err != nil || !shared {
		return t.rows, all, err
	}
	return len(d.first), func(dst []float32, from int) error {
		for i := range len(dst) / t.cols {
			if err := all(dst[i*t.cols:][:t.cols], d.first[from+i]); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// packRows is how many rows are quantised at a time: a multiple of the 8 that
// the kernel keeps together, so that the pieces join to the whole.
const packRows = 64

// put writes a tensor as it stands in the parts.
func (p *packer) put(t tensor) error {
	rows, read, err := p.distinctRows(t)
	if err != nil {
		return err
	}
	g := p.m.Quantisation.of(t.name)
	var errSq, sumSq float64
	block, data := make([]float32, min(packRows, rows)*t.cols), []byte(nil)
	for r := 0; r < rows; r += packRows {
		n := min(packRows, rows-r)
		values := block[:n*t.cols]
		if err := read(values, r); err != nil {
			return err
		}
		if t.vector || g.Bits == 32 {
			data = appendFloats(data[:0], values)
		} else {
			size := kernel.WeightBytes(n, t.cols, g.Group)
			data = slices.Grow(data[:0], size)[:size]
			e, s := kernel.Quantise(data, n, t.cols, g.Group, g.Bits, values)
			errSq, sumSq = errSq+e, sumSq+s
		}
		if err := p.out.write(data); err != nil {
			return err
		}
	}
	if err := p.out.align(); err != nil {
		return err
	}
	if sumSq > 0 {
		p.m.Error.Tensors[t.name] = math.Sqrt(errSq / sumSq)
		p.errSq, p.sumSq = p.errSq+errSq, p.sumSq+sumSq
	}
	return p.putIndex(t)
}

// putIndex writes which of the distinct rows each row is.
func (p *packer) putIndex(t tensor) error {
	var data []byte
	for _, i := range p.distinct[t.name].index {
		data = binary.LittleEndian.AppendUint32(data, uint32(i))
	}
	if err := p.out.write(data); err != nil {
		return err
	}
	return p.out.align()
}

func appendFloats(data []byte, values []float32) []byte {
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return data
}

// partWriter cuts a stream of total bytes into parts of nearly equal size.
type partWriter struct {
	buf   []byte
	size  int // of every part but the last
	left  int // bytes that are not in a part yet
	total int
	parts []Part
	emit  func(Part, []byte) error
}

func newPartWriter(total int, emit func(Part, []byte) error) *partWriter {
	n := (total + partSize - 1) / partSize
	return &partWriter{size: aligned((total + n - 1) / n), left: total, total: total, emit: emit}
}

// align fills up with zeros to where the next tensor may begin.
func (w *partWriter) align() error {
	at := w.total - w.left + len(w.buf)
	return w.write(make([]byte, aligned(at)-at))
}

func (w *partWriter) write(data []byte) error {
	for len(data) > 0 {
		want := min(w.size, w.left)
		n := min(len(data), want-len(w.buf))
		w.buf = append(w.buf, data[:n]...)
		data = data[n:]
		if len(w.buf) < want {
			return nil
		}
		sum := sha256.Sum256(w.buf)
		p := Part{
			File:   fmt.Sprintf("part-%03d.bin", len(w.parts)),
			Bytes:  len(w.buf),
			SHA256: hex.EncodeToString(sum[:]),
		}
		if err := w.emit(p, w.buf); err != nil {
			return fmt.Errorf("%s: %w", p.File, err)
		}
		w.parts = append(w.parts, p)
		w.left -= len(w.buf)
		w.buf = w.buf[:0]
	}
	return nil
}
