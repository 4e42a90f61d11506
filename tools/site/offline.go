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
	"visualize.f32.gz", "spaceship.f32.gz", "planet.f32.gz",
}

// isModel is whether a file is part of a model; the list of models is not.
func isModel(name string) bool {
	return strings.HasPrefix(name, "models/") && name != "models/index.json"
}

// keep writes a line before the service worker: the version, and the files of a
// site, by path, that a visit without its host needs. Models are kept by the
// page.
func keep(script []byte, version string, files map[string][]byte) ([]byte, error) {
	names := slices.DeleteFunc(sorted(files), func(name string) bool {
		return name == worker || isModel(name) || slices.Contains(leftOut, path.Base(name))
	})
	list, err := json.Marshal(struct {
		Version string   `json:"version"`
		Files   []string `json:"files"`
	}{version, names})
	return slices.Concat([]byte("self.site = "), list, []byte(";\n"), script), err
}
