//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"io"
	"syscall/js"

	"github.com/andybalholm/brotli"
)

var errTruncated = errors.New("corrupt stream: it ends too early")

var uint8Array = js.Global().Get("Uint8Array")

// decoder turns brotli's Reader, which asks for bytes, into one that is given
// them.
type decoder struct {
	coded  feed
	reader *brotli.Reader
	buf    []byte
}

func newDecoder() *decoder {
	d := &decoder{buf: make([]byte, 256<<10)}
	d.reader = brotli.NewReader(&d.coded)
	return d
}

// push decodes coded as far as it goes.
func (d *decoder) push(coded []byte) ([]any, error) {
	d.coded.bytes = coded
	return d.drain()
}

// finish ends the stream; the decoder is ready for the next one.
func (d *decoder) finish() ([]any, error) {
	d.coded.ended = true
	chunks, err := d.drain()
	d.reset()
	return chunks, err
}

func (d *decoder) reset() {
	d.coded = feed{}
	_ = d.reader.Reset(&d.coded) // has no error to give
}

// drain reads until the reader asks for bytes that aren't there.
func (d *decoder) drain() ([]any, error) {
	chunks := []any{}
	for {
		n, err := d.reader.Read(d.buf)
		if n > 0 {
			chunk := uint8Array.New(n)
			js.CopyBytesToJS(chunk, d.buf[:n])
			chunks = append(chunks, chunk)
		}
		switch {
		case err == io.EOF, err == nil && n == 0:
			return chunks, nil
		case err == io.ErrUnexpectedEOF:
			d.reset()
			return nil, errTruncated
		case err != nil:
			d.reset()
			return nil, fmt.Errorf("corrupt stream: %w", err)
		}
	}
}

// feed is a reader of what was pushed. Reading nothing without an error means:
// not yet.
type feed struct {
	bytes []byte
	ended bool
}

func (f *feed) Read(p []byte) (int, error) {
	if len(f.bytes) == 0 && f.ended {
		return 0, io.EOF
	}
	n := copy(p, f.bytes)
	f.bytes = f.bytes[n:]
	return n, nil
}
