package main

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

const worker = "serviceworker.js"

// leftOut are files that most visits never ask for; the worker keeps them when
// one does.
var leftOut = []string{
	"engine-nosimd.wasm", "licences.txt", "embed-demo.html", "embed-demo.js", "embed-demo.css", "anywidget.js",
}

// isLater is whether a file is so large, and so seldom the first thing asked for,
// that the worker keeps it when it has installed itself: the charts' script and
// the logits of stored steps.
func isLater(base string) bool {
	return base == "echarts.esm.min.js" || strings.HasSuffix(base, ".f32.gz")
}

// isModel is whether a file is part of a model; the list of models is not.
func isModel(name string) bool {
	return strings.HasPrefix(name, "models/") && name != "models/index.json"
}

// keep writes a line before the service worker: the version, and the files of a
// site, by path, that a visit without its host needs. Models are kept by the
// page.
func keep(script []byte, version string, files map[string][]byte) ([]byte, error) {
	list := struct {
		Version string   `json:"version"`
		Files   []string `json:"files"`
		Later   []string `json:"later"`
	}{version, []string{}, []string{}}
	for _, name := range sorted(files) {
		switch base := path.Base(name); {
		case name == worker || isModel(name) || slices.Contains(leftOut, base):
		case isLater(base):
			list.Later = append(list.Later, name)
		default:
			list.Files = append(list.Files, name)
		}
	}
	line, err := json.Marshal(list)
	return slices.Concat([]byte("self.site = "), line, []byte(";\n"), script), err
}
