package main

import (
	"bytes"
	"fmt"
	"testing"
)

func TestCompressEqualFiles(t *testing.T) {
	s := site{cache: t.TempDir(), quality: 0}
	for round := range 300 {
		files := map[string][]byte{}
		for i := range 8 {
			files[fmt.Sprintf("%d.js", i)] = bytes.Repeat(fmt.Appendf(nil, "let a = %d;\n", round), 50)
		}
		if err := s.compress(files); err != nil {
			t.Fatal(err)
		}
		if len(files) != 16 {
			t.Fatalf("%d files, want 8 and their .br", len(files))
		}
	}
}
