package gpt2

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path"

	"decodingplayground/core/kernel"
)

// FormatVersion is the version of model folders that this package reads and
// writes.
const FormatVersion = 1

// Manifest is the manifest.json of a model folder. The weights are the
// concatenation of the parts' decoded bytes, cut without regard to tensors:
// every tensor of Config in the order of use, stored ready for the kernel,
// each filled up with zeros to a multiple of 64 bytes.
type Manifest struct {
	Format       int          `json:"format"` // FormatVersion
	ID           string       `json:"id"`     // short and stable: "gpt2"
	Name         string       `json:"name"`   // for people: "GPT-2 124M"
	Config       Config       `json:"config"` // HF's config.json
	Tokenizer    string       `json:"tokenizer"`
	Quantisation Quantisation `json:"quantisation"`
	Licence      string       `json:"licence"`
	Source       SourceInfo   `json:"source"`
	Error        Error        `json:"error"`
	Parts        []Part       `json:"parts"`
}

// Quantisation is how matrices are stored: in bytes of which Bits are used,
// with a scale for every Group columns, or with Bits 32 as float32. Layer
// norms and biases are float32 always.
type Quantisation struct {
	Bits  int `json:"bits"`  // 2 to 8, or 32
	Group int `json:"group"` // a multiple of 32 up to 256; 0 with 32 bits
}

// SourceInfo is where the weights came from.
type SourceInfo struct {
	Repo     string `json:"repo"`
	Revision string `json:"revision"`
	SHA256   string `json:"sha256"` // of model.safetensors
}

// Error is what quantisation cost. RelativeRMSE is the root of the squared
// error of all matrices over their squares. KL (nats a token, mean) and Top1
// (share of equal first choices) compare next-token distributions with those
// of the float32 weights on Tokens tokens; Tokens is 0 where nobody measured.
type Error struct {
	RelativeRMSE float64 `json:"relative_rmse"`
	KL           float64 `json:"kl_nats"`
	Top1         float64 `json:"top1_agreement"`
	Tokens       int     `json:"tokens"`
}

// Part is one file. Coded is its brotli form; CodedFile is empty in a folder
// that has none.
type Part struct {
	File        string `json:"file"`
	Bytes       int    `json:"bytes"`
	SHA256      string `json:"sha256"`
	CodedFile   string `json:"coded_file"`
	CodedBytes  int    `json:"coded_bytes"`
	CodedSHA256 string `json:"coded_sha256"`
}

// ParseManifest reads and checks a manifest.json.
func ParseManifest(data []byte) (*Manifest, error) {
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	if err := m.Check(); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	return m, nil
}

// JSON is the text of manifest.json.
func (m *Manifest) JSON() ([]byte, error) {
	if err := m.Check(); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(m)
	return buf.Bytes(), err
}

// Check says what is wrong with a manifest.
func (m *Manifest) Check() error {
	if m.Format != FormatVersion {
		return fmt.Errorf("format: %d, want %d", m.Format, FormatVersion)
	}
	if m.ID == "" || m.Name == "" || m.Tokenizer == "" {
		return fmt.Errorf("id, name and tokenizer: %q, %q, %q, want none empty", m.ID, m.Name, m.Tokenizer)
	}
	if err := m.Config.check(); err != nil {
		return err
	}
	if err := m.Quantisation.check(); err != nil {
		return err
	}
	total := 0
	for i, p := range m.Parts {
		if err := p.check(); err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
		total += p.Bytes
	}
	if want := m.Bytes(); total != want {
		return fmt.Errorf("parts: %d bytes in %d parts, want %d", total, len(m.Parts), want)
	}
	return nil
}

func (q Quantisation) check() error {
	if q.Bits == 32 && q.Group == 0 {
		return nil
	}
	if q.Bits < 2 || q.Bits > 8 {
		return fmt.Errorf("bits: %d, want 2 to 8, or 32 without groups", q.Bits)
	}
	return kernel.CheckGroup(q.Group)
}

func (p Part) check() error {
	if err := checkFile("file", p.File, p.Bytes, p.SHA256); err != nil {
		return err
	}
	if p.CodedFile == "" && p.CodedBytes == 0 && p.CodedSHA256 == "" {
		return nil
	}
	return checkFile("coded_file", p.CodedFile, p.CodedBytes, p.CodedSHA256)
}

// checkFile takes plain names only: a manifest must not point out of its
// folder.
func checkFile(what, name string, size int, sum string) error {
	if name == "" || name == "." || name == ".." || path.Base(name) != name || bytes.ContainsAny([]byte(name), "\\:?#%") {
		return fmt.Errorf("%s: %q, want a plain file name", what, name)
	}
	if size < 1 || size > maxPart {
		return fmt.Errorf("%s: %s of %d bytes, want 1 to %d", what, name, size, maxPart)
	}
	if b, err := hex.DecodeString(sum); err != nil || len(b) != sha256.Size {
		return fmt.Errorf("%s: %s has sha256 %q, want 64 hex digits", what, name, sum)
	}
	return nil
}

// A part is at most 8 MB decoded and at least half of that unless it is the
// only one.
const maxPart = 8 << 20

// Bytes is the size of all parts, decoded.
func (m *Manifest) Bytes() int {
	n := 0
	for _, t := range m.Config.tensors() {
		n += m.Quantisation.bytes(t)
	}
	return n
}

// Hash names the weights: the sha256 of the parts' sha256s, in hex.
func (m *Manifest) Hash() string {
	h := sha256.New()
	for _, p := range m.Parts {
		io.WriteString(h, p.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil))
}

const align = 64

// bytes is what a tensor takes in the concatenated parts.
func (q Quantisation) bytes(t tensor) int {
	n := 4 * t.rows * t.cols
	if q.Bits != 32 && !t.vector {
		n = kernel.WeightBytes(t.rows, t.cols, q.Group)
	}
	return (n + align - 1) / align * align
}

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
	m := &Manifest{Format: FormatVersion, Config: cfg, Quantisation: q}
	w := newPartWriter(m.Bytes(), emit)
	var errSq, sumSq float64
	for _, t := range cfg.tensors() {
		values, err := src.Tensor(t.name, t.shape()...)
		if err != nil {
			return nil, err
		}
		at := func(r, c int) float32 { return values[r*t.cols+c] }
		if t.conv1D {
			at = func(r, c int) float32 { return values[c*t.rows+r] }
		}
		data := make([]byte, q.bytes(t))
		if t.vector || q.Bits == 32 {
			putFloats(data, t.rows, t.cols, at)
		} else {
			size := kernel.WeightBytes(t.rows, t.cols, q.Group)
			e, s := kernel.Quantise(data[:size], t.rows, t.cols, q.Group, q.Bits, at)
			errSq, sumSq = errSq+e, sumSq+s
		}
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

func putFloats(data []byte, rows, cols int, at func(r, c int) float32) {
	for r := range rows {
		for c := range cols {
			bits := math.Float32bits(at(r, c))
			i := 4 * (r*cols + c)
			data[i], data[i+1], data[i+2], data[i+3] = byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24)
		}
	}
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
	size := ((total+n-1)/n + align - 1) / align * align
	return &partWriter{size: size, left: total, emit: emit}
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
