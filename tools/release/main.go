// Command release finishes a release folder: it zips the site, takes what
// differs from run to run out of the lists of components, and writes the
// checksums of all files. The same input gives the same bytes.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	site := flag.String("site", "dist", "the site")
	out := flag.String("out", "release", "the release folder")
	flag.Parse()
	if err := finish(*site, *out); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

const (
	archive   = "decoding-playground-site.zip"
	checksums = "SHA256SUMS"
)

func finish(site, out string) error {
	zipped, err := zipOf(os.DirFS(site))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, archive), zipped, 0o644); err != nil {
		return err
	}
	lists, err := filepath.Glob(filepath.Join(out, "*.cdx.json"))
	if err != nil {
		return err
	}
	for _, name := range lists {
		if err := steady(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	sums, err := sumsOf(os.DirFS(out))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, checksums), sums, 0o644)
}

// zipOf holds every file of the site in the order of the names, without times.
func zipOf(site fs.FS) ([]byte, error) {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	err := fs.WalkDir(site, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(site, name)
		if err != nil {
			return err
		}
		method := zip.Deflate
		if strings.HasSuffix(name, ".br") {
			method = zip.Store
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = w.Close()
	return buf.Bytes(), err
}

// steady rewrites a CycloneDX list without its serial number, its time and the
// tool that made it, and under the name of the project, not of its folder.
func steady(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var list map[string]any
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	metadata, ok := list["metadata"].(map[string]any)
	if list["bomFormat"] != "CycloneDX" || !ok {
		return fmt.Errorf("bomFormat: %v, want CycloneDX with metadata", list["bomFormat"])
	}
	delete(list, "serialNumber")
	delete(metadata, "timestamp")
	delete(metadata, "tools")
	if component, ok := metadata["component"].(map[string]any); ok {
		component["name"] = "decoding-playground"
		delete(component, "properties") // npm: where the folder lies
	}
	text, err = json.MarshalIndent(list, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}

// sumsOf is what sha256sum -c reads.
func sumsOf(out fs.FS) ([]byte, error) {
	entries, err := fs.ReadDir(out, ".")
	if err != nil {
		return nil, err
	}
	var sums []byte
	for _, e := range entries {
		if e.IsDir() || e.Name() == checksums {
			continue
		}
		data, err := fs.ReadFile(out, e.Name())
		if err != nil {
			return nil, err
		}
		sums = fmt.Appendf(sums, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	return sums, nil
}
