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

// quantiseVectors returns the sum of the activations.
//
//go:noescape
func quantiseVectors(q *int16, x *float32, scale *float32, eights int64) (sum int32)

func quantise(q []int16, x []float32) (scale float32, start int32) {
	sum := quantiseVectors(&q[0], &x[0], &scale, int64(len(x)/8))
	return scale, -bias * sum
}

//go:noescape
func geluVectors(x *float32, vectors int64)

func geluNew(x []float32) {
	if whole := len(x) / 4; whole > 0 {
		geluVectors(&x[0], int64(whole))
		x = x[4*whole:]
	}
	geluNewGeneric(x)
}

//go:noescape
func maxLanes(lanes, x *float32, vectors int64)

func maxOf(lanes *[4]float32, x []float32) { maxLanes(&lanes[0], &x[0], int64(len(x)/4)) }

//go:noescape
func expLanes(lanes, x *float32, most float32, vectors int64)

func expSum(lanes *[4]float32, x []float32, most float32) {
	expLanes(&lanes[0], &x[0], most, int64(len(x)/4))
}

// keyScores and valueSum walk slices of slices, 24 bytes for each page.
//
//go:noescape
func keyScoresPages(scores, query *float32, keys *[]float32, at, quads, pages int64)

func keyScores(scores, query []float32, keys [][]float32, at int) {
	keyScoresPages(&scores[0], &query[0], &keys[0], int64(4*at), int64(len(query)/4), int64(len(keys)))
}

//go:noescape
func valueSumPages(out, weights *float32, values *[]float32, at, width, n int64)

func valueSum(out, weights []float32, values [][]float32, at int) {
	valueSumPages(&out[0], &weights[0], &values[0], int64(4*at), int64(len(out)), int64(len(weights)))
}
