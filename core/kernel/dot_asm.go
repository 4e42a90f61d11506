//go:build wasm && !purego

package kernel

// dot1 multiplies blocks of 8 rows with one vector.
//
//go:noescape
func dot1(dst *float32, w *byte, x *int32, blocks, groups, group int64)

// dot1x4 does the same with blocks at each of four places, apart bytes apart,
// whose results it adds to dst.
//
//go:noescape
func dot1x4(dst *float32, w *byte, x *int32, blocks, groups, group, apart int64)

// dot4 does the same with four vectors, whose results, stride apart, it adds
// to dst.
//
//go:noescape
func dot4(dst *float32, w *byte, x *int32, blocks, groups, group, stride int64)

// A tile of weights stays near the processor while all vectors pass.
const (
	tileBytes  = 64 << 10
	tileBlocks = 32
)

func dot(dst []float32, w *Weights, x *Activations) {
	groups, group, stride := w.groups(), int64(w.group), w.Stride()
	blockBytes := groups * groupBytes(w.group)
	tile := min(max(1, tileBytes/blockBytes), tileBlocks)
	if x.n == 1 {
		dotOne(dst, w, x)
		return
	}
	clear(dst)
	for block := 0; block*blockRows < stride; block += tile {
		blocks := min(tile, stride/blockRows-block)
		rows := blocks * blockRows
		for i := 0; i < x.n; i += 4 {
			out, weights := dst[i*stride+block*blockRows:], &w.data[block*blockBytes]
			vectors := &x.words[i*groups*groupWords(w.group)]
			switch n := x.n - i; {
			case n == 1:
				dot1(&out[0], weights, vectors, int64(blocks), int64(groups), group)
			case n >= 4:
				dot4(&out[0], weights, vectors, int64(blocks), int64(groups), group, int64(stride))
			default:
				var four [4 * tileBlocks * blockRows]float32
				dot4(&four[0], weights, vectors, int64(blocks), int64(groups), group, int64(rows))
				for k := range n {
					copy(out[k*stride:][:rows], four[k*rows:])
				}
			}
		}
	}
}

// dotOne reads the weights, once each, at four places at a time: memory gives
// nearly twice as much than to one reader who goes from end to end.
func dotOne(dst []float32, w *Weights, x *Activations) {
	groups, group := w.groups(), int64(w.group)
	blocks, blockBytes := w.Stride()/blockRows, groups*groupBytes(w.group)
	quarter := blocks / 4
	if quarter > 0 {
		clear(dst[:4*quarter*blockRows])
		dot1x4(&dst[0], &w.data[0], &x.words[0], int64(quarter), int64(groups), group, int64(quarter*blockBytes))
	}
	if rest := blocks - 4*quarter; rest > 0 {
		dot1(&dst[4*quarter*blockRows], &w.data[4*quarter*blockBytes], &x.words[0], int64(rest), int64(groups), group)
	}
}

//go:noescape
func quantiseVectors(words *int32, x *float32, eights int64)

func quantise(words []int32, x []float32) { quantiseVectors(&words[0], &x[0], int64(len(x)/8)) }

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

// What follows takes whole vectors by assembly and the rest, fewer than 4
// numbers, by the generic form.

//go:noescape
func addVectors(dst, src *float32, vectors int64)

func add(dst, src []float32) {
	whole := len(src) &^ 3
	if whole > 0 {
		addVectors(&dst[0], &src[0], int64(whole/4))
	}
	addGeneric(dst[whole:], src[whole:])
}

//go:noescape
func sumVectors(parts *float64, x *float32, vectors int64)

func sumOf(parts *[4]float64, x []float32) {
	*parts = [4]float64{}
	whole := len(x) &^ 3
	if whole > 0 {
		sumVectors(&parts[0], &x[0], int64(whole/4))
	}
	addSums(parts, x[whole:])
}

//go:noescape
func squareVectors(parts *float64, x *float32, mean float32, vectors int64)

func squaresOf(parts *[4]float64, x []float32, mean float32) {
	*parts = [4]float64{}
	whole := len(x) &^ 3
	if whole > 0 {
		squareVectors(&parts[0], &x[0], mean, int64(whole/4))
	}
	addSquares(parts, x[whole:], mean)
}

//go:noescape
func normaliseVectors(dst, x, weight, bias *float32, mean, factor float32, vectors int64)

func normalise(dst, x, weight, bias []float32, mean, factor float32) {
	whole := len(x) &^ 3
	if whole > 0 {
		normaliseVectors(&dst[0], &x[0], &weight[0], &bias[0], mean, factor, int64(whole/4))
	}
	normaliseGeneric(dst[whole:], x[whole:], weight[whole:], bias[whole:], mean, factor)
}
