package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"

	"decodingplayground/core/gpt2"
)

type options struct {
	checkpoint, out      string
	bits, group, quality int
	float32              bool
	id, name, licence    string
	source, revision     string
	tensors              map[string]gpt2.Grid
	texts                string
}

// ids are safe in paths, links and attributes alike.
var ids = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,62}[a-z0-9])?$`)

// quantisation is what the options ask for.
func (o options) quantisation() (gpt2.Quantisation, error) {
	if o.float32 {
		return gpt2.Quantisation{Bits: 32}, nil
	}
	if o.bits < 4 || o.bits > 8 {
		return gpt2.Quantisation{}, fmt.Errorf("bits: %d, want 4 to 8", o.bits)
	}
	return gpt2.Quantisation{Bits: o.bits, Group: o.group, Tensors: o.tensors}, nil
}

// setTensor takes NAME=BITS or NAME=BITS:GROUP; 32 bits are float32.
func (o *options) setTensor(text string) error {
	name, grid, _ := strings.Cut(text, "=")
	bits, group, grouped := strings.Cut(grid, ":")
	var g gpt2.Grid
	var err error
	if g.Bits, err = strconv.Atoi(bits); err != nil {
		return fmt.Errorf("%q, want NAME=BITS or NAME=BITS:GROUP", text)
	}
	if g.Bits != 32 {
		if g.Group = 64; grouped {
			g.Group, err = strconv.Atoi(group)
		}
		if err != nil || g.Bits < 4 || g.Bits > 8 {
			return fmt.Errorf("%q, want 4 to 8 bits, or 32", text)
		}
	}
	if o.tensors == nil {
		o.tensors = map[string]gpt2.Grid{}
	}
	o.tensors[name] = g
	return nil
}

// pack writes o.out. The folder is made beside it and moved there at the end:
// a run that fails leaves what was there.
func pack(o options, log io.Writer) error {
	if o.quality < brotli.BestSpeed || o.quality > brotli.BestCompression {
		return fmt.Errorf("quality: %d, want 0 to 11", o.quality)
	}
	if o.id == "" {
		o.id = filepath.Base(filepath.Clean(o.out))
	}
	if !ids.MatchString(o.id) {
		return fmt.Errorf("id: %q, want up to 64 of a-z, 0-9, dot and hyphen", o.id)
	}
	if o.name == "" {
		o.name = o.id
	}
	q, err := o.quantisation()
	if err != nil {
		return err
	}
	c, err := openCheckpoint(o.checkpoint)
	if err != nil {
		return err
	}
	defer c.close()

	fresh := filepath.Clean(o.out) + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	if err := os.MkdirAll(fresh, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	parts := partFiles{dir: fresh, quality: o.quality, log: log}
	manifest, err := gpt2.Pack(c.config, c.source, q, parts.add)
	if err != nil {
		return err
	}
	manifest.ID, manifest.Name, manifest.Tokenizer, manifest.Licence = o.id, o.name, "gpt2", o.licence
	manifest.Source = gpt2.SourceInfo{Repo: o.source, Revision: o.revision, SHA256: c.sha256}
	manifest.Parts = parts.parts
	if err := writeManifest(fresh, manifest); err != nil {
		return err
	}
	if o.texts != "" {
		if err := measure(&manifest.Error, c, fresh, o.texts); err != nil {
			return err
		}
		if err := writeManifest(fresh, manifest); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(o.out); err != nil {
		return err
	}
	if err := os.Rename(fresh, o.out); err != nil {
		return err
	}
	report(log, o.out, manifest, parts.coded)
	return nil
}

func writeManifest(dir string, m *gpt2.Manifest) error {
	text, err := m.JSON()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "manifest.json"), text, 0o644)
}

func report(log io.Writer, out string, m *gpt2.Manifest, coded int) {
	e := m.Error
	for _, name := range slices.Sorted(maps.Keys(e.Tensors)) {
		fmt.Fprintf(log, "%s: relative error %.2f %%\n", name, 100*e.Tensors[name])
	}
	fmt.Fprintf(log, "%s: %d parts, %d bytes, %d after brotli, relative error %.2f %%\n",
		out, len(m.Parts), m.Bytes(), coded, 100*e.RelativeRMSE)
	if e.Tokens > 0 {
		fmt.Fprintf(log, "on %d tokens: KL divergence %.2g nats, the same first choice %.1f %% of the time\n", e.Tokens, e.KL, 100*e.Top1)
	}
}
