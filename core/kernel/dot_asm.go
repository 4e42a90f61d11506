//go:build wasm && !purego

package kernel

// dot1 multiplies blocks of 8 rows with one vector.
//
//go:noescape
func dot1(dst *float32, w *byte, x *int32, blocks, groups, group int64)

// dot1x4 does the same with blocks at each of four places, apart blocks apart,
// and adds the results to dst.
//
//go:noescape
func dot1x4(dst *float32, w *byte, x *int32, blocks, groups, group, apart int64)

// dot4 does the same with four vectors and any number of places. The second
// vector's results lie second numbers behind those of the first, and so on: 0
// for a vector of zeros, which adds nothing.
//
//go:noescape
func dot4(dst *float32, w *byte, x *int32, blocks, groups, group, second, third, fourth, places, apart int64)

// Weights are read at four places of the matrix at a time: memory gives nearly
// twice as much than to one reader who goes from end to end. A tile of them
// stays near the processor while vectors pass, four at a time.
const (
	places    = 4
	tileBytes = 64 << 10
)

func dot(dst []float32, w *Weights, x *Activations) {
	clear(dst)
	blocks := w.Stride() / blockRows
	part := blocks / places
	tile := part
	if x.n > 4 {
		tile = max(1, tileBytes/(places*w.groups()*groupBytes(w.group)))
	}
	for at := 0; at < part; at += tile {
		dotTile(dst, w, x, at, min(tile, part-at), places, part)
	}
	if rest := blocks % places; rest > 0 {
		dotTile(dst, w, x, blocks-rest, rest, 1, 0)
	}
}

// dotTile multiplies blocks at each place, from block at on, with all vectors.
func dotTile(dst []float32, w *Weights, x *Activations, at, blocks, places, apart int) {
	groups, stride, row := w.groups(), w.Stride(), at*blockRows
	weights := &w.data[at*groups*groupBytes(w.group)]
	n, m, group := int64(blocks), int64(groups), int64(w.group)
	for i := 0; i < x.n; i += 4 {
		vectors, out := &x.words[i*groups*groupWords(w.group)], &dst[i*stride+row]
		left := x.n - i
		switch {
		case left > 1:
			third, fourth := stride, stride
			if left < 3 {
				third = 0
			}
			if left < 4 {
				fourth = 0
			}
			dot4(out, weights, vectors, n, m, group, int64(stride), int64(third), int64(fourth), int64(places), int64(apart))
		case places == 1:
			dot1(out, weights, vectors, n, m, group)
		default:
			dot1x4(out, weights, vectors, n, m, group, int64(apart))
		}
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
func putKeyFours(page, key *float32, fours int64)

func putKey(page, key []float32) {
	whole := len(key) &^ 3
	if whole > 0 {
		putKeyFours(&page[0], &key[0], int64(whole/4))
	}
	if whole < len(key) {
		putKeyGeneric(page[whole*PageRows:], key[whole:])
	}
}

//go:noescape
func scaleVectors(dst, src *float32, by float32, vectors int64)

func scale(dst, src []float32, by float32) {
	whole := len(src) &^ 3
	if whole > 0 {
		scaleVectors(&dst[0], &src[0], by, int64(whole/4))
	}
	scaleGeneric(dst[whole:], src[whole:], by)
}

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
