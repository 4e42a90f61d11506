package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"decodingplayground/core/gpt2"
)

// checkpoint is a folder with config.json and model.safetensors or, where that
// is missing, the files that model.safetensors.index.json names: transformers'
// order, too.
type checkpoint struct {
	config gpt2.Config
	source gpt2.Shards
	sha256 string // of the files' bytes, one file after the other
	files  []*os.File
}

func openCheckpoint(dir string) (_ *checkpoint, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil {
		return nil, err
	}
	c := &checkpoint{}
	if c.config, err = gpt2.ParseConfig(text); err != nil {
		return nil, err
	}
	names, err := weightFiles(dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	sum := sha256.New()
	for _, name := range names {
		file, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		c.files = append(c.files, file)
		size, err := io.Copy(sum, file)
		if err != nil {
			return nil, err
		}
		tensors, err := gpt2.OpenSafetensors(file, size)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c.source = append(c.source, tensors)
	}
	c.sha256 = hex.EncodeToString(sum.Sum(nil))
	return c, nil
}

func weightFiles(dir string) ([]string, error) {
	const whole = "model.safetensors"
	if _, err := os.Stat(filepath.Join(dir, whole)); !errors.Is(err, fs.ErrNotExist) {
		return []string{whole}, err
	}
	index, err := os.ReadFile(filepath.Join(dir, whole+".index.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return []string{whole}, nil // opening it says that it is missing
	}
	if err != nil {
		return nil, err
	}
	return gpt2.ShardFiles(index)
}

func (c *checkpoint) close() {
	for _, f := range c.files {
		f.Close()
	}
}
