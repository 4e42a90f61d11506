// Package random writes GPT-2 checkpoints of random weights: the files and the
// work of a true one, without the download.
package random

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Shape is a GPT-2's: n_layer, n_head, n_embd, n_positions, vocab_size.
type Shape struct{ Layers, Heads, Embd, Positions, Vocab int }

// tensor is one of the checkpoint: its elements are normal around mean.
type tensor struct {
	name         string
	shape        []int
	mean, spread float64
}

func (s Shape) tensors() []tensor {
	list := []tensor{
		{"wte.weight", []int{s.Vocab, s.Embd}, 0, 0.14},
		{"wpe.weight", []int{s.Positions, s.Embd}, 0, 0.02},
	}
	add := func(name string, mean, spread float64, shape ...int) {
		list = append(list, tensor{name, shape, mean, spread})
	}
	for i := range s.Layers {
		h := fmt.Sprintf("h.%d.", i)
		for _, norm := range []string{"ln_1", "ln_2"} {
			add(h+norm+".weight", 0.4, 0.1, s.Embd)
			add(h+norm+".bias", 0, 0.05, s.Embd)
		}
		for _, layer := range []struct {
			name    string
			in, out int
		}{
			{"attn.c_attn", s.Embd, 3 * s.Embd},
			{"attn.c_proj", s.Embd, s.Embd},
			{"mlp.c_fc", s.Embd, 4 * s.Embd},
			{"mlp.c_proj", 4 * s.Embd, s.Embd},
		} {
			add(h+layer.name+".weight", 0, 0.1, layer.in, layer.out)
			add(h+layer.name+".bias", 0, 0.1, layer.out)
		}
	}
	add("ln_f.weight", 1, 0.1, s.Embd)
	add("ln_f.bias", 0, 0.05, s.Embd)
	return list
}

// Write makes the folder dir: config.json and model.safetensors, the same bytes
// for the same seed. Weights are normal with the spread of GPT-2's own, a few of
// them large. Nothing is kept in memory.
func (s Shape) Write(dir string, seed uint64) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	config, err := json.Marshal(map[string]any{
		"model_type": "gpt2", "vocab_size": s.Vocab, "n_positions": s.Positions, "n_embd": s.Embd,
		"n_layer": s.Layers, "n_head": s.Heads, "bos_token_id": s.Vocab - 1, "eos_token_id": s.Vocab - 1,
	})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), config, 0o644); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<20)
	if err := s.writeTensors(out, seed); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

func (s Shape) writeTensors(out io.Writer, seed uint64) error {
	header, at := map[string]any{}, 0
	for _, t := range s.tensors() {
		end := at + 4*t.size()
		header[t.name] = map[string]any{"dtype": "F32", "shape": t.shape, "data_offsets": []int{at, end}}
		at = end
	}
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	if _, err := out.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(text)))); err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	var number [4]byte
	for _, t := range s.tensors() {
		for range t.size() {
			x := r.NormFloat64()
			if r.Uint32()%512 == 0 {
				x *= 3
			}
			binary.LittleEndian.PutUint32(number[:], math.Float32bits(float32(t.mean+float64(t.spread*x))))
			if _, err := out.Write(number[:]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t tensor) size() int {
	n := 1
	for _, d := range t.shape {
		n *= d
	}
	return n
}
