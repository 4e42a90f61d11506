package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"decodingplayground/core/gpt2"
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

// checkpoint writes a small checkpoint and returns its folder.
func checkpoint(t *testing.T) string {
	t.Helper()
	header := map[string]any{}
	var data []byte
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
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
	dir := t.TempDir()
	write(t, filepath.Join(dir, "model.safetensors"), append(append(file, text...), data...))
	write(t, filepath.Join(dir, "config.json"), []byte(config))
	return dir
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
	dir := checkpoint(t)
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
			loader, err := gpt2.NewLoader(m)
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range m.Parts {
				coded := files[p.CodedFile]
				if len(coded) != p.CodedBytes || sha(coded) != p.CodedSHA256 {
					t.Errorf("%s is not what the manifest says", p.CodedFile)
				}
				plain, err := io.ReadAll(brotli.NewReader(strings.NewReader(coded)))
				if err != nil {
					t.Fatal(err)
				}
				if err := loader.SetPart(i, plain); err != nil {
					t.Error(err)
				}
			}
			if _, err := loader.Model(); err != nil {
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

func TestPackErrors(t *testing.T) {
	good := checkpoint(t)
	tensors := []byte(readDir(t, good)["model.safetensors"])
	tests := []struct {
		name   string
		flags  []string
		change func(dir string)
		want   string
	}{
		{"few bits", []string{"-bits", "3"}, nil, "bits: 3, want 4 to 8"},
		{"odd group", []string{"-group", "48"}, nil, "group: 48"},
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
