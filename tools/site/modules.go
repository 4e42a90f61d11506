package main

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A static import or re-export of a relative module, at the start of a line.
var importing = regexp.MustCompile(`(?m)^\s*(?:import|export)\b[^;"']*\bfrom\s*["'](\.[^"']+)["']|^\s*import\s*["'](\.[^"']+)["']`)

// imports are the modules that code[name] imports, by their names in code.
func imports(code map[string][]byte, name string) ([]string, error) {
	var names []string
	for _, m := range importing.FindAllSubmatch(code[name], -1) {
		to := path.Join(path.Dir(name), string(slices.Concat(m[1], m[2])))
		if code[to] == nil {
			return nil, fmt.Errorf("%s imports %q, which is not there", name, to)
		}
		names = append(names, to)
	}
	return names, nil
}

// closure is name and all that it imports, itself or through others, in the
// order in which they are met.
func closure(code map[string][]byte, name string) ([]string, error) {
	all := []string{name}
	for i := 0; i < len(all); i++ {
		names, err := imports(code, all[i])
		if err != nil {
			return nil, err
		}
		for _, n := range names {
			if !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	return all, nil
}

var moduleScript = regexp.MustCompile(`<script type="module" src="(?:\./)?([^"]+)"`)

// preload puts a link before each module script of a page for every module
// that it needs: a browser then asks for all at once, not one layer of imports
// after the other.
func preload(page []byte, code map[string][]byte) ([]byte, error) {
	for _, m := range moduleScript.FindAllSubmatch(page, -1) {
		modules, err := closure(code, string(m[1]))
		if err != nil {
			return nil, err
		}
		var links strings.Builder
		for _, name := range modules[1:] {
			fmt.Fprintf(&links, "<link rel=\"modulepreload\" href=\"%s\">\n", name)
		}
		page = bytes.Replace(page, m[0], append([]byte(links.String()), m[0]...), 1)
	}
	return page, nil
}

// checkImports sees that every script finds what it imports.
func checkImports(code map[string][]byte) error {
	for _, name := range sorted(code) {
		if path.Ext(name) != ".js" || strings.HasPrefix(name, "vendor/") {
			continue
		}
		if _, err := imports(code, name); err != nil {
			return err
		}
	}
	return nil
}
