// Package folder opens model folders on disk.
package folder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"

	"decodingplayground/core/gpt2"
)

// Open loads the model in a folder. Every file is checked against the manifest.
func Open(dir string) (*gpt2.Manifest, *gpt2.Model, error) {
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return nil, nil, err
	}
	m, err := gpt2.ParseManifest(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	loader, err := gpt2.NewLoader(m)
	if err != nil {
		return nil, nil, err
	}
	for i, p := range m.Parts {
		if err := read(dir, p, loader.Part(i)); err != nil {
			return nil, nil, err
		}
		if err := loader.Verify(i); err != nil {
			return nil, nil, err
		}
	}
	model, err := loader.Model()
	return m, model, err
}

// read fills to with a part's decoded bytes.
func read(dir string, p gpt2.Part, to []byte) error {
	if p.CodedFile == "" {
		data, err := os.ReadFile(filepath.Join(dir, p.File))
		if err == nil && len(data) != len(to) {
			err = fmt.Errorf("%s: %d bytes, want %d", p.File, len(data), len(to))
		}
		copy(to, data)
		return err
	}
	coded, err := os.ReadFile(filepath.Join(dir, p.CodedFile))
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(coded); hex.EncodeToString(sum[:]) != p.CodedSHA256 {
		return fmt.Errorf("%s: sha256 %x, want %s", p.CodedFile, sum, p.CodedSHA256)
	}
	if _, err := io.ReadFull(brotli.NewReader(bytes.NewReader(coded)), to); err != nil {
		return fmt.Errorf("%s: %w", p.CodedFile, err)
	}
	return nil
}
