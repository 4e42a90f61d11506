package sha256

import (
	"crypto/sha256"
	"testing"
)

func TestSum256(t *testing.T) {
	data := make([]byte, 300)
	for i := range data {
		data[i] = byte(i * 7)
	}
	for n := range len(data) + 1 {
		if got, want := Sum256(data[:n]), sha256.Sum256(data[:n]); got != want {
			t.Errorf("%d bytes: %x, want %x", n, got, want)
		}
	}
}

func BenchmarkSum256(b *testing.B) {
	data := make([]byte, 1<<20)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		Sum256(data)
	}
}
