//go:build wasm && !purego

package fmath

// expPairs is expsGeneric of pairs of numbers; sums are its sum and dot.
//
//go:noescape
func expPairs(sums, dst *float64, xs *float32, top float64, table *uint64, pairs int64)

func exps(dst []float64, xs []float32, top float64) (sum, dot float64) {
	var sums [2]float64
	whole := len(xs) &^ 1
	if whole > 0 {
		expPairs(&sums[0], &dst[0], &xs[0], top, &table[0], int64(whole/2))
	}
	return expsGeneric(dst[whole:], xs[whole:], top, sums[0], sums[1])
}
