package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// folder writes files, by path, into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const bom = `{"bomFormat":"CycloneDX","serialNumber":"urn:uuid:%","metadata":{"timestamp":"%","tools":["%"],` +
	`"component":{"name":"%","properties":["%"]}},"components":[{"name":"echarts"}]}`

// finished is the release of a small site, made at another time each run.
func finished(t *testing.T, run string) map[string]string {
	t.Helper()
	site := folder(t, map[string]string{"index.html": "page", "v-1/app.js": strings.Repeat("code ", 99), "v-1/app.js.br": "coded"})
	hours := time.Duration(len(run)) * time.Hour
	if err := os.Chtimes(filepath.Join(site, "index.html"), time.Now(), time.Now().Add(hours)); err != nil {
		t.Fatal(err)
	}
	out := folder(t, map[string]string{"server-linux": "binary", "web.cdx.json": strings.ReplaceAll(bom, "%", run)})
	if err := finish(site, out); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, name := range []string{"server-linux", "web.cdx.json", archive, checksums} {
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	return files
}

func TestTheSameBytesAtAnotherTime(t *testing.T) {
	first, second := finished(t, "a"), finished(t, "another run")
	for name := range first {
		if first[name] != second[name] {
			t.Errorf("%s differs:\n%q\n%q", name, first[name], second[name])
		}
	}
	if !strings.Contains(first["web.cdx.json"], "echarts") {
		t.Errorf("the list has lost its components: %s", first["web.cdx.json"])
	}
	if n := strings.Count(first[checksums], "\n"); n != 3 {
		t.Errorf("%d checksums, want 3: %s", n, first[checksums])
	}
}

func TestZipHoldsTheSite(t *testing.T) {
	data := finished(t, "a")[archive]
	r, err := zip.NewReader(bytes.NewReader([]byte(data)), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"index.html": "page", "v-1/app.js": strings.Repeat("code ", 99), "v-1/app.js.br": "coded"}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil || string(text) != want[f.Name] {
			t.Errorf("%s: %q, %v, want %q", f.Name, text, err, want[f.Name])
		}
		delete(want, f.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

func TestNoList(t *testing.T) {
	out := folder(t, map[string]string{"x.cdx.json": `{"bomFormat":"SPDX"}`})
	if err := finish(t.TempDir(), out); err == nil || !strings.Contains(err.Error(), "want CycloneDX") {
		t.Errorf("error %v", err)
	}
}
