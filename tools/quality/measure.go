package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"decodingplayground/core/gpt2"
	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
)

var bitsTried = []int{8, 6, 5, 4}

const (
	texts  = 16
	length = 64 // tokens of a text, where the context is as long
)

// measure is what packing at so many bits costs.
func measure(dir string, bits, group int) (e gpt2.Error, err error) {
	exact, _, err := load(dir, gpt2.Quantisation{Bits: 32})
	if err != nil {
		return e, err
	}
	packed, e, err := load(dir, gpt2.Quantisation{Bits: bits, Group: group})
	if err != nil {
		return e, err
	}
	r := rand.New(rand.NewPCG(1, 0))
	same := 0
	for range texts {
		ids, want, err := write(exact, r)
		if err != nil {
			return e, err
		}
		out, err := packed.Forward(lm.Input{IDs: ids})
		if err != nil {
			return e, err
		}
		for i, row := range packed.Head(out[0].Hidden...) {
			kl, top := gpt2.Divergence(want[i], row)
			e.KL += kl
			e.Tokens++
			if top {
				same++
			}
		}
	}
	e.KL /= float64(e.Tokens)
	e.Top1 = float64(same) / float64(e.Tokens)
	return e, nil
}

// load packs a checkpoint in memory and loads it.
func load(dir string, q gpt2.Quantisation) (*gpt2.Model, gpt2.Error, error) {
	text, err := read(dir, "config.json")
	if err != nil {
		return nil, gpt2.Error{}, err
	}
	config, err := gpt2.ParseConfig(text)
	if err != nil {
		return nil, gpt2.Error{}, err
	}
	file, err := read(dir, "model.safetensors")
	if err != nil {
		return nil, gpt2.Error{}, err
	}
	source, err := gpt2.OpenSafetensors(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, gpt2.Error{}, err
	}
	m, err := gpt2.Pack(config, source, q, func(gpt2.Part, []byte) error { return nil })
	if err != nil {
		return nil, gpt2.Error{}, err
	}
	model, err := gpt2.Load(config, source, q)
	return model, m.Error, err
}

// read is a file, or what is in its .gz.
func read(dir, name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	file, zipErr := os.Open(filepath.Join(dir, name+".gz"))
	if zipErr != nil {
		return nil, err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s.gz: %w", name, err)
	}
	return io.ReadAll(unzipped)
}

// write lets a model write a text by sampling, and gives the logits after each
// token.
func write(m *gpt2.Model, r *rand.Rand) (ids []int, rows [][]float32, err error) {
	id := r.IntN(m.Config().VocabSize)
	var past lm.Past
	for range min(length, m.Config().NPositions) {
		out, err := m.Forward(lm.Input{Past: past, IDs: []int{id}})
		if err != nil {
			return nil, nil, err
		}
		past = out[0].Past
		row := m.Head(out[0].Hidden[0])[0]
		ids, rows = append(ids, id), append(rows, row)
		id = draw(logits.Softmax([]float32(nil), row), r.Float64())
	}
	return ids, rows, nil
}

// draw is the token at a place from 0 to 1 on the strip of probabilities.
func draw(probs []float32, at float64) int {
	for id, p := range probs {
		if at -= float64(p); at < 0 {
			return id
		}
	}
	return 0 // what rounding leaves over
}
