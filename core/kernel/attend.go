package kernel

import "fmt"

// Keys and values of one head lie in pages of PageRows positions. A page of
// keys is (width, PageRows), so that a vector holds one number of several
// positions. A page of values has valueCols columns after the other, each
// (PageRows, valueCols), so that it is read from front to back. width is the
// head's, up to a multiple of 4 with zeros.
const (
	PageRows  = 16
	valueCols = 32
)

// HeadWidth is how wide a head of n numbers is in a page.
func HeadWidth(n int) int { return roundUp(n, 4) }

// PutKey writes a key as position slot of a page.
func PutKey(page, key []float32, slot int) {
	if slot >= PageRows || len(page) < len(key)*PageRows {
		panic(fmt.Sprintf("kernel: key of %d numbers to slot %d of a page of %d", len(key), slot, len(page)))
	}
	putKey(page[slot:], key)
}

func putKeyGeneric(page, key []float32) {
	for i, v := range key {
		page[i*PageRows] = v
	}
}

// PutValue writes a value as position slot of a page.
func PutValue(page, value []float32, slot, width int) {
	for c := 0; c < len(value); c += valueCols {
		cols := min(valueCols, width-c)
		part := value[c:min(c+cols, len(value))]
		Scale(page[c*PageRows+slot*cols:][:len(part)], part, 1)
	}
}

// Scale sets dst to by times src. By 1 it is a copy, and of a head's few numbers
// a quicker one than WebAssembly's own.
func Scale(dst, src []float32, by float32) { scale(dst, src[:len(dst)], by) }

func scaleGeneric(dst, src []float32, by float32) {
	for i, v := range src {
		dst[i] = v * by
	}
}

// Attend is one head's attention of one query to the first n positions: out is
// the mean of the values, weighted by the softmax of query times key. The
// query, width numbers, already holds the scale. Pages' head begins at number
// at. scores is memory for the positions of all pages.
//
// Sums over a head's numbers and over positions run in order, so they do not
// depend on how many queries are computed at once.
func Attend(out, query []float32, keys, values [][]float32, at, n int, scores []float32) {
	width := len(query)
	pages := roundUp(n, PageRows) / PageRows
	if n < 1 || len(out) != width || width%4 != 0 || len(keys) < pages || len(values) < pages || len(scores) < pages*PageRows {
		panic(fmt.Sprintf("kernel: attention of %d numbers to %d positions, %d pages, %d scores", width, n, len(keys), len(scores)))
	}
	end := at + width*PageRows
	for p := range pages {
		_, _ = keys[p][at:end], values[p][at:end]
	}
	keys, values, scores = keys[:pages], values[:pages], scores[:pages*PageRows]
	keyScores(scores, query, keys, at)
	inv := softmax(scores, n)
	clear(out)
	valueSum(out, scores[:n], values, at)
	for i := range out {
		out[i] *= inv
	}
}

// keyScoresGeneric sets scores to query times every key of the pages.
func keyScoresGeneric(scores, query []float32, keys [][]float32, at int) {
	clear(scores)
	for p, page := range keys {
		sums := (*[PageRows]float32)(scores[p*PageRows:])
		for i, q := range query {
			k := (*[PageRows]float32)(page[at+i*PageRows:])
			for j := range sums {
				sums[j] += float32(q * k[j])
			}
		}
	}
}

// valueSumGeneric adds the weighted values to out.
func valueSumGeneric(out, weights []float32, values [][]float32, at int) {
	for c := 0; c < len(out); c += valueCols {
		part := out[c:min(c+valueCols, len(out))]
		for j, weight := range weights {
			row := values[j/PageRows][at+c*PageRows+j%PageRows*len(part):][:len(part)]
			for i, v := range row {
				part[i] += float32(weight * v)
			}
		}
	}
}
