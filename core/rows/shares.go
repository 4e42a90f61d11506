package rows

// Unit is the weight of probability 1. Masses are summed as whole numbers of
// 2**-62, so that a sum does not depend on the order it is taken in, and a
// filter need not sort to give what summing a sorted row gives.
const Unit = 1 << 62

// UnitsOf goes by way of int64, to which a processor converts at once.
func UnitsOf(p float32) uint64 { return uint64(int64(float64(p) * Unit)) }

// Shares sets probs[i] to weights[i]/sum, rounded to float32, and units[i] to
// UnitsOf that.
func Shares(probs []float32, units []uint64, weights []float64, sum float64) {
	shares(probs[:len(weights)], units[:len(weights)], weights, sum)
}

func sharesGeneric(probs []float32, units []uint64, weights []float64, sum float64) {
	for i, w := range weights {
		p := float32(w / sum)
		probs[i], units[i] = p, UnitsOf(p)
	}
}

// Sums are, by who removes a token, the sum of weights e**x, and that of the
// weights times x.
type Sums [256][2]float64

// Weigh adds the weights of a row's tokens, e**(score-top), to the sums of by.
func (s *Sums) Weigh(by []uint8, xs []float32, weights []float64, top float64) {
	weigh(s, by[:len(xs)], xs, weights[:len(xs)], top)
}

func weighGeneric(s *Sums, by []uint8, xs []float32, weights []float64, top float64) {
	add := func(by uint8, x float32, w float64) {
		if !Removed(x) {
			to := &s[by]
			to[0] += w
			to[1] += float64(w * (float64(x) - top))
		}
	}
	by, weights = by[:len(xs)], weights[:len(xs)]
	for ; len(xs) >= 4; by, xs, weights = by[4:], xs[4:], weights[4:] {
		b, x, w := (*[4]uint8)(by), (*[4]float32)(xs), (*[4]float64)(weights)
		add(b[0], x[0], w[0])
		add(b[1], x[1], w[1])
		add(b[2], x[2], w[2])
		add(b[3], x[3], w[3])
	}
	for i, x := range xs {
		add(by[i], x, weights[i])
	}
}

// Fall notes in by, which holds who removed a token, that those which are gone
// from row fell here or earlier: later becomes here, of so many. onlyCut is false
// where a cut does not explain the row: a score is not that of the row before, or
// a removed token comes back later, so that by holds something else.
func Fall(by []uint8, row, before []float32, here, later uint8) (fell int, onlyCut bool) {
	return fall(by[:len(row)], row, before[:len(row)], here, later)
}

func fallGeneric(by []uint8, row, before []float32, here, later uint8) (fell int, onlyCut bool) {
	by, before = by[:len(row)], before[:len(row)]
	onlyCut = true
	for id, x := range row {
		switch {
		case !Removed(x):
			if x != before[id] {
				onlyCut = false
			}
		case by[id] == later:
			by[id] = here
			fell++
		default:
			onlyCut = false
		}
	}
	return fell, onlyCut
}

// Only sets dst to those of xs whose token has that in by, and to -Inf elsewhere.
func Only(dst, xs []float32, by []uint8, that uint8) {
	only(dst[:len(xs)], xs, by[:len(xs)], that)
}

func onlyGeneric(dst, xs []float32, by []uint8, that uint8) {
	for i, x := range xs {
		if by[i] != that {
			x = gone
		}
		dst[i] = x
	}
}
