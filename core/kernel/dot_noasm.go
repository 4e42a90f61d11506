//go:build !wasm || purego

package kernel

func dot(dst []float32, w *Weights, x *Activations) { dotGeneric(dst, w, x) }

func geluNew(x []float32) { geluNewGeneric(x) }

func attend(out, query []float32, keys, values [][]float32, at int, scores []float32, n int) {
	attendGeneric(out, query, keys, values, at, scores, n)
}
