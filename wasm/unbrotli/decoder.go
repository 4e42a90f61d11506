//go:build js && wasm

package main

import (
	"syscall/js"

	"decodingplayground/core/brotli"
)

// maxDecoded bounds what a stream may become: a part is 8 MB, and the engine
// itself, where a host sends it coded, less than twice that.
const maxDecoded = 32 << 20

var uint8Array = js.Global().Get("Uint8Array")

// decoder keeps its memory from one stream to the next: a Go program's never
// shrinks.
type decoder struct{ coded, decoded []byte }

func (d *decoder) decode(coded, into js.Value) ([]any, error) {
	d.coded = room(d.coded, coded)
	for i := range coded.Length() {
		at := len(d.coded)
		d.coded = d.coded[:at+coded.Index(i).Length()]
		js.CopyBytesToGo(d.coded[at:], coded.Index(i))
	}
	d.decoded = room(d.decoded, into)
	decoded, err := brotli.Decode(d.decoded, d.coded, maxDecoded)
	if err != nil {
		return nil, err
	}
	d.decoded = decoded
	return spread(decoded, into), nil
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
