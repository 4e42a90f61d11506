package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"decodingplayground/core/gpt2"
	"decodingplayground/server/policy"
)

// folder writes files, by path, into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := write(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// zeros is a checkpoint without a weight in it.
type zeros struct{}

func (zeros) Tensor(_ string, shape ...int) (gpt2.Tensor, error) {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return make(gpt2.Values, n), nil
}

// model is a folder with one model folder in it.
func model(t *testing.T, id string) string {
	t.Helper()
	config, err := gpt2.ParseConfig([]byte(`{"vocab_size":8,"n_positions":4,"n_embd":32,"n_layer":1,"n_head":1}`))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{id + "/README.md": "card"}
	m, err := gpt2.Pack(config, zeros{}, gpt2.Quantisation{Bits: 8, Group: 32}, func(p gpt2.Part, data []byte) error {
		files[id+"/"+p.File] = string(data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	m.ID, m.Name, m.Tokenizer = id, "Toy", "gpt2"
	manifest, err := m.JSON()
	if err != nil {
		t.Fatal(err)
	}
	files[id+"/manifest.json"] = string(manifest)
	return folder(t, files)
}

func small(t *testing.T) site {
	return site{
		web: folder(t, map[string]string{
			"index.html": `<link href="style.css"><script src="./app.js"></script><a href="embed.html">` +
				`<a href="https://example.org/app.js"><img src="js/a.png?1"><a href="#app.js">`,
			"embed.html":     `<script src="app.js"></script>`,
			"app.js":         `import "./js/dom.js";` + strings.Repeat(" // again and again", 50),
			"js/dom.js":      "export {};",
			"embed.js":       "(() => {})();",
			"anywidget.js":   "export default {};",
			worker:           "work();",
			"style.css":      "body { color: red }",
			"js/a.png":       "png",
			"api.d.ts":       "types",
			".hidden/x.js":   "hidden",
			".swp":           "hidden",
			"lessons/a.json": "{}",

			"lessons/steps/a.f32.gz":    "\x1f\x8b",
			"vendor/echarts.esm.min.js": "export {};",
		}),
		wasm: folder(t, map[string]string{"engine.wasm": "\x00asm\x01\x00\x00\x00\x00\xd0\x0f" + strings.Repeat("name", 500), "notes.txt": "no"}),
		models: []string{
			"no such folder",
			model(t, "toy"),
		},
		licences: []string{"../../LICENSE", "../../THIRD_PARTY.md"},
		cache:    t.TempDir(),
		quality:  5,
		out:      filepath.Join(t.TempDir(), "dist"),
	}
}

func build(t *testing.T, s site) map[string]string {
	t.Helper()
	if err := s.build(); err != nil {
		t.Fatal(err)
	}
	files, err := read(s.out, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	for name, data := range files {
		text[name] = string(data)
	}
	return text
}

func version(t *testing.T, files map[string]string) string {
	t.Helper()
	for name := range files {
		if v, rest, _ := strings.Cut(name, "/"); rest == "app.js" {
			return v
		}
	}
	t.Fatalf("no app.js in %v", files)
	return ""
}

func TestBuild(t *testing.T) {
	s := small(t)
	files := build(t, s)
	v := version(t, files)
	want := `<link href="V/style.css"><script src="V/app.js"></script><a href="embed.html">` +
		`<a href="https://example.org/app.js"><img src="V/js/a.png?1"><a href="#app.js">`
	if got := files["index.html"]; got != strings.ReplaceAll(want, "V", v) {
		t.Errorf("index.html: %s", got)
	}
	for _, name := range []string{
		"embed.html", v + "/js/dom.js", v + "/engine.wasm", v + "/engine.wasm.br",
		v + "/app.js.br", v + "/lessons/a.json", "licences.txt", "models/toy/manifest.json", "models/toy/part-000.bin", "models/index.json",
	} {
		if _, ok := files[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
	for name := range files {
		if strings.Contains(name, "hidden") || strings.Contains(name, ".d.ts") || strings.Contains(name, "notes") ||
			strings.Contains(name, "README") || strings.Contains(name, ".br.br") {
			t.Errorf("%s should not be there", name)
		}
	}
	if _, ok := files[v+"/js/dom.js.br"]; ok {
		t.Error("a .br that is larger than the file")
	}
	plain, err := io.ReadAll(brotli.NewReader(strings.NewReader(files[v+"/app.js.br"])))
	if err != nil || string(plain) != files[v+"/app.js"] {
		t.Errorf("app.js.br decodes to %q, %v", plain, err)
	}
	if got := files["models/index.json"]; !strings.Contains(got, `"id": "toy"`) || !strings.Contains(got, `"n_positions": 4`) {
		t.Errorf("models/index.json: %s", got)
	}
}

func TestPagesCarryThePolicy(t *testing.T) {
	s := small(t)
	page := filepath.Join(s.web, "index.html")
	if err := write(page, []byte(`<head><meta charset="utf-8"><script type="module" src="app.js"></script>`)); err != nil {
		t.Fatal(err)
	}
	files := build(t, s)
	meta := `<meta http-equiv="Content-Security-Policy" content="` + policy.Page + `">`
	before, _, _ := strings.Cut(files["index.html"], "<link")
	if !strings.Contains(before, meta) {
		t.Errorf("index.html begins with %s, want %s in it", before, meta)
	}
}

func TestShortName(t *testing.T) {
	for name, want := range map[string]string{
		"LICENSE": "LICENSE",
		"node_modules/echarts/licenses/LICENSE-d3":                 "echarts/licenses/LICENSE-d3",
		"/home/me/go/pkg/mod/github.com/norunners/vert@v0/LICENSE": "github.com/norunners/vert@v0/LICENSE",
	} {
		if got := shortName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestVersionFollowsContent(t *testing.T) {
	s := small(t)
	first := version(t, build(t, s))
	if again := version(t, build(t, s)); again != first {
		t.Errorf("built again: %s, want %s", again, first)
	}
	if err := os.WriteFile(filepath.Join(s.web, "js/dom.js"), []byte("export { };"), 0o644); err != nil {
		t.Fatal(err)
	}
	files := build(t, s)
	if changed := version(t, files); changed == first {
		t.Error("a changed script has the old version")
	}
	for name := range files {
		if strings.HasPrefix(name, first) {
			t.Errorf("%s is left from the build before", name)
		}
	}
}

func TestBuildErrors(t *testing.T) {
	tests := []struct {
		name, want string
		change     func(*site)
	}{
		{"no page", "no .html file", func(s *site) { s.web = t.TempDir() }},
		{"no wasm", "no .wasm file", func(s *site) { s.wasm = t.TempDir() }},
		{"a missing style", `index.html refers to "style.css"`, func(s *site) { _ = os.Remove(filepath.Join(s.web, "style.css")) }},
		{"a wasm file twice", "both in", func(s *site) { _ = write(filepath.Join(s.web, "engine.wasm"), []byte("x")) }},
		{"a short part", "sha256", func(s *site) { _ = write(filepath.Join(s.models[1], "toy/part-000.bin"), []byte("xx")) }},
		{"no part", "part-000.bin", func(s *site) { _ = os.Remove(filepath.Join(s.models[1], "toy/part-000.bin")) }},
		{"another id", `id "toy"`, func(s *site) { _ = os.Rename(filepath.Join(s.models[1], "toy"), filepath.Join(s.models[1], "tin")) }},
		{"a broken manifest", "manifest: ", func(s *site) { _ = write(filepath.Join(s.models[1], "toy/manifest.json"), []byte("{")) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := small(t)
			if err := write(filepath.Join(s.out, "old"), []byte("old")); err != nil {
				t.Fatal(err)
			}
			test.change(&s)
			err := s.build()
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %v, want one with %q", err, test.want)
			}
			if old, _ := os.ReadFile(filepath.Join(s.out, "old")); !bytes.Equal(old, []byte("old")) {
				t.Error("the old site is gone")
			}
		})
	}
}

func TestServiceWorkerKeepsTheSite(t *testing.T) {
	files := build(t, small(t))
	v := version(t, files)
	line, script, _ := strings.Cut(files[worker], ";\n")
	if script != "work();" {
		t.Errorf("after the list: %q", script)
	}
	var site struct {
		Version      string
		Files, Later []string
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "self.site = ")), &site); err != nil {
		t.Fatal(err)
	}
	if site.Version != v {
		t.Errorf("version %q, want %q", site.Version, v)
	}
	if want := []string{v + "/lessons/steps/a.f32.gz", v + "/vendor/echarts.esm.min.js"}; !slices.Equal(site.Later, want) {
		t.Errorf("kept later: %q, want %q", site.Later, want)
	}
	for _, name := range append(site.Files, site.Later...) {
		if _, ok := files[name]; !ok {
			t.Errorf("%s is kept, and not there", name)
		}
		if strings.HasSuffix(name, ".br") || strings.HasPrefix(name, "models/toy/") {
			t.Errorf("%s is kept", name)
		}
	}
	for _, name := range []string{"index.html", "embed.html", "embed.js", "models/index.json", v + "/app.js", v + "/engine.wasm", v + "/lessons/a.json"} {
		if !slices.Contains(site.Files, name) {
			t.Errorf("%s is not kept", name)
		}
	}
}

func TestFixedScriptsStayWhereTheyAre(t *testing.T) {
	files := build(t, small(t))
	for _, name := range fixed {
		if _, ok := files[name]; !ok {
			t.Errorf("no %s", name)
		}
		if _, ok := files[version(t, files)+"/"+name]; ok {
			t.Errorf("%s in the version's folder, too", name)
		}
	}
}
