// Package golden is a test helper: it finds the recorded results of Hugging
// Face transformers, reads them, and compares with the tolerance that was
// measured for them. What the files hold is said in oracle/README.md.
//
// The folder is core/golden/oracle, or the one that $ORACLE_DIR names (relative
// to the module). Any folder of that layout will do, its files plain or with
// .gz added: tests find models and cases by reading it and name none.
package golden

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Dir is the folder in use.
func Dir(t testing.TB) string {
	t.Helper()
	root := moduleRoot(t)
	dir := os.Getenv("ORACLE_DIR")
	switch {
	case dir == "":
		return filepath.Join(root, "core", "golden", "oracle")
	case filepath.IsAbs(dir):
		return dir
	}
	return filepath.Join(root, dir)
}

func moduleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("golden: no go.mod above the test's folder")
		}
		dir = up
	}
}

// Files are the names of the result files in the folder, sorted: "beam.json".
func Files(t testing.TB) []string {
	t.Helper()
	return glob(t, "*.json")
}

// Models are the names of the GPT-2 models in the folder, sorted.
func Models(t testing.TB) []string {
	t.Helper()
	var names []string
	for _, path := range glob(t, "models/*/model.safetensors") {
		names = append(names, filepath.Base(filepath.Dir(path)))
	}
	return names
}

// Tables are the names of the table models in the folder, sorted.
func Tables(t testing.TB) []string {
	t.Helper()
	var names []string
	for _, path := range glob(t, "models/table-*.json") {
		names = append(names, strings.TrimSuffix(filepath.Base(path), ".json"))
	}
	return names
}

// Has reports whether the folder holds the model, GPT-2 or table.
func Has(t testing.TB, model string) bool {
	t.Helper()
	return slices.Contains(Models(t), model) || slices.Contains(Tables(t), model)
}

// HasFile reports whether the folder holds the file: "tokenizer_gpt2.json".
func HasFile(t testing.TB, name string) bool {
	t.Helper()
	return len(glob(t, name)) > 0
}

// Config is the text of a model's config.json.
func Config(t testing.TB, model string) []byte {
	t.Helper()
	return Bytes(t, "models/"+model+"/config.json")
}

// Safetensors are the bytes of a model's weights.
func Safetensors(t testing.TB, model string) []byte {
	t.Helper()
	return Bytes(t, "models/"+model+"/model.safetensors")
}

// TableData is a model that is looked up instead of computed, so that decoders
// are tested without an engine:
//
//	logits(t) = A[x_t] + B[x_(t-1)]    hidden(t) = H[x_t] + G[x_(t-1)]
//
// The second term is absent at t = 0. Every sum is exact in float32.
type TableData struct {
	Doc        string      `json:"doc"`
	VocabSize  int         `json:"vocab_size"`
	HiddenSize int         `json:"hidden"`
	EOS        int         `json:"eos_token_id"`
	A          [][]float32 `json:"A"`
	B          [][]float32 `json:"B"`
	H          [][]float32 `json:"H"`
	G          [][]float32 `json:"G"`
}

// Table reads a table model.
func Table(t testing.TB, model string) TableData {
	t.Helper()
	var v TableData
	Read(t, "models/"+model+".json", &v)
	return v
}

// Read decodes a JSON file of the folder into v. A file that the committed
// folder lacks fails the test; one that $ORACLE_DIR lacks skips it.
func Read(t testing.TB, name string, v any) {
	t.Helper()
	if err := json.Unmarshal(Bytes(t, name), v); err != nil {
		t.Fatalf("golden: %s: %v", name, err)
	}
}

// Bytes are the contents of a file of the folder, unzipped.
func Bytes(t testing.TB, name string) []byte {
	t.Helper()
	path := filepath.Join(Dir(t), filepath.FromSlash(name))
	if data, err := os.ReadFile(path); err == nil {
		return data
	}
	f, err := os.Open(path + ".gz")
	if os.IsNotExist(err) && os.Getenv("ORACLE_DIR") != "" {
		t.Skipf("the oracle folder has no %s", name)
	}
	if err != nil {
		t.Fatalf("golden: %v", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("golden: %s.gz: %v", name, err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatalf("golden: %s.gz: %v", name, err)
	}
	return data
}

// glob lists matching files by their names without .gz, relative to the folder.
func glob(t testing.TB, pattern string) []string {
	t.Helper()
	dir := os.DirFS(Dir(t))
	var names []string
	for _, p := range []string{pattern, pattern + ".gz"} {
		found, err := fs.Glob(dir, p)
		if err != nil {
			t.Fatalf("golden: %v", err)
		}
		for _, name := range found {
			names = append(names, strings.TrimSuffix(name, ".gz"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
