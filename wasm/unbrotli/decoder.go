//go:build js && wasm

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"syscall/js"

	"github.com/andybalholm/brotli"
)

// maxDecoded bounds what a stream may become: a part is 8 MB, and the engine
// itself, where a host sends it coded, less than twice that.
const maxDecoded = 32 << 20

var uint8Array = js.Global().Get("Uint8Array")

// decoder keeps its memory from one stream to the next: a Go program's never
// shrinks.
type decoder struct {
	reader         brotli.Reader
	coded, decoded []byte
}

func (d *decoder) decode(coded, into js.Value) ([]any, error) {
	d.coded = room(d.coded, coded)
	for i := range coded.Length() {
		at := len(d.coded)
		d.coded = d.coded[:at+coded.Index(i).Length()]
		js.CopyBytesToGo(d.coded[at:], coded.Index(i))
	}
	d.decoded = room(d.decoded, into)
	if err := d.stream(); err != nil {
		return nil, fmt.Errorf("brotli: corrupt stream: %w", err)
	}
	return spread(d.decoded, into), nil
}

// stream decodes coded to its end, behind which nothing may stand.
func (d *decoder) stream() error {
	if err := d.reader.Reset(bytes.NewReader(d.coded)); err != nil {
		return err
	}
	for {
		if len(d.decoded) == cap(d.decoded) {
			d.decoded = append(d.decoded, 0)[:len(d.decoded)]
		}
		n, err := d.reader.Read(d.decoded[len(d.decoded):cap(d.decoded)])
		d.decoded = d.decoded[:len(d.decoded)+n]
		switch {
		case len(d.decoded) > maxDecoded:
			return errors.New("more data than a part has")
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return errors.New("it ends too early")
		case err != nil:
			return err
		}
	}
}

// room is memory, the old one if it will do, for as much as the arrays hold.
func room(old []byte, arrays js.Value) []byte {
	size := 0
	for i := range arrays.Length() {
		size += arrays.Index(i).Length()
	}
	if size > cap(old) {
		return make([]byte, 0, size)
	}
	return old[:0]
}

// spread copies data into arrays of JavaScript.
func spread(data []byte, into js.Value) []any {
	chunks := []any{}
	for i := 0; len(data) > 0; i++ {
		var to js.Value
		if i < into.Length() {
			to = into.Index(i)
		} else {
			to = uint8Array.New(len(data))
		}
		n := min(len(data), to.Length())
		if n < to.Length() {
			to = to.Call("subarray", 0, n)
		}
		js.CopyBytesToJS(to, data[:n])
		data = data[n:]
		chunks = append(chunks, to)
	}
	return chunks
}
