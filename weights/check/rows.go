package main

import (
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
)

// row is a prompt and the logits of the token that follows it.
type row struct {
	Prompt string `json:"prompt"`
	IDs    []int  `json:"ids"`
	File   string `json:"logits_file"`
	logits []float32
}

func readRows(dir string) ([]row, error) {
	names, err := filepath.Glob(filepath.Join(dir, "case-*.json"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no case-*.json", dir)
	}
	rows := make([]row, len(names))
	for i, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &rows[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if rows[i].logits, err = readLogits(filepath.Join(dir, rows[i].File+".gz")); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func readLogits(name string) ([]float32, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	data, err := io.ReadAll(unzipped)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	values := make([]float32, len(data)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return values, nil
}
