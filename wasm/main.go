//go:build js && wasm

// Command wasm is the engine as a Web Worker runs it: package api behind one
// JavaScript function, engineCall(method, params, bytes).
package main

import (
	"syscall/js"

	"decodingplayground/wasm/api"
)

func main() {
	js.Global().Set("engineCall", bridge(api.New()))
	select {}
}
