package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"

	"decodingplayground/core/gpt2"
)

// partFiles writes coded parts as they come.
type partFiles struct {
	dir     string
	quality int
	log     io.Writer
	parts   []gpt2.Part
	coded   int
	buf     bytes.Buffer
}

func (f *partFiles) add(p gpt2.Part, data []byte) error {
	f.buf.Reset()
	// Weights do not repeat: a wider window saves nothing, and costs who decodes memory.
	w := brotli.NewWriterOptions(&f.buf, brotli.WriterOptions{Quality: f.quality, LGWin: 18})
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
	return os.WriteFile(filepath.Join(f.dir, p.CodedFile), f.buf.Bytes(), 0o644)
}
