//go:build js && wasm

package main

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"strings"
	"syscall/js"
	"testing"
)

// encode is Node's own brotli.
func encode(data []byte) []byte {
	array := uint8Array.New(len(data))
	js.CopyBytesToJS(array, data)
	zlib := js.Global().Call("require", "node:zlib")
	quality := strconv.Itoa(zlib.Get("constants").Get("BROTLI_PARAM_QUALITY").Int())
	options := map[string]any{"params": map[string]any{quality: 5}}
	coded := zlib.Call("brotliCompressSync", array, options)
	out := make([]byte, coded.Length())
	js.CopyBytesToGo(out, coded)
	return out
}

func join(chunks []any) []byte {
	var out []byte
	for _, c := range chunks {
		array := c.(js.Value)
		b := make([]byte, array.Length())
		js.CopyBytesToGo(b, array)
		out = append(out, b...)
	}
	return out
}

// decode pushes coded in pieces of size.
func decode(d *decoder, coded []byte, size int) ([]byte, error) {
	var out []byte
	for len(coded) > 0 {
		n := min(size, len(coded))
		chunks, err := d.push(coded[:n])
		if err != nil {
			return nil, err
		}
		out = append(out, join(chunks)...)
		coded = coded[n:]
	}
	chunks, err := d.finish()
	return append(out, join(chunks)...), err
}

func samples() map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 700_000)
	for i := range noise {
		noise[i] = byte(int8(rng.NormFloat64() * 20))
	}
	return map[string][]byte{
		"empty":   {},
		"byte":    {0},
		"text":    []byte(strings.Repeat("The cat ran after a mouse. ", 40_000)),
		"weights": noise,
	}
}

func TestDecode(t *testing.T) {
	d := newDecoder() // one for all: each stream leaves it ready for the next
	for name, want := range samples() {
		coded := encode(want)
		for _, size := range []int{1, 7, 32 << 10, 1 << 20} {
			if size == 1 && len(coded) > 10_000 {
				continue // slow, and no different
			}
			got, err := decode(d, coded, size)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s in pieces of %d: %d bytes, want %d; %v", name, size, len(got), len(want), err)
			}
		}
	}
}

func TestDecodesAsItGoes(t *testing.T) {
	d := newDecoder()
	coded := encode(samples()["weights"])
	chunks, err := d.push(coded[:len(coded)/2])
	if n := len(join(chunks)); err != nil || n < 100_000 {
		t.Errorf("half the stream gives %d bytes, %v", n, err)
	}
}

func TestBadStreams(t *testing.T) {
	good := encode([]byte(strings.Repeat("weights ", 10_000)))
	noise := encode(samples()["weights"])
	for _, c := range []struct {
		name  string
		coded []byte
		want  string
	}{
		{"nothing", nil, "ends too early"},
		{"cut", noise[:len(noise)/2], "ends too early"},
		{"last byte gone", good[:len(good)-1], "ends too early"},
		{"more after the end", append(bytes.Clone(good), "more"...), "corrupt"},
		{"an HTML page", []byte("<!doctype html><title>Not found</title>" + strings.Repeat(" ", 500)), "corrupt"},
		{"all ones", bytes.Repeat([]byte{0xff}, 100), "corrupt"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDecoder()
			got, err := decode(d, c.coded, 1<<20)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%d bytes, error %v, want %q in it", len(got), err, c.want)
			}
			again, err := decode(d, good, 1<<20)
			if err != nil || len(again) != 80_000 {
				t.Errorf("next stream: %d bytes, %v", len(again), err)
			}
		})
	}
}

// TestFlipped: damage is an error or other bytes, never a panic; the hash that
// the loader checks tells the rest.
func TestFlipped(t *testing.T) {
	good := encode([]byte(strings.Repeat("weights and biases ", 300)))
	d := newDecoder()
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x55
		_, _ = decode(d, bad, 16)
	}
}

func TestAnswer(t *testing.T) {
	if got, ok := answer(nil, errTruncated).(string); !ok || got != errTruncated.Error() {
		t.Errorf("answer %v, want the message", got)
	}
	if _, ok := answer([]any{}, nil).([]any); !ok {
		t.Error("want an array")
	}
}

func BenchmarkDecode(b *testing.B) {
	data := samples()["weights"]
	coded := encode(data)
	d := newDecoder()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := decode(d, coded, 256<<10); err != nil {
			b.Fatal(err)
		}
	}
}
