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
	Model string        `json:"model"` // folder in weights/default
	Hash  string        `json:"hash"`  // of that model: another one has other texts
	Cases []pinnedCases `json:"cases"`
}

// pinnedCases is one text. Digest is FNV-1a, 64 bits, of the logits and then
// the probs of a view of 1000 rows of the step after it.
type pinnedCases struct {
	Prompt   string   `json:"prompt"`
	Settings Settings `json:"settings"`
	Steps    int      `json:"steps"`
	IDs      []int    `json:"ids"`
	Digest   string   `json:"digest"`
}

const (
	pinnedFile   = "../testdata/pinned.json"
	defaultModel = "../../weights/default"
)

// TestPinned computes the texts again. With -update it pins them: for a new
// default model, and when a change of results is meant.
func TestPinned(t *testing.T) {
	text, err := os.ReadFile(pinnedFile)
	if err != nil {
		t.Fatal(err)
	}
	var pins pinned
	if err := json.Unmarshal(text, &pins); err != nil {
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
		ids, digest := c.generate(info.Model, *p)
		if *update {
			p.IDs, p.Digest = ids, digest
		}
		if !slices.Equal(ids, p.IDs) || digest != p.Digest {
			t.Errorf("%q: ids %v, digest %s, want %v, %s", p.Prompt, ids, digest, p.IDs, p.Digest)
		}
	}
	if *update {
		text, err := json.MarshalIndent(pins, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(pinnedFile, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func (c client) generate(model int, p pinnedCases) (ids []int, digest string) {
	var prompt []int
	for _, token := range call[Tokens](c, "tokenize", Tokenize{Model: model, Text: p.Prompt}).Tokens {
		prompt = append(prompt, token.ID)
	}
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
