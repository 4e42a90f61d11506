package gpt2

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"
	"testing"

	"decodingplayground/core/lm"
)

// FuzzManifest parses anything. What is taken means the same when it is written
// and read again, and its parts are as large as its tensors.
func FuzzManifest(f *testing.F) {
	for _, q := range []Quantisation{{Bits: 8, Group: 32}, {Bits: 32}, {Bits: 4, Group: 64, Tensors: map[string]Grid{"wte.weight": {8, 32}}}} {
		m, _ := packed(f, tinyConfig(), fake{repeat: true}, q)
		text, err := m.JSON()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ParseManifest(text)
		if err != nil {
			return
		}
		written, err := m.JSON()
		if err != nil {
			t.Fatalf("a manifest that parses can't be written: %v", err)
		}
		again, err := ParseManifest(written)
		if err != nil {
			t.Fatalf("what was written is refused: %v", err)
		}
		if !reflect.DeepEqual(again, m) {
			t.Errorf("read again:\n%+v\nwant\n%+v", again, m)
		}
		total := 0
		for _, tensor := range m.Config.tensors() {
			size, index := m.bytes(tensor)
			total += size + index
		}
		if total != m.Bytes() {
			t.Errorf("parts of %d bytes, tensors of %d", m.Bytes(), total)
		}
	})
}

// FuzzPart hands a loader any bytes for any part, in any order: only the very
// bytes of the manifest are taken, and a model comes of nothing less.
func FuzzPart(f *testing.F) {
	m, parts := packed(f, tinyConfig(), fake{}, Quantisation{Bits: 8, Group: 32})
	f.Add(0, parts[0], true)
	f.Add(0, parts[0][1:], false)
	f.Add(-1, []byte{}, false)
	f.Add(len(parts), []byte("x"), false)
	f.Fuzz(func(t *testing.T, i int, data []byte, then bool) {
		l, err := NewLoader(m)
		if err != nil {
			t.Fatal(err)
		}
		right := i >= 0 && i < len(parts) && slices.Equal(data, parts[i])
		if err := l.SetPart(i, data); (err == nil) != right {
			t.Fatalf("part %d with %d bytes: %v", i, len(data), err)
		}
		if _, err := l.Model(); (err == nil) != (right && len(parts) == 1) {
			t.Fatalf("a model of %d parts after part %d: %v", len(parts), i, err)
		}
		if !then {
			return
		}
		for i, p := range parts {
			if err := l.SetPart(i, p); err != nil {
				t.Fatalf("part %d after a wrong one: %v", i, err)
			}
		}
		if _, err := l.Model(); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzWeights builds a model of bytes that have the right hash, as a crafted
// model would: it is refused, or it runs.
func FuzzWeights(f *testing.F) {
	cfg := tinyConfig()
	m, parts := packed(f, cfg, fake{repeat: true}, Quantisation{Bits: 8, Group: 32})
	f.Add(0, []byte{0, 0, 192, 127})
	f.Add(1<<10, []byte{255, 255, 255, 127})
	f.Add(len(parts[0])-8, []byte{255, 255, 255, 255, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, at int, patch []byte) {
		crafted := *m
		crafted.Parts = slices.Clone(m.Parts)
		data := slices.Concat(parts...)
		if at < 0 || at >= len(data) {
			return
		}
		copy(data[at:], patch)
		l, err := NewLoader(&crafted)
		if err != nil {
			t.Fatal(err)
		}
		for i := range crafted.Parts {
			size := crafted.Parts[i].Bytes
			sum := sha256.Sum256(data[:size])
			crafted.Parts[i].SHA256 = hex.EncodeToString(sum[:])
			if err := l.SetPart(i, data[:size]); err != nil {
				t.Fatal(err)
			}
			data = data[size:]
		}
		model, err := l.Model()
		if err != nil {
			return
		}
		out, err := model.Forward(lm.Input{IDs: []int{0, 3, 300}})
		if err != nil {
			t.Fatal(err)
		}
		model.Head(out[0].Hidden...)
	})
}
