package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"decodingplayground/core/gpt2"
	"decodingplayground/server/policy"
)

// site is what to build, from where, to where.
type site struct {
	web, wasm, cache, out string
	models, licences      []string
	quality               int
}

// build writes s.out anew. It is made beside it and moved there at the end, so
// that a run that fails leaves the old one.
func (s site) build() error {
	fresh := filepath.Clean(s.out) + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	files, err := s.files()
	if err != nil {
		return err
	}
	version := "v-" + hash(files)
	pages, code := split(files)
	if len(pages) == 0 {
		return fmt.Errorf("%s: no .html file", s.web)
	}
	out := map[string][]byte{}
	if err := checkImports(code); err != nil {
		return err
	}
	for name, data := range pages {
		page, err := preload(data, code)
		if err != nil {
			return err
		}
		out[name] = repoint(page, version, code)
	}
	for name, data := range code {
		out[path.Join(version, name)] = data
	}
	models, err := s.readModels()
	if err != nil {
		return err
	}
	for name, data := range models {
		out[path.Join("models", name)] = data
	}
	if out["licences.txt"], err = s.joinLicences(); err != nil {
		return err
	}
	if err := checkReferences(pages, out, version); err != nil {
		return err
	}
	if script := out[worker]; script != nil {
		if out[worker], err = keep(script, version, out); err != nil {
			return err
		}
	}
	if err := s.compress(out); err != nil {
		return err
	}
	for name, data := range out {
		if err := write(filepath.Join(fresh, filepath.FromSlash(name)), data); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(s.out); err != nil {
		return err
	}
	return os.Rename(fresh, s.out)
}

// files is web/ and the wasm binaries, by slash-separated path.
func (s site) files() (map[string][]byte, error) {
	files, err := read(s.web, func(name string) bool {
		return !strings.HasSuffix(name, ".d.ts") && !strings.Contains(name, "_test.") && !strings.Contains(name, ".test.")
	})
	if err != nil {
		return nil, err
	}
	for name, data := range files {
		if isPage(name) {
			files[name] = guard(data)
		}
	}
	binaries, err := read(s.wasm, func(name string) bool { return strings.HasSuffix(name, ".wasm") })
	if err != nil {
		return nil, err
	}
	if len(binaries) == 0 {
		return nil, fmt.Errorf("%s: no .wasm file", s.wasm)
	}
	for name, data := range binaries {
		if files[name] != nil {
			return nil, fmt.Errorf("%s: both in %s and in %s", name, s.web, s.wasm)
		}
		if files[name], err = joinSegments(data); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}

// read is every file below dir that keep keeps; files and folders whose name
// begins with a dot are passed over.
func read(dir string, keep func(name string) bool) (map[string][]byte, error) {
	files := map[string][]byte{}
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != "." && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() || !keep(name) {
			return nil
		}
		files[name], err = fs.ReadFile(root, name)
		return err
	})
	return files, err
}

