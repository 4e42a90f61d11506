//go:build js && wasm

// Command unbrotli decodes brotli for browsers that can't do it from script. It
// is a program of its own, loaded only where it is needed, and not part of the
// engine.
//
// It sets one global:
//
//	unbrotli(coded: Uint8Array[], into: Uint8Array[]): Uint8Array[] | string
//
// coded is a whole stream in pieces. What it decodes to is put into the arrays
// of into, one after the other, and what does not fit there into new ones; the
// answer is the arrays, the last cut to what is in it. A string is what is
// wrong with the stream.
package main

import "syscall/js"

func main() {
	var d decoder
	js.Global().Set("unbrotli", js.FuncOf(func(_ js.Value, args []js.Value) any {
		chunks, err := d.decode(args[0], args[1])
		if err != nil {
			return err.Error()
		}
		return chunks
	}))
	select {}
}
