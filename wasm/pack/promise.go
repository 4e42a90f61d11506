//go:build js && wasm

package main

import (
	"errors"
	"syscall/js"
)

// promise runs work beside and settles with what it returns.
func promise(work func() (string, error)) js.Value {
	executor := js.FuncOf(func(_ js.Value, args []js.Value) any {
		resolve, reject := args[0], args[1]
		go func() {
			if text, err := work(); err != nil {
				reject.Invoke(js.Global().Get("Error").New(err.Error()))
			} else {
				resolve.Invoke(text)
			}
		}()
		return nil
	})
	defer executor.Release()
	return js.Global().Get("Promise").New(executor)
}

// await waits for a promise, or does not for what is none.
func await(v js.Value) error {
	done := make(chan error, 1)
	ok := js.FuncOf(func(js.Value, []js.Value) any {
		done <- nil
		return nil
	})
	defer ok.Release()
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- errors.New(js.Global().Call("String", args[0]).String())
		return nil
	})
	defer failed.Release()
	js.Global().Get("Promise").Call("resolve", v).Call("then", ok, failed)
	return <-done
}
