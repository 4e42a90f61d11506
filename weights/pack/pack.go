package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/andybalholm/brotli"

	"decodingplayground/core/gpt2"
)

type options struct {
	checkpoint, out      string
	bits, group, quality int
	float32              bool
	id, name, licence    string
	source, revision     string
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
	return gpt2.Quantisation{Bits: o.bits, Group: o.group}, nil
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
	text, err := os.ReadFile(filepath.Join(o.checkpoint, "config.json"))
	if err != nil {
		return err
	}
	config, err := gpt2.ParseConfig(text)
	if err != nil {
		return fmt.Errorf("config.json: %w", err)
	}
	file, err := os.Open(filepath.Join(o.checkpoint, "model.safetensors"))
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, file)
	if err != nil {
		return err
	}
	tensors, err := gpt2.OpenSafetensors(file, size)
	if err != nil {
		return fmt.Errorf("model.safetensors: %w", err)
	}

	fresh := filepath.Clean(o.out) + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	if err := os.MkdirAll(fresh, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	parts := folder{path: fresh, quality: o.quality, log: log}
	manifest, err := gpt2.Pack(config, tensors, q, parts.add)
	if err != nil {
		return err
	}
	manifest.ID, manifest.Name, manifest.Tokenizer, manifest.Licence = o.id, o.name, "gpt2", o.licence
	manifest.Source = gpt2.SourceInfo{Repo: o.source, Revision: o.revision, SHA256: hex.EncodeToString(sum.Sum(nil))}
	manifest.Parts = parts.parts
	text, err = manifest.JSON()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(fresh, "manifest.json"), text, 0o644); err != nil {
		return err
	}
	if err := os.RemoveAll(o.out); err != nil {
		return err
	}
	if err := os.Rename(fresh, o.out); err != nil {
		return err
	}
	fmt.Fprintf(log, "%s: %d parts, %d bytes, %d after brotli, relative error %.2f %%\n",
		o.out, len(parts.parts), manifest.Bytes(), parts.coded, 100*manifest.Error.RelativeRMSE)
	return nil
}

// folder writes coded parts as they come.
type folder struct {
	path    string
	quality int
	log     io.Writer
	parts   []gpt2.Part
	coded   int
	buf     bytes.Buffer
}

func (f *folder) add(p gpt2.Part, data []byte) error {
	f.buf.Reset()
	w := brotli.NewWriterOptions(&f.buf, brotli.WriterOptions{Quality: f.quality, LGWin: 24})
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	sum := sha256.Sum256(f.buf.Bytes())
	p.CodedFile, p.CodedBytes, p.CodedSHA256 = p.File+".br", f.buf.Len(), hex.EncodeToString(sum[:])
	f.parts = append(f.parts, p)
	f.coded += p.CodedBytes
	fmt.Fprintf(f.log, "%s: %d bytes, %d after brotli\n", p.CodedFile, p.Bytes, p.CodedBytes)
	return os.WriteFile(filepath.Join(f.path, p.CodedFile), f.buf.Bytes(), 0o644)
}
