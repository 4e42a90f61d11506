// Package core_test checks how the packages may depend on each other.
package core_test

import (
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "decodingplayground"

// imports are the packages of ours that a package may import, tests aside.
// What is not listed may import none.
var imports = map[string][]string{
	"core/logits":   {"core/spec", "core/fmath", "core/rows"},
	"core/decode":   {"core/lm", "core/logits", "core/spec", "core/fmath"},
	"core/kernel":   {"core/fmath"},
	"core/gpt2":     {"core/lm", "core/kernel", "core/fmath"},
	"core/lm/table": {"core/lm"},
	"core/lm/lmtest": {
		"core/lm",
	},
	"core/chart":     {"core/decode", "core/logits", "core/lm", "core/spec", "core/fmath"},
	"wasm/pack":      {"core/gpt2", "tokenizer"},
	"weights/folder": {"core/gpt2"},
	"weights/pack":   {"core/gpt2", "core/lm", "tokenizer", "weights/folder"},
	"weights/check":  {"core/gpt2", "core/lm", "core/logits", "tokenizer", "weights/folder"},
	"tools/quality":  {"core/gpt2", "core/lm", "core/logits"},
	"tools/random":   {"weights/random"},
	"tools/site":     {"core/gpt2", "server/policy"},
	"server":         {"server/policy"},
}

// wide are folders whose packages may import all below these.
var wide = map[string][]string{
	"wasm/api": {"core", "tokenizer"},
	"wasm":     {"wasm/api"},
}

// pure are the folders whose packages run anywhere, and reader is the test
// helper among them that reads files.
var (
	pure    = []string{"core", "tokenizer", "wasm/api"}
	reader  = "core/golden"
	outside = []string{"syscall/js", "net/http", "os", "time"}
)

// goPackages are all packages of the module by folder, for both platforms.
func goPackages(t *testing.T) map[string][]*build.Package {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]*build.Package{}
	for _, goos := range []string{"linux", "js"} {
		ctx := build.Default
		ctx.GOOS, ctx.GOARCH = goos, map[string]string{"linux": "amd64", "js": "wasm"}[goos]
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if !d.IsDir() {
				return nil
			}
			if name := d.Name(); path != root && (name[0] == '.' || name == "node_modules" || name == "testdata" || name == "dist") {
				return filepath.SkipDir
			}
			p, err := ctx.ImportDir(path, 0)
			if err != nil {
				return nil // no Go files here for this platform
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			folder := filepath.ToSlash(rel)
			found[folder] = append(found[folder], p)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(found["core/logits"]) != 2 {
		t.Fatalf("the packages were not found under %s", root)
	}
	return found
}

func within(folder string, roots []string) bool {
	return slices.ContainsFunc(roots, func(r string) bool {
		return folder == r || strings.HasPrefix(folder, r+"/")
	})
}

// Imports go one way.
func TestImports(t *testing.T) {
	for folder, packages := range goPackages(t) {
		for _, p := range packages {
			for _, path := range p.Imports {
				ours, ok := strings.CutPrefix(path, module+"/")
				if !ok || slices.Contains(imports[folder], ours) || within(ours, wide[folder]) {
					continue
				}
				t.Errorf("%s imports %s", folder, ours)
			}
		}
	}
}

// core, tokenizer and wasm/api know no machine: no files, no clock, no network,
// no JavaScript.
func TestPure(t *testing.T) {
	for folder, packages := range goPackages(t) {
		if !within(folder, pure) || folder == reader {
			continue
		}
		for _, p := range packages {
			for _, path := range p.Imports {
				if slices.Contains(outside, path) {
					t.Errorf("%s imports %s", folder, path)
				}
			}
		}
	}
}

// The test helper is for tests.
func TestGoldenIsOnlyForTests(t *testing.T) {
	for folder, packages := range goPackages(t) {
		for _, p := range packages {
			if slices.Contains(p.Imports, module+"/"+reader) {
				t.Errorf("%s imports %s outside its tests", folder, reader)
			}
		}
	}
}

// The module is found where this test stands.
func TestModuleName(t *testing.T) {
	text, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(text), "module "+module+"\n") {
		t.Errorf("go.mod does not begin with module %s", module)
	}
}
