package gpt2

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"decodingplayground/core/kernel"
)

// FormatVersion is the version of model folders that this package reads and
// writes.
const FormatVersion = 1

// Manifest is the manifest.json of a model folder. The weights are the
// concatenation of the parts' decoded bytes, cut without regard to tensors:
// every tensor of Config in the order of use, stored ready for the kernel,
// each filled up with zeros to a multiple of 64 bytes.
//
// A tensor in DistinctRows has that many rows, each stored once, and after
// them for each token its row, as int32 little endian.
type Manifest struct {
	Format       int          `json:"format"`    // FormatVersion
	ID           string       `json:"id"`        // short and stable: "gpt2"
	Name         string       `json:"name"`      // for people: "GPT-2 124M"
	Config       Config       `json:"config"`    // HF's config.json
	Tokenizer    string       `json:"tokenizer"` // "gpt2", or "own"
	Quantisation Quantisation `json:"quantisation"`

	DistinctRows map[string]int `json:"distinct_rows,omitempty"`

	// The texts of vocab.json and merges.txt, where the tokenizer is its own.
	Vocab  string `json:"vocab,omitempty"`
	Merges string `json:"merges,omitempty"`

	Licence string     `json:"licence"`
	Source  SourceInfo `json:"source"`
	Error   Error      `json:"error"`
	Parts   []Part     `json:"parts"`
}

// Quantisation is how matrices are stored: in bytes of which Bits are used,
// with a scale for every Group columns, or with Bits 32 as float32. Tensors
// are those that are stored otherwise. Layer norms and biases are float32
// always.
type Quantisation struct {
	Bits    int             `json:"bits"`  // 2 to 8, or 32
	Group   int             `json:"group"` // a multiple of 32 up to 256; 0 with 32 bits
	Tensors map[string]Grid `json:"tensors,omitempty"`
}

// Grid is the Bits and Group of one matrix.
type Grid struct {
	Bits  int `json:"bits"`
	Group int `json:"group"`
}

// of is how the matrix of that name is stored.
func (q Quantisation) of(name string) Grid {
	if g, ok := q.Tensors[name]; ok {
		return g
	}
	return Grid{q.Bits, q.Group}
}

// SourceInfo is where the weights came from.
type SourceInfo struct {
	Repo     string `json:"repo"`
	Revision string `json:"revision"`
	SHA256   string `json:"sha256"` // of model.safetensors
}

// Error is what quantisation cost. RelativeRMSE is the root of the squared
// error of all quantised matrices over their squares, Tensors the same of each.
// KL (nats a token, mean) and Top1 (share of equal first choices) compare
// next-token distributions with those of the float32 weights on Tokens tokens;
// Tokens is 0 where nobody measured.
type Error struct {
	RelativeRMSE float64            `json:"relative_rmse"`
	Tensors      map[string]float64 `json:"tensors,omitempty"`
	KL           float64            `json:"kl_nats"`
	Top1         float64            `json:"top1_agreement"`
	Tokens       int                `json:"tokens"`
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
	if err := m.Quantisation.check(m.Config); err != nil {
		return err
	}
	for name, n := range m.DistinctRows {
		i := slices.IndexFunc(m.Config.tensors(), func(t tensor) bool { return t.tokens && t.name == name })
		if i < 0 || n < 1 || n > m.Config.VocabSize {
			return fmt.Errorf("distinct_rows: %s: %d, want 1 to %d rows of wte.weight or lm_head.weight", name, n, m.Config.VocabSize)
		}
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

func (q Quantisation) check(c Config) error {
	if err := (Grid{q.Bits, q.Group}).check(); err != nil {
		return err
	}
	matrices := map[string]bool{}
	for _, t := range c.tensors() {
		matrices[t.name] = !t.vector
	}
	for name, g := range q.Tensors {
		if !matrices[name] {
			return fmt.Errorf("quantisation: %s: no such matrix", name)
		}
		if err := g.check(); err != nil {
			return fmt.Errorf("quantisation: %s: %w", name, err)
		}
	}
	return nil
}

func (g Grid) check() error {
	if g.Bits == 32 && g.Group == 0 {
		return nil
	}
	if g.Bits < 2 || g.Bits > 8 {
		return fmt.Errorf("bits: %d, want 2 to 8, or 32 without groups", g.Bits)
	}
	return kernel.CheckGroup(g.Group)
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
// folder, whatever a URL parser makes of it.
func checkFile(what, name string, size int, sum string) error {
	if !plain(name) {
		return fmt.Errorf("%s: %q, want letters, digits, - and _, with single dots between", what, name)
	}
	if size < 1 || size > maxPart {
		return fmt.Errorf("%s: %s of %d bytes, want 1 to %d", what, name, size, maxPart)
	}
	if b, err := hex.DecodeString(sum); err != nil || len(b) != sha256.Size {
		return fmt.Errorf("%s: %s has sha256 %q, want 64 hex digits", what, name, sum)
	}
	return nil
}

// plain says whether name is words of ASCII letters, digits, - and _, joined by
// single dots.
func plain(name string) bool {
	for word := range strings.SplitSeq(name, ".") {
		if word == "" || strings.Trim(word, "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz") != "" {
			return false
		}
	}
	return true
}

// A part may have 8 MB decoded. It is packed to have at most 5, and at least half of
// that unless it is the only one: who loads holds several at once.
const (
	maxPart  = 8 << 20
	partSize = 5 << 20
)

// Bytes is the size of all parts, decoded.
func (m *Manifest) Bytes() int {
	n := 0
	for _, t := range m.Config.tensors() {
		matrix, index := m.bytes(t)
		n += matrix + index
	}
	return n
}

// Hash names the weights: the sha256 of the parts' sha256s, in hex.
func (m *Manifest) Hash() string {
	var all []byte
	for _, p := range m.Parts {
		all = append(all, p.SHA256...)
	}
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:])
}

const align = 64

func aligned(n int) int { return (n + align - 1) / align * align }

// bytes is what a tensor takes in the concatenated parts: the tensor, then the
// index of its rows where equal ones are shared.
func (m *Manifest) bytes(t tensor) (matrix, index int) {
	rows := t.rows
	if n, ok := m.DistinctRows[t.name]; ok {
		rows, index = n, aligned(4*t.rows)
	}
	if g := m.Quantisation.of(t.name); !t.vector && g.Bits != 32 {
		return aligned(kernel.WeightBytes(rows, t.cols, g.Group)), index
	}
	return aligned(4 * rows * t.cols), index
}
