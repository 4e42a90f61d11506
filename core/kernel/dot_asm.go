//go:build wasm && !purego

package kernel

// dot1 multiplies blocks of 8 rows with one vector; runs is a group's columns
// over 32.
//
//go:noescape
func dot1(dst *float32, w *byte, x *int16, scale *float32, start *int32, blocks, groups, runs int64)

func dot(dst []float32, w *Weights, x *Activations) {
	blocks, groups, runs := w.Stride()/blockRows, w.groups(), w.group/32
	for i := range x.n {
		dot1(&dst[i*w.Stride()], &w.data[0], &x.q[i*groups*w.group*4], &x.scale[i*groups], &x.start[i*groups],
			int64(blocks), int64(groups), int64(runs))
	}
}

func geluNew(x []float32) { geluNewGeneric(x) }

func attend(out, query []float32, keys, values [][]float32, at int, scores []float32, n int) {
	attendGeneric(out, query, keys, values, at, scores, n)
}
