package gpt2

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"decodingplayground/core/kernel"
)

// Loader takes a model's parts, in any order, straight into the memory in
// which the kernel reads them. It checks every part's hash; a part that is
// wrong can be handed over again.
type Loader struct {
	manifest *Manifest
	data     []byte
	starts   []int // where each part begins in data
	in       []bool
}

// NewLoader allocates the memory for a model, all of it at once.
func NewLoader(m *Manifest) (*Loader, error) {
	if err := m.Check(); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	l := &Loader{manifest: m, data: make([]byte, m.Bytes()), in: make([]bool, len(m.Parts))}
	at := 0
	for _, p := range m.Parts {
		l.starts = append(l.starts, at)
		at += p.Bytes
	}
	return l, nil
}

// Part is the memory of part i's decoded bytes: fill it whole, then call
// Verify. A part outside the manifest is nil.
func (l *Loader) Part(i int) []byte {
	if i < 0 || i >= len(l.starts) {
		return nil
	}
	return l.data[l.starts[i]:][:l.manifest.Parts[i].Bytes:l.manifest.Parts[i].Bytes]
}

// Verify checks the bytes in Part(i) and counts the part as loaded.
func (l *Loader) Verify(i int) error {
	sum := sha256.Sum256(l.Part(i))
	return l.Accept(i, hex.EncodeToString(sum[:]))
}

// Accept counts the part as loaded when sum, in hex, is its sha256: for a caller
// who has a faster way to compute it.
func (l *Loader) Accept(i int, sum string) error {
	if i < 0 || i >= len(l.in) {
		return fmt.Errorf("part %d: want 0 to %d", i, len(l.in)-1)
	}
	p := l.manifest.Parts[i]
	l.in[i] = sum == p.SHA256
	if !l.in[i] {
		return fmt.Errorf("%s: corrupt: sha256 %s, want %s", p.File, sum, p.SHA256)
	}
	return nil
}

// SetPart copies decoded bytes into Part(i) and verifies them.
func (l *Loader) SetPart(i int, data []byte) error {
	dst := l.Part(i)
	if dst != nil && len(dst) != len(data) {
		return fmt.Errorf("%s: %d bytes, want %d", l.manifest.Parts[i].File, len(data), len(dst))
	}
	copy(dst, data)
	return l.Verify(i)
}

// Missing lists the parts that are not loaded yet.
func (l *Loader) Missing() []int {
	var list []int
	for i, ok := range l.in {
		if !ok {
			list = append(list, i)
		}
	}
	return list
}

// Model is the model, once every part is loaded. It keeps the loader's memory.
func (l *Loader) Model() (*Model, error) {
	w, err := l.weights()
	if err != nil {
		return nil, err
	}
	return newModel(l.manifest.Config, w), nil
}

func (l *Loader) weights() (weights, error) {
	w := weights{matrices: map[string]kernel.Matrix{}, vectors: map[string][]float32{}}
	if missing := l.Missing(); len(missing) > 0 {
		return w, fmt.Errorf("%s: not loaded (%d of %d parts missing)", l.manifest.Parts[missing[0]].File, len(missing), len(l.in))
	}
	rest := l.data
	for _, t := range l.manifest.Config.tensors() {
		size, indexSize := l.manifest.bytes(t)
		if err := l.manifest.decode(&w, t, rest[:size], rest[size:][:indexSize]); err != nil {
			return w, fmt.Errorf("%s: %w", t.name, err)
		}
		rest = rest[size+indexSize:]
	}
	return w, nil
}

// weights are a model's tensors by name.
type weights struct {
	matrices map[string]kernel.Matrix
	vectors  map[string][]float32
}

// decode is the opposite of the packer's put; an int8 matrix keeps data.
func (m *Manifest) decode(w *weights, t tensor, data, index []byte) (err error) {
	if t.vector {
		w.vectors[t.name], err = getFloats(data, t.cols)
		return err
	}
	rows, shared := m.DistinctRows[t.name]
	if !shared {
		rows = t.rows
	}
	matrix, err := newMatrix(m.Quantisation.of(t.name), rows, t.cols, data)
	if err == nil && shared {
		matrix, err = kernel.NewShared(matrix, getInts(index, t.rows))
	}
	w.matrices[t.name] = matrix
	return err
}

func newMatrix(g Grid, rows, cols int, data []byte) (kernel.Matrix, error) {
	if g.Bits != 32 {
		return kernel.NewWeights(rows, cols, g.Group, data[:kernel.WeightBytes(rows, cols, g.Group)])
	}
	values, err := getFloats(data, rows*cols)
	if err != nil {
		return nil, err
	}
	return kernel.NewFloats(rows, cols, values)
}

func getInts(data []byte, n int) []int32 {
	values := make([]int32, n)
	for i := range values {
		values[i] = int32(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return values
}

func getFloats(data []byte, n int) ([]float32, error) {
	values := make([]float32, n)
	for i := range values {
		v := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if v-v != 0 {
			return nil, fmt.Errorf("element %d is %v, want a finite number", i, v)
		}
		values[i] = v
	}
	return values, nil
}

// Load packs a checkpoint in memory and loads it: for tests and tools. Its
// result is that of a model folder with the same quantisation.
func Load(cfg Config, src Source, q Quantisation) (*Model, error) {
	var data []byte
	m, err := Pack(cfg, src, q, func(_ Part, part []byte) error {
		data = append(data, part...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.ID, m.Name, m.Tokenizer = "memory", "memory", "none"
	l, err := NewLoader(m)
	if err != nil {
		return nil, err
	}
	for i, p := range m.Parts {
		if err := l.SetPart(i, data[:p.Bytes]); err != nil {
			return nil, err
		}
		data = data[p.Bytes:]
	}
	return l.Model()
}
