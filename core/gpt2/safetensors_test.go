package gpt2

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// file is a safetensors file of a header and data.
func file(header string, data ...byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), data...)
}

func open(data []byte) (*Safetensors, error) {
	return OpenSafetensors(bytes.NewReader(data), int64(len(data)))
}

func TestSafetensors(t *testing.T) {
	s, err := open(file(`{"__metadata__":{"format":"pt"},
		"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},
		"transformer.b":{"dtype":"F16","shape":[4],"data_offsets":[8,16]},
		"c":{"dtype":"BF16","shape":[2],"data_offsets":[16,20]},
		"h.0.attn.bias":{"dtype":"U8","shape":[1],"data_offsets":[20,21]}}   `,
		0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, // 1, -2
		0x00, 0x3c, 0x01, 0x00, 0xff, 0x7b, 0x00, 0x80, // 1, 2^-24, 65504, -0
		0x80, 0x3f, 0x49, 0x40, // 1, 3.140625
		1))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		shape []int
		want  []float32
	}{
		{"a", []int{1, 2}, []float32{1, -2}},
		{"b", []int{4}, []float32{1, 0x1p-24, 65504, float32(math.Copysign(0, -1))}},
		{"c", []int{2}, []float32{1, 3.140625}},
	} {
		tensor, err := s.Tensor(c.name, c.shape...)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float32, len(c.want))
		for i := range got { // one at a time, backwards: any piece can be read
			at := len(got) - 1 - i
			if err := tensor.Read(got[at:at+1], at); err != nil {
				t.Fatal(err)
			}
		}
		for i := range c.want {
			if math.Float32bits(got[i]) != math.Float32bits(c.want[i]) {
				t.Errorf("%s[%d] is %v, want %v", c.name, i, got[i], c.want[i])
			}
		}
	}
	for _, c := range []struct {
		name  string
		shape []int
		want  string
	}{
		{"d", []int{1}, "d: not in the file"},
		{"a", []int{2, 1}, "a: shape [1 2], want [2 1]"},
		{"a", []int{2}, "a: shape [1 2], want [2]"},
		{"h.0.attn.bias", []int{1}, "dtype U8, want F32"},
	} {
		if _, err := s.Tensor(c.name, c.shape...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestFloat16 compares all halves with their definition.
func TestFloat16(t *testing.T) {
	for h := range 1 << 16 {
		sign, exp, mant := 1.0, h>>10&31, float64(h&1023)
		if h>>15 == 1 {
			sign = -1
		}
		want := sign * math.Ldexp(1024+mant, exp-25)
		switch {
		case exp == 0:
			want = sign * math.Ldexp(mant, -24)
		case exp == 31 && mant == 0:
			want = math.Inf(int(sign))
		case exp == 31:
			want = math.NaN()
		}
		if got := float64(float16(uint16(h))); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%#04x is %v, want %v", h, got, want)
		}
	}
}

func TestSafetensorsRefuses(t *testing.T) {
	const one = `{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "too short"},
		{"a web page", []byte("<!doctype html><title>404</title>"), "header of"},
		{"huge header", binary.LittleEndian.AppendUint64(nil, 1<<62), "header of"},
		{"header past the end", file(one)[:20], "truncated"},
		{"no JSON", file("{"), "header: "},
		{"a list", file("[]"), "header: "},
		{"data cut off", file(one, 1, 2, 3), "a: truncated: ends at byte 8 of 3"},
		{"wrong length", file(`{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}`, make([]byte, 8)...), "want 12 bytes"},
		{"backwards", file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}`, make([]byte, 8)...), "a: offsets"},
		{"negative", file(`{"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}`, make([]byte, 8)...), "a: shape"},
		{"overflow", file(`{"a":{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,0]}}`), "a: "},
		{"dtype", file(`{"a":{"dtype":"Q4","shape":[2],"data_offsets":[0,8]}}`, make([]byte, 8)...), `unknown dtype "Q4"`},
		{"overlap", file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
			"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}`, make([]byte, 12)...), "b overlaps a"},
	} {
		if _, err := open(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	s, err := open(file(one, 0, 0, 0x80, 0x3f, 0, 0, 0xc0, 0x7f))
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Tensor("a", 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Read(make([]float32, 2), 0); err == nil || err.Error() != "a: element 1 is NaN, want a finite number" {
		t.Errorf("NaN: %v", err)
	}
}

func FuzzSafetensors(f *testing.F) {
	f.Add(file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, make([]byte, 8)...))
	f.Add(file(`{"a":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}}`, 1, 2))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := open(data)
		if err != nil {
			return
		}
		for name, e := range s.entries {
			shape := make([]int, len(e.Shape))
			n := 1
			for i, v := range e.Shape {
				shape[i] = int(v)
				n *= shape[i]
			}
			tensor, err := s.Tensor(name, shape...)
			if err != nil {
				continue
			}
			if err := tensor.Read(make([]float32, n), 0); err != nil && !strings.Contains(err.Error(), "finite") {
				t.Errorf("%s: %v", name, err)
			}
			if err := tensor.Read(make([]float32, 1), n); err == nil {
				t.Errorf("%s: element %d of %d", name, n, n)
			}
		}
	})
}
