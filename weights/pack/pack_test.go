package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"decodingplayground/core/gpt2"
	"decodingplayground/weights/folder"
	"decodingplayground/weights/random"
)

const config = `{"model_type":"gpt2","vocab_size":40,"n_positions":8,"n_embd":32,"n_layer":1,"n_head":2,"eos_token_id":0}`

// shapes are the tensors of config.
var shapes = map[string][]int{
	"wte.weight": {40, 32}, "wpe.weight": {8, 32},
	"h.0.ln_1.weight": {32}, "h.0.ln_1.bias": {32}, "h.0.ln_2.weight": {32}, "h.0.ln_2.bias": {32},
	"h.0.attn.c_attn.weight": {32, 96}, "h.0.attn.c_attn.bias": {96},
	"h.0.attn.c_proj.weight": {32, 32}, "h.0.attn.c_proj.bias": {32},
	"h.0.mlp.c_fc.weight": {32, 128}, "h.0.mlp.c_fc.bias": {128},
	"h.0.mlp.c_proj.weight": {128, 32}, "h.0.mlp.c_proj.bias": {32},
	"ln_f.weight": {32}, "ln_f.bias": {32},
	"h.0.attn.bias": {1, 1, 8, 8}, // a buffer of old checkpoints, to be ignored
}

// writeCheckpoint writes a small checkpoint and returns its folder.
func writeCheckpoint(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "model.safetensors"), safetensors(t, func(string) bool { return true }))
	write(t, filepath.Join(dir, "config.json"), []byte(config))
	return dir
}

// safetensors is a file of the tensors that in picks.
func safetensors(t *testing.T, in func(name string) bool) []byte {
	t.Helper()
	header := map[string]any{}
	var data []byte
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		if !in(name) {
			continue
		}
		begin, n := len(data), 1
		for _, d := range shapes[name] {
			n *= d
		}
		for i := range n {
			data = binary.LittleEndian.AppendUint16(data, uint16(0x3c00+(i*31+len(name))%200)) // float16, about 1
		}
		header[name] = map[string]any{"dtype": "F16", "shape": shapes[name], "data_offsets": []int{begin, len(data)}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return append(append(file, text...), data...)
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func readDir(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestPack(t *testing.T) {
	dir := writeCheckpoint(t)
	for _, flags := range [][]string{{}, {"-bits", "4", "-group", "32"}, {"-float32"}} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "tiny-1")
			args := append(flags, "-licence", "MIT", "-source", "here", "-revision", "r1", dir, out)
			if err := run(args, io.Discard); err != nil {
				t.Fatal(err)
			}
			files := readDir(t, out)
			m, err := gpt2.ParseManifest([]byte(files["manifest.json"]))
			if err != nil {
				t.Fatal(err)
			}
			if m.ID != "tiny-1" || m.Name != "tiny-1" || m.Tokenizer != "gpt2" || m.Licence != "MIT" ||
				m.Source.Repo != "here" || m.Source.Revision != "r1" || m.Source.SHA256 != sha(readDir(t, dir)["model.safetensors"]) {
				t.Errorf("manifest %+v", m)
			}
			if len(files) != 1+len(m.Parts) {
				t.Errorf("%d files for %d parts", len(files), len(m.Parts))
			}
			if _, _, err := folder.Open(out); err != nil {
				t.Error(err)
			}
			if err := run(args, io.Discard); err != nil {
				t.Fatal(err)
			}
			for name, text := range readDir(t, out) {
				if text != files[name] {
					t.Errorf("%s differs when packed again", name)
				}
			}
		})
	}
}

// A checkpoint in two files packs to the same bytes as in one.
func TestPackShards(t *testing.T) {
	whole, dir := writeCheckpoint(t), t.TempDir()
	write(t, filepath.Join(dir, "config.json"), []byte(config))
	weightMap := map[string]string{}
	for i, part := range [][]string{{"h.0."}, {"w", "ln_f"}} {
		name := fmt.Sprintf("model-%05d-of-00002.safetensors", i+1)
		data := safetensors(t, func(tensor string) bool {
			return slices.ContainsFunc(part, func(prefix string) bool { return strings.HasPrefix(tensor, prefix) })
		})
		write(t, filepath.Join(dir, name), data)
		for tensor := range shapes {
			for _, prefix := range part {
				if strings.HasPrefix(tensor, prefix) {
					weightMap["transformer."+tensor] = name
				}
			}
		}
	}
	index, err := json.Marshal(map[string]any{"weight_map": weightMap})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "model.safetensors.index.json"), index)
	var manifests []*gpt2.Manifest
	for _, checkpoint := range []string{whole, dir} {
		out := filepath.Join(t.TempDir(), "out")
		if err := run([]string{checkpoint, out}, io.Discard); err != nil {
			t.Fatal(err)
		}
		m, _, err := folder.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		manifests = append(manifests, m)
	}
	if manifests[0].Hash() != manifests[1].Hash() {
		t.Error("other weights")
	}
	if err := os.Remove(filepath.Join(dir, "model-00002-of-00002.safetensors")); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{dir, filepath.Join(t.TempDir(), "out")}, io.Discard); err == nil || !strings.Contains(err.Error(), "model-00002") {
		t.Errorf("a shard that is missing: %v", err)
	}
}

