package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
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

// brotli compresses data. That takes half a minute for a wasm binary at quality
// 11, so the result is kept in the cache under quality and hash.
func (s site) brotli(data []byte) ([]byte, error) {
	if s.cache == "" {
		return encode(data, s.quality)
	}
	file := filepath.Join(s.cache, fmt.Sprintf("%d-%x", s.quality, sha256.Sum256(data)))
	if kept, err := os.ReadFile(file); err == nil {
		return kept, nil
	}
	coded, err := encode(data, s.quality)
	if err != nil {
		return nil, err
	}
	return coded, s.keepCoded(file, coded)
}

// keepCoded writes a file of the cache whole or not at all: two files of a site
// may be equal, and two runs may share a cache.
func (s site) keepCoded(file string, coded []byte) error {
	if err := os.MkdirAll(s.cache, 0o755); err != nil {
		return err
	}
	fresh, err := os.CreateTemp(s.cache, "*.new")
	if err != nil {
		return err
	}
	_, err = fresh.Write(coded)
	if err := errors.Join(err, fresh.Close()); err != nil {
		return errors.Join(err, os.Remove(fresh.Name()))
	}
	return os.Rename(fresh.Name(), file)
}

func encode(data []byte, quality int) ([]byte, error) {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: quality, LGWin: 24})
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}
