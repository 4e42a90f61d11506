package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/andybalholm/brotli"
)

// compressed are the types worth a .br. Model parts are compressed already.
var compressed = []string{".html", ".js", ".css", ".json", ".svg", ".txt", ".wasm"}

// compress adds name.br to files wherever it is smaller.
func (s site) compress(files map[string][]byte) error {
	names := slices.DeleteFunc(sorted(files), func(name string) bool {
		return !slices.Contains(compressed, path.Ext(name))
	})
	coded := make([][]byte, len(names))
	errs := make([]error, len(names))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, name := range names {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			coded[i], errs[i] = s.brotli(files[name])
		})
	}
	wg.Wait()
	for i, name := range names {
		if errs[i] != nil {
			return errs[i]
		}
		if len(coded[i]) < len(files[name]) {
			files[name+".br"] = coded[i]
		}
	}
	return nil
}

// brotli compresses data as far as it goes. That takes seconds for a wasm
// binary, so the result is kept in the cache under the hash of data.
func (s site) brotli(data []byte) ([]byte, error) {
	if s.cache == "" {
		return encode(data)
	}
	sum := sha256.Sum256(data)
	file := filepath.Join(s.cache, hex.EncodeToString(sum[:]))
	if kept, err := os.ReadFile(file); err == nil {
		return kept, nil
	}
	coded, err := encode(data)
	if err != nil {
		return nil, err
	}
	if err := write(file+".new", coded); err != nil {
		return nil, err
	}
	return coded, os.Rename(file+".new", file)
}

func encode(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}
