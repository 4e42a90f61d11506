package api

import (
	"math"
	"slices"

	"decodingplayground/core/fmath"
	"decodingplayground/core/logits"
	"decodingplayground/core/spec"
)

// stripSize is how many tokens of a strip are drawn one by one.
const stripSize = 16

// ranking is a model's row with what doesn't change while sliders move: its
// order (order[0] is the likeliest id, rank the inverse) and its distribution.
type ranking struct {
	row     []float32
	order   []int
	rank    []int32
	probs   []float64
	measure rowStats // without shares
}

func rankingOf(row []float32) ranking {
	r := ranking{
		row: row, order: logits.Order(nil, row), rank: make([]int32, len(row)), probs: logits.Softmax[float64](nil, row),
	}
	r.measure = rowStats{count: len(r.order), logSum: logits.LogSumExp(row), entropy: logits.Entropy(row)}
	for id, x := range row { // what the model itself removed ranks last
		if isGone(x) {
			r.order = append(r.order, id)
		}
	}
	for place, id := range r.order {
		r.rank[id] = int32(place)
	}
	return r
}

// picture is a trace, measured: what each stage left and who removed what. A
// slider makes one at every move, so its memory is used again, and each row is
// gone through once for all that is asked of it.
type picture struct {
	trace   logits.Trace
	model   ranking // of the model's row
	rows    []rowStats
	removed []uint8 // by id: the row that removed it for good, or len(rows)
	counts  []int   // how many tokens have that in removed
	masked  []float32
}

// rowStats is what a row has left. A row that is no distribution has a logSum
// of +Inf, so that logits.Prob is 0, and no shares.
type rowStats struct {
	count   int
	logSum  float64   // of exp(score)
	entropy float64   // bits
	shares  []float64 // of the row, by who removes it; the last is what is kept
}

// measure fills p from a trace of fewer than 255 rows.
func (p *picture) measure(t logits.Trace, model ranking) {
	p.trace, p.model = t, model
	n := len(t.Scores)
	p.removed = p.removed[:0]
	p.counts = append(p.counts[:0], make([]int, n+1)...)
	for id := range t.Scores[0] {
		by := n
		for by > 0 && isGone(t.Scores[by-1][id]) {
			by--
		}
		p.removed = append(p.removed, uint8(by))
		p.counts[by]++
	}
	p.rows = slices.Grow(p.rows[:0], n)[:n]
	for s := range p.rows {
		shares := append(p.rows[s].shares[:0], make([]float64, n+1)...)
		if s == 0 {
			p.rows[s] = model.measure
			for id, by := range p.removed {
				shares[by] += model.probs[id]
			}
		} else {
			p.rows[s] = measureRow(t.Scores[s], p.removed, shares)
		}
		p.rows[s].shares = shares
	}
}

// measureRow adds up a row, and the shares of those in removed.
func measureRow(row []float32, removed []uint8, shares []float64) rowStats {
	top := float64(slices.Max(row)) // NaN where one is
	if math.IsNaN(top) || math.IsInf(top, 0) {
		return rowStats{logSum: math.Inf(1)}
	}
	st := rowStats{}
	sum, dot := 0.0, 0.0
	for id, x := range row {
		if isGone(x) {
			continue
		}
		d := float64(x) - top
		e := fmath.Exp(d)
		st.count++
		sum += e
		dot += float64(e * d)
		shares[removed[id]] += e
	}
	for by := range shares {
		shares[by] /= sum
	}
	st.logSum = top + fmath.Log(sum)
	st.entropy = max(0, (fmath.Log(sum)-dot/sum)/math.Ln2)
	return st
}

// kept is what removed holds for tokens that nothing removed.
func (p *picture) kept() int { return len(p.trace.Scores) }

// prob is a token's share after row s.
func (p *picture) prob(s, id int) float64 {
	return logits.Prob(p.trace.Scores[s][id], p.rows[s].logSum)
}

// firstCut is the row that enters the first filter, the last where there is
// none.
func (p *picture) firstCut() int {
	for s, name := range p.trace.Names {
		if kind, err := spec.Find(logits.Kinds, name); err == nil && kind.Group == "Cut" {
			return s - 1
		}
	}
	return p.kept() - 1
}

// strip is the start of the draw's order: of what is kept, whose likeliest are
// given, then of what was removed, the last to fall first.
func (p *picture) strip(likeliest []int) []int {
	ids := slices.Clone(likeliest[:min(len(likeliest), stripSize)])
	for by := p.kept() - 1; by >= 0 && len(ids) < stripSize; by-- {
		if p.counts[by] > 0 {
			ids = append(ids, p.cutFirst(by, stripSize-len(ids))...)
		}
	}
	return ids
}

// cutFirst are the first n tokens that a row removed, in the order they stood
// in before it.
func (p *picture) cutFirst(by, n int) []int {
	if by == 0 {
		order := p.model.order[len(p.model.order)-p.counts[0]:]
		return order[:min(n, len(order))]
	}
	p.masked = append(p.masked[:0], p.trace.Scores[by-1]...)
	for id, r := range p.removed {
		if int(r) != by {
			p.masked[id] = float32(math.Inf(-1))
		}
	}
	return logits.Top(nil, p.masked, n)
}

// bars are n tokens, half of them the finally likeliest, the rest the model's,
// in the model's order.
func (p *picture) bars(n int, likeliest []int) []int {
	n = min(n, len(p.model.order))
	ids := slices.Clone(likeliest[:min(len(likeliest), n/2)])
	taken := make(map[int]bool, n)
	for _, id := range ids {
		taken[id] = true
	}
	for _, id := range p.model.order {
		if len(ids) == n {
			break
		}
		if !taken[id] {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(i, j int) int { return int(p.model.rank[i]) - int(p.model.rank[j]) })
	return ids
}

func isGone(score float32) bool { return score == float32(math.Inf(-1)) }
