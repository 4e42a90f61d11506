//go:build js && wasm

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall/js"
	"testing"
)

// encode is Node's own brotli.
func encode(data []byte) []byte {
	zlib := js.Global().Call("require", "node:zlib")
	quality := strconv.Itoa(zlib.Get("constants").Get("BROTLI_PARAM_QUALITY").Int())
	options := map[string]any{"params": map[string]any{quality: 5}}
	coded := zlib.Call("brotliCompressSync", array(data), options)
	out := make([]byte, coded.Length())
	js.CopyBytesToGo(out, coded)
	return out
}

func array(data []byte) js.Value {
	a := uint8Array.New(len(data))
	js.CopyBytesToJS(a, data)
	return a
}

// arrays are arrays of up to size bytes.
func arrays(data []byte, size int) js.Value {
	list := []any{}
	for len(data) > 0 {
		n := min(size, len(data))
		list = append(list, array(data[:n]))
		data = data[n:]
	}
	return js.ValueOf(list)
}

func join(chunks []any) []byte {
	var out []byte
	for _, c := range chunks {
		a := c.(js.Value)
		b := make([]byte, a.Length())
		js.CopyBytesToGo(b, a)
		out = append(out, b...)
	}
	return out
}

func TestDecode(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 700_000)
	for i := range noise {
		noise[i] = byte(int8(rng.NormFloat64() * 20))
	}
	var d decoder // one for all
	for name, want := range map[string][]byte{
		"empty":   {},
		"byte":    {0},
		"text":    []byte(strings.Repeat("The cat ran after a mouse. ", 40_000)),
		"weights": noise,
	} {
		coded := encode(want)
		for _, size := range []int{100, 256 << 10, 1 << 20} {
			for _, room := range []int{0, 1000, len(want), 2 << 20} {
				into := arrays(make([]byte, room), 300_000)
				chunks, err := d.decode(arrays(coded, size), into)
				if got := join(chunks); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s in pieces of %d into %d: %d bytes, want %d; %v", name, size, room, len(got), len(want), err)
				}
			}
		}
	}
}

// The arrays that are given are used.
func TestDecodeInto(t *testing.T) {
	var d decoder
	into := arrays(make([]byte, 100), 60)
	if _, err := d.decode(arrays(encode(bytes.Repeat([]byte("ab"), 50)), 7), into); err != nil {
		t.Fatal(err)
	}
	if got := join([]any{into.Index(0), into.Index(1)}); string(got) != strings.Repeat("ab", 50) {
		t.Errorf("%q", got)
	}
}

func TestBadStream(t *testing.T) {
	var d decoder
	good := encode([]byte(strings.Repeat("weights ", 10_000)))
	if chunks, err := d.decode(arrays(good[:len(good)-2], 50), js.ValueOf([]any{})); err == nil {
		t.Errorf("half a stream gives %d chunks", len(chunks))
	}
	if chunks, err := d.decode(arrays(good, 50), js.ValueOf([]any{})); err != nil || len(join(chunks)) != 80_000 {
		t.Errorf("the next stream: %v", err)
	}
}

// BenchmarkDecode decodes a part of the default model: MB/s are decoded ones.
func BenchmarkDecode(b *testing.B) {
	names, err := filepath.Glob("../../weights/default/*/part-000.bin.br")
	if err != nil || len(names) == 0 {
		b.Fatalf("no part of a model: %v", err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		b.Fatal(err)
	}
	coded, into := arrays(data, 1<<20), arrays(make([]byte, 9<<20), 1<<20)
	var d decoder
	for b.Loop() {
		chunks, err := d.decode(coded, into)
		if err != nil {
			b.Fatal(err)
		}
		var size int64
		for _, c := range chunks {
			size += int64(c.(js.Value).Length())
		}
		b.SetBytes(size)
	}
}
