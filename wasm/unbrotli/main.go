//go:build js && wasm

// Command unbrotli decodes brotli for browsers that can't do it from script. It
// is a program of its own, loaded only where it is needed, and not part of the
// engine.
//
// It sets one global, which decodes one stream after the other:
//
//	unbrotli.push(coded: Uint8Array): Uint8Array[] | string
//	unbrotli.finish(): Uint8Array[] | string
//
// push takes the next bytes of the stream, of any length, and gives what they
// decode to, in chunks that are the caller's. finish ends the stream. A string
// is what is wrong with it; that ends the stream, too. The call after an end
// begins the next one.
package main

import "syscall/js"

func main() {
	d := newDecoder()
	js.Global().Set("unbrotli", map[string]any{
		"push": js.FuncOf(func(_ js.Value, args []js.Value) any {
			coded := make([]byte, args[0].Length())
			js.CopyBytesToGo(coded, args[0])
			return answer(d.push(coded))
		}),
		"finish": js.FuncOf(func(js.Value, []js.Value) any {
			return answer(d.finish())
		}),
	})
	select {}
}

func answer(chunks []any, err error) any {
	if err != nil {
		return err.Error()
	}
	return chunks
}
