//go:build js && wasm

// Command pack packs a checkpoint in a browser: what weights/pack does, without
// compression. It runs in a worker of its own, and sets one global:
//
//	pack(checkpoint, read, emit): Promise<string>
//
// checkpoint is {config, name, bits, group, names, sizes, vocab, merges}: the text of
// config.json, a name for people, names and sizes of the safetensors files, and the
// texts of vocab.json and merges.txt, or empty ones. read(file, at, size) gives
// bytes of one of the files, at once. emit(part, bytes, total) gets each part as
// it is done, with the size of all of them, and may answer with a promise. The
// result is the manifest.
package main

import "syscall/js"

func main() {
	js.Global().Set("pack", js.FuncOf(func(_ js.Value, args []js.Value) any {
		checkpoint, read, emit := args[0], args[1], args[2]
		return promise(func() (string, error) {
			return packCheckpoint(checkpoint, read, func(part map[string]any, data []byte, total int) error {
				chunk := uint8Array.New(len(data))
				js.CopyBytesToJS(chunk, data)
				return await(emit.Invoke(part, chunk, total))
			})
		})
	}))
	select {}
}
