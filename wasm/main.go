//go:build js && wasm

// Command wasm is the engine as a Web Worker runs it: package api behind one
// JavaScript function, engineCall(method, params, bytes, into).
package main

import (
	"syscall/js"

	"decodingplayground/wasm/api"
)

func main() {
	app := api.New()
	clock := js.Global().Get("performance")
	app.Clock = func() float64 { return clock.Call("now").Float() / 1000 }
	js.Global().Set("engineCall", bridge(app))
	select {}
}
