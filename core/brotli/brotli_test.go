package brotli

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

func encode(data []byte, quality, window int) []byte {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: quality, LGWin: window})
	_, _ = w.Write(data)
	_ = w.Close()
	return b.Bytes()
}

// samples are data of different kinds: what the encoder makes of them uses
// every part of the format.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	weights := make([]byte, 700_000)
	for i := range weights {
		weights[i] = byte(int8(r.NormFloat64() * 20))
	}
	random := make([]byte, 100_000)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	source, err := os.ReadFile("metablock.go")
	if err != nil {
		t.Fatal(err)
	}
	var words strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&words, "%s time, the Government of the united states. DOWN %d\n", []string{"Über", "naïve", "mañana", "日本語"}[i%4], i*i)
	}
	return map[string][]byte{
		"empty":    {},
		"byte":     {0},
		"two":      []byte("ab"),
		"zeros":    make([]byte, 3<<20),
		"weights":  weights,
		"random":   random,
		"source":   source,
		"html":     []byte("<html><head><title>Time and life, without the Internet</title></head><body class=\"content\">"),
		"words":    []byte(words.String()),
		"mixed":    bytes.Join([][]byte{source, weights[:50_000], random[:300], source, []byte(words.String())[:9000]}, nil),
		"periodic": bytes.Repeat([]byte("abcdefghij klmno"), 20_000),
	}
}

func TestDecode(t *testing.T) {
	buf := make([]byte, 0, 1000)
	for name, want := range samples(t) {
		for quality := 0; quality <= 11; quality++ {
			if quality > 9 && len(want) > 200_000 {
				continue // slow, and no other format
			}
			for _, window := range []int{10, 16, 17, 18, 22, 24} {
				coded := encode(want, quality, window)
				got, err := Decode(buf, coded, len(want))
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s, quality %d, window %d: %d bytes, want %d; %v", name, quality, window, len(got), len(want), err)
				}
			}
		}
	}
}

func TestCorrupt(t *testing.T) {
	good := encode([]byte(strings.Repeat("weights ", 10_000)), 5, 22)
	noise := encode(samples(t)["weights"], 5, 22)
	for _, c := range []struct {
		name  string
		coded []byte
		want  string
	}{
		{"nothing", nil, "ends too early"},
		{"cut", noise[:len(noise)/2], "ends too early"},
		{"last byte gone", good[:len(good)-1], "ends too early"},
		{"more behind the end", append(bytes.Clone(good), "more"...), "bytes behind its end"},
		{"a web page", []byte("<!doctype html><title>Not found</title>" + strings.Repeat(" ", 500)), "corrupt"},
		{"all ones", bytes.Repeat([]byte{0xff}, 100), "corrupt"},
		{"a large window", []byte{0x11, 0, 0}, "large window"},
	} {
		if got, err := Decode(nil, c.coded, 1<<20); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d bytes, %v, want %q", c.name, len(got), err, c.want)
		}
	}
	if _, err := Decode(nil, good, 80_000); err != nil {
		t.Error(err)
	}
	if _, err := Decode(nil, good, 79_999); err != errTooLong {
		t.Errorf("past the limit: %v", err)
	}
}

// Memory that is large enough is used.
func TestDecodeInPlace(t *testing.T) {
	dst := make([]byte, 80_000)
	got, err := Decode(dst, encode(bytes.Repeat([]byte("weights "), 10_000), 5, 22), 80_000)
	if err != nil || &got[0] != &dst[0] || !bytes.HasPrefix(dst, []byte("weights weights")) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// Damage is an error or other bytes, the same as the library's.
func FuzzDecode(f *testing.F) {
	for _, data := range samples(f) {
		for _, quality := range []int{0, 1, 2, 5, 11} {
			f.Add(encode(data[:min(len(data), 3000)], quality, 18))
		}
	}
	f.Add([]byte{0x0c, 0x80, 'x', 0x03}) // metadata
	f.Fuzz(func(t *testing.T, coded []byte) {
		const limit = 1 << 20
		got, err := Decode(nil, coded, limit)
		want := make([]byte, limit+1)
		r := brotli.NewReader(bytes.NewReader(coded))
		n, wantErr := io.ReadFull(r, want)
		switch {
		case wantErr == nil: // more than the limit
			if err == nil {
				t.Fatalf("%d bytes, want an error", len(got))
			}
		case wantErr == io.EOF, wantErr == io.ErrUnexpectedEOF:
			// The library says the same of an end and of a cut.
			if err == nil && !bytes.Equal(got, want[:n]) {
				t.Fatalf("%d bytes, want %d others", len(got), n)
			}
		case err == nil:
			t.Fatalf("%d bytes, want %v", len(got), wantErr)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	data := samples(b)["weights"]
	for _, quality := range []int{5, 11} {
		b.Run(fmt.Sprint(quality), func(b *testing.B) {
			coded := encode(data, quality, 24)
			dst := make([]byte, len(data))
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Decode(dst, coded, len(data)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
