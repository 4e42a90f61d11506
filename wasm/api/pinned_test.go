package api

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/andybalholm/brotli"
)

// pinned are texts that must come out the same on every machine: natively, as
// WebAssembly in Node and in browsers, with and without SIMD.
type pinned struct {
	Model string       `json:"model"` // folder in weights/default
	Hash  string       `json:"hash"`  // of that model: another one has other texts
	Cases []pinnedCase `json:"cases"`
}

// pinnedCase is one text: of the model, or of a toy of the lessons. Settings
// are those of Link, where there is one. Digest is FNV-1a, 64 bits, of the
// logits and then the probs of a view of 1000 rows of the step after it.
type pinnedCase struct {
	Link     string   `json:"link,omitempty"`
	Toy      string   `json:"toy,omitempty"`
	Prompt   string   `json:"prompt"`
	Settings Settings `json:"settings"`
	Steps    int      `json:"steps"`
	IDs      []int    `json:"ids"`
	Digest   string   `json:"digest"`
}

const (
	toysFile     = "../../web/lessons/toys.json"
	defaultModel = "../../weights/default"
)

// TestPinned computes the texts again. With -update it pins them: for a new
// default model, and when a change of results is meant.
func TestPinned(t *testing.T) {
	for _, file := range []string{"../testdata/pinned.json", "../testdata/links.json"} {
		t.Run(filepath.Base(file), func(t *testing.T) { checkPinned(t, file) })
	}
}

func checkPinned(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var pins pinned
	if err := json.Unmarshal(text, &pins); err != nil {
		t.Fatal(err)
	}
	toys, err := os.ReadFile(toysFile)
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t)
	info := c.load(readModel(t, filepath.Join(defaultModel, pins.Model)))
	if *update {
		pins.Hash = info.Hash
	}
	if pins.Hash != info.Hash {
		t.Fatalf("%s is another model than was pinned: go test ./wasm/api -run TestPinned -update", pins.Model)
	}
	for i := range pins.Cases {
		p := &pins.Cases[i]
		var ids []int
		var digest string
		if p.Toy != "" {
			toy := call[ModelInfo](c, "modelToy", ModelToy{Toys: string(toys), Name: p.Toy})
			ids, digest = c.write(toy.Model, toy.PromptIDs, *p)
		} else {
			ids, digest = c.write(info.Model, c.ids(info.Model, p.Prompt), *p)
		}
		if *update {
			p.IDs, p.Digest = ids, digest
		}
		if !slices.Equal(ids, p.IDs) || digest != p.Digest {
			t.Errorf("%s %q: ids %v, digest %s, want %v, %s", p.Link, p.Prompt, ids, digest, p.IDs, p.Digest)
		}
	}
	if *update {
		if err := os.WriteFile(file, pins.lines(t), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// lines has a case a line.
func (p pinned) lines(t *testing.T) []byte {
	text := fmt.Appendf(nil, "{\"model\":%q,\"hash\":%q,\"cases\":[\n", p.Model, p.Hash)
	for i, c := range p.Cases {
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			text = append(text, ",\n"...)
		}
		text = append(text, line...)
	}
	return append(text, "\n]}\n"...)
}

func (c client) ids(model int, text string) []int {
	var ids []int
	for _, token := range call[Tokens](c, "tokenize", Tokenize{Model: model, Text: text}).Tokens {
		ids = append(ids, token.ID)
	}
	return ids
}

func (c client) write(model int, prompt []int, p pinnedCase) (ids []int, digest string) {
	st := call[Status](c, "open", Open{Model: model, IDs: prompt, Settings: p.Settings})
	for fed := (Fed{Total: 1}); fed.Done < fed.Total; {
		fed = call[Fed](c, "feed", Feed{Session: st.Session, Count: 16})
	}
	for range p.Steps {
		st = c.stepOnce(st.Session)
	}
	v := c.view(st.Session, 1000)
	h := fnv.New64a()
	if err := binary.Write(h, binary.LittleEndian, v.logits); err != nil {
		c.Fatal(err)
	}
	if err := binary.Write(h, binary.LittleEndian, v.probs); err != nil {
		c.Fatal(err)
	}
	call[Nothing](c, "close", Ref{Session: st.Session})
	return chosen(st), fmt.Sprintf("%016x", h.Sum64())
}

// readModel is a model folder with its parts decoded.
func readModel(t *testing.T, folder string) (string, [][]byte) {
	manifest, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Parts []struct {
			File string `json:"coded_file"`
		} `json:"parts"`
	}
	if err := json.Unmarshal(manifest, &m); err != nil {
		t.Fatal(err)
	}
	var parts [][]byte
	for _, p := range m.Parts {
		coded, err := os.ReadFile(filepath.Join(folder, p.File))
		if err != nil {
			t.Fatal(err)
		}
		part, err := io.ReadAll(brotli.NewReader(bytes.NewReader(coded)))
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	return string(manifest), parts
}
