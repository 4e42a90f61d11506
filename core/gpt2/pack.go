package gpt2

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"decodingplayground/core/kernel"
)

// Source gives tensors by their names without "transformer.": Safetensors, or
// a test's own. A tensor that is missing, of another shape or not finite is an
// error.
type Source interface {
	Tensor(name string, shape ...int) ([]float32, error)
}

// Pack writes a model's weights as parts. emit gets each part in order and
// must not keep the slice; with a nil error from Pack, the parts' files, sizes
// and hashes are in the manifest that is returned, which still lacks ID, Name,
// Tokenizer, Licence, Source and the coded files. One tensor is in memory at a
// time. The same weights always give the same bytes.
func Pack(cfg Config, src Source, q Quantisation, emit func(p Part, data []byte) error) (*Manifest, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	m := &Manifest{Format: FormatVersion, Config: cfg, Quantisation: q, DistinctRows: map[string]int{}}
	for _, t := range cfg.tensors() {
		if !t.tokens {
			continue
		}
		values, err := src.Tensor(t.name, t.shape()...)
		if err != nil {
			return nil, err
		}
		if first, _ := distinctRows(values, t.cols); len(first) <= t.rows/2 {
			m.DistinctRows[t.name] = len(first)
		}
	}
	w := newPartWriter(m.Bytes(), emit)
	var errSq, sumSq float64
	for _, t := range cfg.tensors() {
		values, err := src.Tensor(t.name, t.shape()...)
		if err != nil {
			return nil, err
		}
		data, e, s := m.encode(t, values)
		errSq, sumSq = errSq+e, sumSq+s
		if err := w.write(data); err != nil {
			return nil, err
		}
	}
	if sumSq > 0 {
		m.Error.RelativeRMSE = math.Sqrt(errSq / sumSq)
	}
	m.Parts = w.parts
	return m, nil
}

// encode is a tensor as it stands in the parts, with the squares of the
// error and of the weights.
func (m *Manifest) encode(t tensor, values []float32) (data []byte, errSq, sumSq float64) {
	at := func(r, c int) float32 { return values[r*t.cols+c] }
	if t.conv1D {
		at = func(r, c int) float32 { return values[c*t.rows+r] }
	}
	size, indexSize := m.bytes(t)
	data = make([]byte, size+indexSize)
	rows := t.rows
	if n, ok := m.DistinctRows[t.name]; ok {
		first, index := distinctRows(values, t.cols)
		rows = n
		at = func(r, c int) float32 { return values[first[r]*t.cols+c] }
		for i, r := range index {
			binary.LittleEndian.PutUint32(data[size+4*i:], uint32(r))
		}
	}
	if q := m.Quantisation; q.Bits != 32 && !t.vector {
		dst := data[:kernel.WeightBytes(rows, t.cols, q.Group)]
		errSq, sumSq = kernel.Quantise(dst, rows, t.cols, q.Group, q.Bits, at)
		return data, errSq, sumSq
	}
	for r := range rows {
		for c := range t.cols {
			binary.LittleEndian.PutUint32(data[4*(r*t.cols+c):], math.Float32bits(at(r, c)))
		}
	}
	return data, 0, 0
}

// distinctRows finds equal rows: first[i] is where the i-th distinct row
// stands first, index[r] which distinct row r is.
func distinctRows(values []float32, cols int) (first, index []int) {
	seen := map[[sha256.Size]byte]int{}
	bits := make([]byte, 4*cols)
	for r := range len(values) / cols {
		for c, v := range values[r*cols:][:cols] {
			binary.LittleEndian.PutUint32(bits[4*c:], math.Float32bits(v))
		}
		key := sha256.Sum256(bits)
		i, ok := seen[key]
		if !ok {
			i = len(first)
			seen[key] = i
			first = append(first, r)
		}
		index = append(index, i)
	}
	return first, index
}

// partWriter cuts a stream of total bytes into parts of nearly equal size.
type partWriter struct {
	buf   []byte
	size  int // of every part but the last
	left  int
	parts []Part
	emit  func(Part, []byte) error
}

func newPartWriter(total int, emit func(Part, []byte) error) *partWriter {
	n := (total + maxPart - 1) / maxPart
	return &partWriter{size: aligned((total + n - 1) / n), left: total, emit: emit}
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
