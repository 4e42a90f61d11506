package gpt2

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
)

// Source gives a checkpoint's tensors by their names without "transformer.":
// Safetensors, Shards, or a test's own. A tensor that is missing or of another
// shape is an error.
type Source interface {
	Tensor(name string, shape ...int) (Tensor, error)
}

// Tensor is read piece by piece: a checkpoint need not fit into memory.
type Tensor interface {
	// Read fills dst with the elements from index at on, row after row. One
	// that is not finite is an error.
	Read(dst []float32, at int) error
}

// Values is a tensor in memory.
type Values []float32

// Read implements Tensor.
func (v Values) Read(dst []float32, at int) error {
	if at < 0 || len(dst) > len(v)-at {
		return fmt.Errorf("elements %d to %d of %d", at, at+len(dst), len(v))
	}
	copy(dst, v[at:])
	return nil
}

// Shards is a checkpoint in several files, each tensor in one of them.
type Shards []*Safetensors

// Tensor implements Source.
func (s Shards) Tensor(name string, shape ...int) (Tensor, error) {
	for _, file := range s {
		if file.has(name) {
			return file.Tensor(name, shape...)
		}
	}
	return nil, fmt.Errorf("%s: in none of %d files", name, len(s))
}

// ShardFiles are the names of a checkpoint's files, sorted, by its
// model.safetensors.index.json.
func ShardFiles(index []byte) ([]string, error) {
	var file struct {
		WeightMap map[string]string `json:"weight_map"`
	}
	if err := json.Unmarshal(index, &file); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	names := map[string]bool{}
	for tensor, name := range file.WeightMap {
		if path.Base(name) != name || path.Ext(name) != ".safetensors" {
			return nil, fmt.Errorf("index: %s: %q, want the plain name of a safetensors file", tensor, name)
		}
		names[name] = true
	}
	if len(names) == 0 {
		return nil, errors.New("index: weight_map names no file")
	}
	return slices.Sorted(maps.Keys(names)), nil
}
