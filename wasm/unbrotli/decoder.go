//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"io"
	"syscall/js"

	"github.com/andybalholm/brotli"
)

// maxDecoded bounds what a stream may become: a part is 8 MB, and the engine
// itself, where a host sends it coded, less than twice that.
const maxDecoded = 32 << 20

const bufferSize = 256 << 10

var uint8Array = js.Global().Get("Uint8Array")

// decoder takes a stream piece by piece from JavaScript and back. It keeps its
// memory from one stream to the next: a Go program's never shrinks.
type decoder struct {
	reader brotli.Reader
	buf    []byte
}

func (d *decoder) decode(coded, into js.Value) ([]any, error) {
	if d.buf == nil {
		d.buf = make([]byte, bufferSize)
	}
	if err := d.reader.Reset(&pieces{list: coded}); err != nil {
		return nil, err
	}
	out := filling{into: into}
	for total := 0; ; {
		n, err := d.reader.Read(d.buf)
		total += n
		switch {
		case total > maxDecoded:
			err = errors.New("more data than a part has")
		case errors.Is(err, io.ErrUnexpectedEOF):
			err = errors.New("it ends too early")
		case err == nil || errors.Is(err, io.EOF):
			out.write(d.buf[:n])
		}
		if errors.Is(err, io.EOF) {
			return out.chunks(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("brotli: corrupt stream: %w", err)
		}
	}
}

// pieces reads arrays of JavaScript, one after the other.
type pieces struct {
	list  js.Value
	index int
	at    int // in the array of that index
}

func (p *pieces) Read(to []byte) (int, error) {
	for ; p.index < p.list.Length(); p.index, p.at = p.index+1, 0 {
		array := p.list.Index(p.index)
		if left := array.Length() - p.at; left > 0 {
			n := min(left, len(to))
			js.CopyBytesToGo(to[:n], array.Call("subarray", p.at, p.at+n))
			p.at += n
			return n, nil
		}
	}
	return 0, io.EOF
}

// filling fills arrays of JavaScript, one after the other, and then new ones.
type filling struct {
	into js.Value
	full []any
	last js.Value // the one that is being filled, up to at
	at   int
}

func (f *filling) write(data []byte) {
	for len(data) > 0 {
		if f.last.IsUndefined() {
			if f.last = f.into.Index(len(f.full)); f.last.IsUndefined() {
				f.last = uint8Array.New(1 << 20)
			}
		}
		n := min(len(data), f.last.Length()-f.at)
		js.CopyBytesToJS(f.last.Call("subarray", f.at, f.at+n), data[:n])
		data, f.at = data[n:], f.at+n
		if f.at == f.last.Length() {
			f.full = append(f.full, f.last)
			f.last, f.at = js.Undefined(), 0
		}
	}
}

// chunks are the arrays, the last cut to what is in it.
func (f *filling) chunks() []any {
	chunks := f.full
	if f.at > 0 {
		chunks = append(chunks, f.last.Call("subarray", 0, f.at))
	}
	if chunks == nil {
		chunks = []any{}
	}
	return chunks
}