// With texts the manifest says what quantisation cost, and each matrix has the
// bits it was given.
func TestPackMeasures(t *testing.T) {
	texts := filepath.Join(t.TempDir(), "texts")
	write(t, texts, []byte("The cat ran after a mouse.\n\nOnce upon a time there was more than fits\n"))
	checkpoint := t.TempDir()
	shape := random.Shape{Layers: 1, Heads: 2, Embd: 32, Positions: 8, Vocab: 50257}
	if err := shape.Write(checkpoint, 1); err != nil {
		t.Fatal(err)
	}
	var kl []float64
	for _, flags := range [][]string{{"-bits", "8"}, {"-bits", "4", "-tensor", "wte.weight=8:32", "-tensor", "wpe.weight=32"}, {"-float32"}} {
		out := filepath.Join(t.TempDir(), "out")
		if err := run(append(flags, "-texts", texts, checkpoint, out), io.Discard); err != nil {
			t.Fatal(err)
		}
		m, _, err := folder.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		if m.Error.Tokens != 7+8 {
			t.Errorf("%v: measured on %d tokens, want 15", flags, m.Error.Tokens)
		}
		kl = append(kl, m.Error.KL)
	}
	if !(kl[2] == 0 && kl[0] > 0 && kl[1] > 3*kl[0]) {
		t.Errorf("KL at 8 bits, 4 bits and float32: %v", kl)
	}
}

func TestPackErrors(t *testing.T) {
	good := writeCheckpoint(t)
	tensors := []byte(readDir(t, good)["model.safetensors"])
	tests := []struct {
		name   string
		flags  []string
		change func(dir string)
		want   string
	}{
		{"few bits", []string{"-bits", "3"}, nil, "bits: 3, want 4 to 8"},
		{"odd group", []string{"-group", "48"}, nil, "group: 48"},
		{"no grid", []string{"-tensor", "wte.weight"}, nil, `want NAME=BITS or NAME=BITS:GROUP`},
		{"few bits of a tensor", []string{"-tensor", "wte.weight=2"}, nil, "want 4 to 8 bits, or 32"},
		{"no such tensor", []string{"-tensor", "wte=8"}, nil, "wte: no such matrix"},
		{"texts of another vocabulary", []string{"-texts", "/dev/null"}, nil, "vocab_size 40"},
		{"quality", []string{"-quality", "12"}, nil, "quality: 12"},
		{"id", []string{"-id", "../x"}, nil, `id: "../x"`},
		{"no config", nil, func(dir string) { _ = os.Remove(filepath.Join(dir, "config.json")) }, "config.json"},
		{"another model", nil, func(dir string) {
			write(t, filepath.Join(dir, "config.json"), []byte(`{"model_type":"llama"}`))
		}, "model_type"},
		{"no tensors", nil, func(dir string) { _ = os.Remove(filepath.Join(dir, "model.safetensors")) }, "model.safetensors"},
		{"cut off", nil, func(dir string) {
			write(t, filepath.Join(dir, "model.safetensors"), tensors[:len(tensors)-1])
		}, "truncated"},
		{"NaN", nil, func(dir string) {
			bad := bytes.Clone(tensors)
			bad[len(bad)-1], bad[len(bad)-2] = 0x7e, 0
			write(t, filepath.Join(dir, "model.safetensors"), bad)
		}, "want a finite number"},
		{"another shape", nil, func(dir string) {
			write(t, filepath.Join(dir, "config.json"), []byte(strings.Replace(config, "40", "41", 1)))
		}, "shape"},
		{"a missing tensor", nil, func(dir string) {
			write(t, filepath.Join(dir, "config.json"), []byte(strings.Replace(config, `"n_layer":1`, `"n_layer":2`, 1)))
		}, "h.1."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
			if err := os.Mkdir(out, 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(out, "old"), []byte("old"))
			for name, text := range readDir(t, good) {
				write(t, filepath.Join(dir, name), []byte(text))
			}
			if test.change != nil {
				test.change(dir)
			}
			err := run(append(test.flags, dir, out), io.Discard)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			if readDir(t, out)["old"] != "old" || len(glob(t, filepath.Dir(out)+"/*")) != 1 {
				t.Error("a run that failed left something behind")
			}
		})
	}
}