// hash names the content: 12 hex digits over every path and file.
func hash(files map[string][]byte) string {
	h := sha256.New()
	for _, name := range sorted(files) {
		sum := sha256.Sum256(files[name])
		fmt.Fprintf(h, "%s\x00%x\n", name, sum)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// fixed are scripts whose address must not change with the version: those that
// other people's pages name, and the service worker, whose address is its scope.
var fixed = []string{"anywidget.js", "embed.js", worker}

// split parts the pages at the top of web/, and what is fixed, from all else.
func split(files map[string][]byte) (pages, code map[string][]byte) {
	pages, code = map[string][]byte{}, map[string][]byte{}
	for name, data := range files {
		if slices.Contains(fixed, name) || isPage(name) {
			pages[name] = data
		} else {
			code[name] = data
		}
	}
	return pages, code
}

func isPage(name string) bool {
	return !strings.Contains(name, "/") && strings.HasSuffix(name, ".html")
}

var charset = regexp.MustCompile(`<meta charset="utf-8">`)

// guard writes the policy into a page, before anything that it could be about.
func guard(page []byte) []byte {
	return charset.ReplaceAll(page, []byte("$0\n<meta http-equiv=\"Content-Security-Policy\" content=\""+policy.Page+"\">"))
}

// reference is a relative one, without what follows the path.
var reference = regexp.MustCompile(`(\s(?:src|href)=")(?:\./)?([^"#?:]+)["#?]`)

// repoint makes src="x" and href="x" of a page point into the version folder
// where x lies in it.
func repoint(page []byte, version string, code map[string][]byte) []byte {
	return reference.ReplaceAllFunc(page, func(match []byte) []byte {
		m := reference.FindSubmatch(match)
		if _, ok := code[string(m[2])]; !ok {
			return match
		}
		return slices.Concat(m[1], []byte(version), []byte("/"), m[2], match[len(match)-1:])
	})
}

// checkReferences sees that what the pages refer to is there.
func checkReferences(pages, out map[string][]byte, version string) error {
	for _, name := range sorted(pages) {
		for _, m := range reference.FindAllSubmatch(pages[name], -1) {
			to := string(m[2])
			if out[to] == nil && out[path.Join(version, to)] == nil {
				return fmt.Errorf("%s refers to %q, which is not there", name, to)
			}
		}
	}
	return nil
}

// joinLicences puts a line with its name before each text.
func (s site) joinLicences() ([]byte, error) {
	var all []byte
	for _, name := range s.licences {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = fmt.Appendf(all, "---- %s ----\n\n%s\n\n", shortName(name), bytes.TrimSpace(text))
	}
	return all, nil
}

// shortName is the end of a path that says whose file it is: not where this
// machine keeps it.
func shortName(name string) string {
	name = filepath.ToSlash(name)
	for _, root := range []string{"/node_modules/", "/mod/"} {
		if i := strings.LastIndex("/"+name, root); i >= 0 {
			return ("/" + name)[i+len(root):]
		}
	}
	return path.Base(name)
}

// listed is a model in models/index.json: what a menu shows before it loads
// anything. CodedBytes is what comes over the wire.
type listed struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Context    int    `json:"n_positions"`
	Bits       int    `json:"bits"`
	Licence    string `json:"licence"`
	Source     string `json:"source"`
	Bytes      int    `json:"bytes"`
	CodedBytes int    `json:"codedBytes"`
}

// readModels is every model folder, and the list of them.
func (s site) readModels() (map[string][]byte, error) {
	files := map[string][]byte{}
	list := []listed{}
	for _, dir := range s.models {
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
				continue
			}
			model, line, err := readModel(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			if line.ID != e.Name() {
				return nil, fmt.Errorf("%s: manifest.json says id %q, want the folder's name", filepath.Join(dir, e.Name()), line.ID)
			}
			list = append(list, line)
			for name, data := range model {
				files[path.Join(line.ID, name)] = data
			}
		}
	}
	data, err := json.MarshalIndent(list, "", " ")
	files["index.json"] = data
	return files, err
}

// readModel is one folder: its manifest and exactly the parts that it names,
// in their coded form where they have one.
func readModel(dir string) (map[string][]byte, listed, error) {
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return nil, listed{}, err
	}
	m, err := gpt2.ParseManifest(manifest)
	if err != nil {
		return nil, listed{}, fmt.Errorf("%s: %w", dir, err)
	}
	line := listed{
		ID: m.ID, Name: m.Name, Context: m.Config.NPositions, Bits: m.Quantisation.Bits, Licence: m.Licence,
		Source: m.Source.Repo,
		Bytes:  m.Bytes(),
	}
	files := map[string][]byte{"manifest.json": manifest}
	for _, p := range m.Parts {
		name, want := p.CodedFile, p.CodedSHA256
		if name == "" {
			name, want = p.File, p.SHA256
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, listed{}, err
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
			return nil, listed{}, fmt.Errorf("%s: sha256 %x, want %s", filepath.Join(dir, name), sum, want)
		}
		files[name] = data
		line.CodedBytes += len(data)
	}
	return files, line, nil
}

func write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

func sorted(files map[string][]byte) []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
