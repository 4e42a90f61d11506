package gpt2

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// fake is a Source of random weights.
type fake struct {
	seed   uint64
	repeat bool // most tokens have one row
}

func (f fake) Tensor(name string, shape ...int) (Tensor, error) {
	n := 1
	for _, s := range shape {
		n *= s
	}
	var key [32]byte
	copy(key[:], fmt.Sprint(name, f.seed))
	r := rand.New(rand.NewChaCha8(key))
	values := make(Values, n)
	for i := range values {
		values[i] = float32(r.NormFloat64()) * 0.1
	}
	if f.repeat && (name == "wte.weight" || name == "lm_head.weight") {
		for row := 3; row < shape[0]; row += 1 + row%4/3 {
			copy(values[row*shape[1]:][:shape[1]], values[:shape[1]])
		}
	}
	return values, nil
}

func tinyConfig() Config {
	return Config{
		VocabSize: 301, NPositions: 20, NEmbd: 36, NLayer: 2, NHead: 3, NInner: 100,
		Activation: "gelu_new", Epsilon: 1e-5, TieWordEmbeddings: true, ScaleAttnWeights: true,
	}
}

func packed(t testing.TB, cfg Config, src Source, q Quantisation) (*Manifest, [][]byte) {
	t.Helper()
	var parts [][]byte
	m, err := Pack(cfg, src, q, func(_ Part, data []byte) error {
		parts = append(parts, bytes.Clone(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	m.ID, m.Name, m.Tokenizer = "tiny", "Tiny", "gpt2"
	return m, parts
}

func TestPackAndLoad(t *testing.T) {
	for _, q := range []Quantisation{
		{Bits: 8, Group: 32},
		{Bits: 8, Group: 64},
		{Bits: 5, Group: 32},
		{Bits: 32},
		{Bits: 6, Group: 64, Tensors: map[string]Grid{"wte.weight": {8, 32}, "h.1.mlp.c_fc.weight": {Bits: 32}}},
	} {
		for _, odd := range []bool{true, false} {
			cfg := tinyConfig()
			cfg.TieWordEmbeddings = odd
			src := fake{1, odd}
			m, parts := packed(t, cfg, src, q)
			if len(m.DistinctRows) > 0 != odd {
				t.Errorf("distinct rows %v, want some: %v", m.DistinctRows, odd)
			}
			text, err := m.JSON()
			if err != nil {
				t.Fatal(err)
			}
			read, err := ParseManifest(text)
			if err != nil {
				t.Fatal(err)
			}
			l, err := NewLoader(read)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := l.Model(); err == nil || !strings.Contains(err.Error(), "not loaded") {
				t.Errorf("model without parts: %v", err)
			}
			for i, part := range slices.Backward(parts) {
				if err := l.SetPart(i, part); err != nil {
					t.Fatal(err)
				}
			}
			w, err := l.weights()
			if err != nil {
				t.Fatal(err)
			}
			for _, tensor := range cfg.tensors() {
				want, _ := src.Tensor(tensor.name, tensor.shape()...)
				checkTensor(t, w, tensor, q.of(tensor.name), want.(Values))
			}
		}
	}
}

// checkTensor compares a loaded tensor with what was packed.
func checkTensor(t *testing.T, m weights, tensor tensor, q Grid, want []float32) {
	t.Helper()
	if tensor.vector {
		for i, v := range m.vectors[tensor.name] {
			if v != want[i] {
				t.Fatalf("%s[%d] is %v, want %v", tensor.name, i, v, want[i])
			}
		}
		return
	}
	near := 0.0
	if q.Bits != 32 {
		near = 0.6 / float64(int(1)<<(q.Bits-1)-1) / 2 // half a step: random weights stay below 0.6
	}
	if q.Bits < 8 {
		near *= 4 // the largest may be cut
	}
	row := make([]float32, tensor.cols)
	for r := range tensor.rows {
		m.matrices[tensor.name].Row(row, r)
		for c, got := range row {
			w := want[r*tensor.cols+c]
			if tensor.conv1D {
				w = want[c*tensor.rows+r]
			}
			if math.Abs(float64(got-w)) > near {
				t.Fatalf("%s[%d][%d] is %v, want %v", tensor.name, r, c, got, w)
			}
		}
	}
}

func TestPackIsDeterministic(t *testing.T) {
	a, _ := packed(t, tinyConfig(), fake{}, Quantisation{Bits: 8, Group: 64})
	b, _ := packed(t, tinyConfig(), fake{}, Quantisation{Bits: 8, Group: 64})
	if a.Hash() != b.Hash() {
		t.Error("two runs differ")
	}
	if a.Error.RelativeRMSE < 1e-3 || a.Error.RelativeRMSE > 1e-2 {
		t.Errorf("relative error of 8 bits is %v", a.Error.RelativeRMSE)
	}
}

// streamed is a Source of pseudo-random weights that keeps nothing, and notes
// the most memory in use while it is read.
type streamed struct{ most *uint64 }

func (s streamed) Tensor(_ string, shape ...int) (Tensor, error) { return s, nil }

func (s streamed) Read(dst []float32, at int) error {
	for i := range dst {
		dst[i] = float32((at+i)*2654435761%1000) / 5000
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	*s.most = max(*s.most, m.HeapAlloc)
	return nil
}

func TestPackStreams(t *testing.T) {
	cfg := tinyConfig()
	cfg.VocabSize, cfg.NEmbd, cfg.NHead, cfg.NInner = 50257, 192, 3, 768
	largest := uint64(4 * cfg.VocabSize * cfg.NEmbd)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var most uint64
	if _, err := Pack(cfg, streamed{&most}, Quantisation{Bits: 8, Group: 64}, func(Part, []byte) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if used := most - m.HeapAlloc; used > 2*largest {
		t.Errorf("%d bytes in use, want at most twice the largest tensor, %d", used, largest)
	} else {
		t.Logf("%.1f of the largest tensor's size", float64(used)/float64(largest))
	}
}

func TestPackTellsErrorByTensor(t *testing.T) {
	q := Quantisation{Bits: 4, Group: 32, Tensors: map[string]Grid{"wte.weight": {8, 32}, "wpe.weight": {Bits: 32}}}
	m, _ := packed(t, tinyConfig(), fake{}, q)
	e := m.Error.Tensors
	if e["wte.weight"] > 0.01 || e["h.0.attn.c_attn.weight"] < 0.05 || len(e) != 9 {
		t.Errorf("errors %v", e)
	}
	q.Tensors = map[string]Grid{"h.0.ln_1.bias": {8, 32}}
	if _, err := Pack(tinyConfig(), fake{}, q, nil); err == nil || !strings.Contains(err.Error(), "h.0.ln_1.bias: no such matrix") {
		t.Errorf("a vector with bits: %v", err)
	}
}

func TestShards(t *testing.T) {
	names, err := ShardFiles([]byte(`{"metadata":{},"weight_map":{"a":"m-2.safetensors","b":"m-1.safetensors","c":"m-2.safetensors"}}`))
	if err != nil || fmt.Sprint(names) != "[m-1.safetensors m-2.safetensors]" {
		t.Errorf("%v, %v", names, err)
	}
	for _, bad := range []string{`{}`, `[`, `{"weight_map":{"a":"../m.safetensors"}}`, `{"weight_map":{"a":"m.bin"}}`} {
		if names, err := ShardFiles([]byte(bad)); err == nil {
			t.Errorf("%s: %v", bad, names)
		}
	}
	one, _ := open(file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 0, 0, 0x80, 0x3f))
	two, _ := open(file(`{"transformer.b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 0, 0, 0, 0x40))
	for name, want := range map[string]float32{"a": 1, "b": 2} {
		tensor, err := Shards{one, two}.Tensor(name, 1)
		if err != nil {
			t.Fatal(err)
		}
		got := []float32{0}
		if err := tensor.Read(got, 0); err != nil || got[0] != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := (Shards{one, two}).Tensor("c", 1); err == nil || err.Error() != "c: in none of 2 files" {
		t.Error(err)
	}
}

func TestPartSizes(t *testing.T) {
	for _, total := range []int{64, partSize - 64, partSize, partSize + 64, 3*partSize + 128} {
		got := 0
		w := newPartWriter(total, func(p Part, data []byte) error {
			got += len(data)
			if len(data) > partSize || total > partSize && len(data) < partSize/2-align {
				t.Errorf("total %d: a part of %d bytes", total, len(data))
			}
			return nil
		})
		for left := total; left > 0; left -= min(left, 5<<20) {
			if err := w.write(make([]byte, min(left, 5<<20))); err != nil {
				t.Fatal(err)
			}
		}
		if got != total {
			t.Errorf("total %d: wrote %d", total, got)
		}
	}
}

func TestLoaderRefuses(t *testing.T) {
	m, parts := packed(t, tinyConfig(), fake{}, Quantisation{Bits: 8, Group: 32})
	l, err := NewLoader(m)
	if err != nil {
		t.Fatal(err)
	}
	broken := bytes.Clone(parts[0])
	broken[100] ^= 1
	for _, c := range []struct {
		i    int
		data []byte
		want string
	}{
		{0, broken, "part-000.bin: corrupt"},
		{0, parts[0][1:], "part-000.bin: "},
		{0, []byte("<!doctype html>"), "part-000.bin: 15 bytes"},
		{-1, parts[0], "part -1"},
		{len(parts), parts[0], "part 1: want 0 to 0"},
	} {
		if err := l.SetPart(c.i, c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("SetPart(%d): %v, want %q", c.i, err, c.want)
		}
	}
	if err := l.SetPart(0, parts[0]); err != nil {
		t.Errorf("the right part after a broken one: %v", err)
	}
	if _, err := l.Model(); err != nil {
		t.Error(err)
	}
}

func TestManifestRefuses(t *testing.T) {
	m, _ := packed(t, tinyConfig(), fake{}, Quantisation{Bits: 8, Group: 32})
	text, err := m.JSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"format": 1`, `"format": 2`, "format: 2, want 1"},
		{`"group": 32`, `"group": 33`, "group: 33"},
		{`"bits": 8`, `"bits": 9`, "bits: 9"},
		{`"n_head": 3`, `"n_head": 5`, "n_head: 5, want a divisor"},
		{`"n_embd": 36`, `"n_embd": 39`, "want"},
		{`"vocab_size": 301`, `"vocab_size": 309`, "parts: "},
		{`"part-000.bin"`, `"../part-000.bin"`, "letters, digits"},
		{`"part-000.bin"`, `"http://x"`, "letters, digits"},
		{`"part-000.bin"`, `".\t."`, "letters, digits"}, // ".." to a URL parser
		{`"part-000.bin"`, `"part 000"`, "letters, digits"},
		{`"part-000.bin"`, `""`, "letters, digits"},
		{m.Parts[0].SHA256, "abc", "sha256"},
		{`"id": "tiny"`, `"id": ""`, "none empty"},
		{`{`, `<`, "manifest: invalid"},
	} {
		bad := strings.Replace(string(text), c.old, c.new, 1)
		if bad == string(text) {
			t.Fatalf("%s is not in the manifest", c.old)
		}
		if _, err := ParseManifest([]byte(bad)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.new, err, c.want)
		}
	}
}

// The list of all tensors is long: it is not made again for every one that is named.
func TestManyNamedTensors(t *testing.T) {
	c := tinyConfig()
	c.NLayer = 200
	q := Quantisation{Bits: 8, Group: 32, Tensors: map[string]Grid{}}
	once := testing.AllocsPerRun(1, func() { c.tensors() })
	for _, tensor := range c.tensors() {
		if !tensor.vector {
			q.Tensors[tensor.name] = Grid{8, 32}
		}
	}
	all := testing.AllocsPerRun(1, func() {
		if err := q.check(c); err != nil {
			t.Fatal(err)
		}
	})
	if all > 2*once {
		t.Errorf("%v allocations for %d named tensors, want at most twice the %v of the list", all, len(q.Tensors), once)
	}
}

func TestPackRefusesNaN(t *testing.T) {
	l, err := Load(tinyConfig(), nanSource{}, Quantisation{Bits: 8, Group: 32})
	if err == nil || !strings.Contains(err.Error(), "wpe.weight") {
		t.Errorf("%v, %v", l, err)
	}
}

type nanSource struct{ fake }

func (n nanSource) Tensor(name string, shape ...int) (Tensor, error) {
	if name == "wpe.weight" {
		return nil, fmt.Errorf("%s: element 0 is NaN", name)
	}
	return n.fake.Tensor(name, shape...)
}

func FuzzReadWeights(f *testing.F) {
	m, _ := packed(f, tinyConfig(), fake{}, Quantisation{Bits: 8, Group: 32})
	text, err := m.JSON()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ParseManifest(text)
		if err != nil || m.Bytes() > 64<<20 {
			return
		}
		l, err := NewLoader(m)
		if err != nil {
			t.Fatalf("a manifest that parses has no loader: %v", err)
		}
		for i := range m.Parts {
			if err := l.Verify(i); err == nil {
				continue
			}
			if _, err := l.Model(); err == nil {
				t.Error("a model with a wrong part")
			}
		}
	})
}
