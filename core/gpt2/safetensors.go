package gpt2

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Safetensors reads the tensors of a model.safetensors file: eight bytes with
// the length of the header, the header (JSON: name → dtype, shape, offsets),
// the bytes. See https://github.com/huggingface/safetensors.
type Safetensors struct {
	file    io.ReaderAt
	data    int64 // where the tensors' bytes begin
	entries map[string]stEntry
}

type stEntry struct {
	Dtype   string   `json:"dtype"`
	Shape   []int64  `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// maxHeader is the limit of the reference implementation.
const maxHeader = 100 << 20

var dtypeBytes = map[string]int64{
	"BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1,
	"U16": 2, "I16": 2, "F16": 2, "BF16": 2,
	"U32": 4, "I32": 4, "F32": 4, "U64": 8, "I64": 8, "F64": 8,
}

// OpenSafetensors reads and checks the header of a file of size bytes. Tensors
// are read when asked for; file must stay open until then.
func OpenSafetensors(file io.ReaderAt, size int64) (*Safetensors, error) {
	var length [8]byte
	if size < 8 {
		return nil, fmt.Errorf("safetensors: %d bytes, too short for a header", size)
	}
	if _, err := file.ReadAt(length[:], 0); err != nil {
		return nil, fmt.Errorf("safetensors: header length: %w", err)
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader {
		return nil, fmt.Errorf("safetensors: header of %d bytes, want at most %d", n, maxHeader)
	}
	if int64(n) > size-8 {
		return nil, fmt.Errorf("safetensors: truncated: header of %d bytes in a file of %d", n, size)
	}
	header := make([]byte, n)
	if _, err := file.ReadAt(header, 8); err != nil {
		return nil, fmt.Errorf("safetensors: header: %w", err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(header, &raw); err != nil {
		return nil, fmt.Errorf("safetensors: header: %w", err)
	}
	s := &Safetensors{file: file, data: 8 + int64(n), entries: map[string]stEntry{}}
	for name, text := range raw {
		if name == "__metadata__" {
			continue
		}
		var e stEntry
		if err := json.Unmarshal(text, &e); err != nil {
			return nil, fmt.Errorf("safetensors: %s: %w", name, err)
		}
		s.entries[name] = e
	}
	if err := s.check(size - s.data); err != nil {
		return nil, fmt.Errorf("safetensors: %w", err)
	}
	return s, nil
}

// check sees that every tensor lies within the file's size bytes of data, is
// as long as its shape says, and overlaps no other.
func (s *Safetensors) check(size int64) error {
	type span struct {
		begin, end int64
		name       string
	}
	var spans []span
	for name, e := range s.entries {
		want, ok := dtypeBytes[e.Dtype]
		if !ok {
			return fmt.Errorf("%s: unknown dtype %q", name, e.Dtype)
		}
		for _, n := range e.Shape {
			if n < 0 || n > 0 && want > math.MaxInt64/n {
				return fmt.Errorf("%s: shape %v is out of range", name, e.Shape)
			}
			want *= n
		}
		begin, end := e.Offsets[0], e.Offsets[1]
		if begin < 0 || end < begin || end-begin != want {
			return fmt.Errorf("%s: offsets %v, want %d bytes for %s %v", name, e.Offsets, want, e.Dtype, e.Shape)
		}
		if end > size {
			return fmt.Errorf("%s: truncated: ends at byte %d of %d", name, end, size)
		}
		spans = append(spans, span{begin, end, name})
	}
	slices.SortFunc(spans, func(a, b span) int {
		if a.begin != b.begin {
			return int(min(max(a.begin-b.begin, -1), 1))
		}
		return strings.Compare(a.name, b.name)
	})
	for i := 1; i < len(spans); i++ {
		if spans[i].begin < spans[i-1].end {
			return fmt.Errorf("%s overlaps %s", spans[i].name, spans[i-1].name)
		}
	}
	return nil
}

// Tensor implements Source. The name may stand in the file with or without
// "transformer." before it. F32, F16 and BF16 are read.
func (s *Safetensors) Tensor(name string, shape ...int) (Tensor, error) {
	e, ok := s.find(name)
	if !ok {
		return nil, fmt.Errorf("%s: not in the file", name)
	}
	if !slices.EqualFunc(e.Shape, shape, func(got int64, want int) bool { return got == int64(want) }) {
		return nil, fmt.Errorf("%s: shape %v, want %v", name, e.Shape, shape)
	}
	widen := map[string]func([]byte, []float32){"F32": fromF32, "F16": fromF16, "BF16": fromBF16}[e.Dtype]
	if widen == nil {
		return nil, fmt.Errorf("%s: dtype %s, want F32, F16 or BF16", name, e.Dtype)
	}
	size := dtypeBytes[e.Dtype]
	data := io.NewSectionReader(s.file, s.data+e.Offsets[0], e.Offsets[1]-e.Offsets[0])
	return &stTensor{name, data, size, widen, nil}, nil
}

func (s *Safetensors) has(name string) bool {
	_, ok := s.find(name)
	return ok
}

func (s *Safetensors) find(name string) (stEntry, bool) {
	e, ok := s.entries[name]
	if !ok {
		e, ok = s.entries["transformer."+name]
	}
	return e, ok
}

// stTensor is a tensor in a file.
type stTensor struct {
	name  string
	data  *io.SectionReader
	size  int64 // bytes of an element
	widen func([]byte, []float32)
	buf   []byte
}

// Read implements Tensor, up to 1 MB at a time.
func (t *stTensor) Read(dst []float32, at int) error {
	if t.buf == nil {
		t.buf = make([]byte, min(1<<20, t.data.Size()))
	}
	for len(dst) > 0 {
		n := min(len(dst), len(t.buf)/int(t.size))
		chunk := t.buf[:n*int(t.size)]
		if got, err := t.data.ReadAt(chunk, int64(at)*t.size); got < len(chunk) {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		t.widen(chunk, dst)
		for i, v := range dst[:n] {
			if v-v != 0 { // NaN and the infinities
				return fmt.Errorf("%s: element %d is %v, want a finite number", t.name, at+i, v)
			}
		}
		dst, at = dst[n:], at+n
	}
	return nil
}

func fromF32(b []byte, v []float32) {
	for i := range len(b) / 4 {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
}

func fromBF16(b []byte, v []float32) {
	for i := range len(b) / 2 {
		v[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16)
	}
}

func fromF16(b []byte, v []float32) {
	for i := range len(b) / 2 {
		v[i] = float16(binary.LittleEndian.Uint16(b[2*i:]))
	}
}

// float16 widens an IEEE half: sign, 5 bits of exponent, 10 of mantissa.
func float16(h uint16) float32 {
	sign := uint32(h>>15) << 31
	exp := uint32(h >> 10 & 31)
	mant := uint32(h & 1023)
	switch exp {
	case 0: // zero and subnormals: mant * 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(mant)*0x1p-24))
	case 31:
		return math.Float32frombits(sign | 255<<23 | mant<<13)
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | mant<<13)
}
