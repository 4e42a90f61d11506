//go:build !wasm || purego

package kernel

func dot(dst []float32, w *Weights, x *Activations) { dotGeneric(dst, w, x) }

func quantise(words []int32, x []float32) { quantiseGeneric(words, x) }

func geluNew(x []float32) { geluNewGeneric(x) }

func maxOf(lanes *[4]float32, x []float32) { maxOfGeneric(lanes, x) }

func expSum(lanes *[4]float32, x []float32, most float32) { expSumGeneric(lanes, x, most) }

func keyScores(scores, query []float32, keys [][]float32, at int) {
	keyScoresGeneric(scores, query, keys, at)
}

func valueSum(out, weights []float32, values [][]float32, at int) {
	valueSumGeneric(out, weights, values, at)
}

func putKey(page, key []float32) { putKeyGeneric(page, key) }

func scale(dst, src []float32, by float32) { scaleGeneric(dst, src, by) }

func add(dst, src []float32) { addGeneric(dst, src) }

func sumOf(parts *[4]float64, x []float32) { sumOfGeneric(parts, x) }

func squaresOf(parts *[4]float64, x []float32, mean float32) { squaresOfGeneric(parts, x, mean) }

func normalise(dst, x, weight, bias []float32, mean, factor float32) {
	normaliseGeneric(dst, x, weight, bias, mean, factor)
}
