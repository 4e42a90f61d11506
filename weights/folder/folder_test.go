package folder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const model = "../default/storybook-4m"

func TestOpen(t *testing.T) {
	m, loaded, err := Open(model)
	if err != nil {
		t.Fatal(err)
	}
	if m.ID != "storybook-4m" || loaded.Config().NLayer != m.Config.NLayer {
		t.Errorf("manifest of %q, config %+v", m.ID, loaded.Config())
	}
}

func TestOpenErrors(t *testing.T) {
	part := "part-000.bin.br"
	for name, test := range map[string]struct {
		change func(t *testing.T, dir string)
		want   string
	}{
		"no manifest": {func(t *testing.T, dir string) { remove(t, dir, "manifest.json") }, "manifest.json"},
		"no part":     {func(t *testing.T, dir string) { remove(t, dir, part) }, part},
		"a short part": {func(t *testing.T, dir string) {
			edit(t, dir, part, func(b []byte) []byte { return b[:len(b)/2] })
		}, "part-000.bin"},
		"a changed byte": {func(t *testing.T, dir string) {
			edit(t, dir, part, func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
		}, "part-000.bin"},
		"another format": {func(t *testing.T, dir string) {
			edit(t, dir, "manifest.json", func(b []byte) []byte { return []byte("{}") })
		}, "format"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(model)); err != nil {
				t.Fatal(err)
			}
			test.change(t, dir)
			if _, _, err := Open(dir); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func edit(t *testing.T, dir, name string, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), change(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkOpen decodes and checks the models that are here. A CPU profile of it
// is what wasm/unbrotli is built with (default.pgo); it was taken with the
// default model and two of random weights, at 8 and 6 bits.
func BenchmarkOpen(b *testing.B) {
	var manifests []string
	for _, pattern := range []string{"../default/*/manifest.json", "../models/*/manifest.json"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			b.Fatal(err)
		}
		manifests = append(manifests, found...)
	}
	for _, manifest := range manifests {
		dir := filepath.Dir(manifest)
		b.Run(filepath.Base(dir), func(b *testing.B) {
			for b.Loop() {
				m, _, err := Open(dir)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(m.Bytes()))
			}
		})
	}
}
