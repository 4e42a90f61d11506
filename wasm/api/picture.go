package api

import (
	"math"
	"slices"

	"decodingplayground/core/fmath"
	"decodingplayground/core/logits"
	"decodingplayground/core/rows"
	"decodingplayground/core/spec"
)

// stripSize is how many tokens of a strip are drawn one by one.
const stripSize = 16

// ranking is a model's row with what doesn't change while sliders move: its
// order (order[0] is the likeliest id, rank the inverse) and its distribution.
type ranking struct {
	row    []float32
	order  []int
	rank   []int32
	probs  []float64
	logSum float64 // of exp(score)
}

func rankingOf(row []float32) ranking {
	r := ranking{
		row: row, order: logits.Order(nil, row), rank: make([]int32, len(row)),
		probs: logits.Softmax[float64](nil, row), logSum: logits.LogSumExp(row),
	}
	for id, x := range row { // what the model itself removed ranks last
		if rows.Removed(x) {
			r.order = append(r.order, id)
		}
	}
	for place, id := range r.order {
		r.rank[id] = int32(place)
	}
	return r
}

// picture is a trace, measured: what each stage left and who removed what. A
// slider makes one at every move, so its memory is used again.
type picture struct {
	trace   logits.Trace
	model   ranking // of the model's row
	rows    []rowStats
	removed []uint8   // by id: the row that removed it for good, or len(rows)
	counts  []int     // how many tokens have that in removed
	left    []int     // by row: how many tokens it has
	onlyCut []bool    // by row: it is the one before without what it removes for good
	sums    []float64 // of weights, by who removes them
	dots    []float64 // of weights times their logarithm
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

// share is what of a row falls by a later one; 0 where the row has no shares.
func (r rowStats) share(by int) float64 {
	if by >= len(r.shares) {
		return 0
	}
	return r.shares[by]
}

// measure fills p from a trace of fewer than 255 rows. Exponentials are most of
// the work, so a row from which a stage only removed tokens has those of the
// row before.
func (p *picture) measure(t logits.Trace, model ranking) {
	p.trace, p.model = t, model
	p.whoRemoved()
	p.rows = slices.Grow(p.rows[:0], len(t.Scores))[:len(t.Scores)]
	top := model.logSum
	p.weigh(t.Scores[0], model.probs, top)
	p.rows[0] = p.stats(0, p.left[0], top)
	for s := 1; s < len(t.Scores); s++ {
		if p.onlyCut[s] && sum(p.sums[s+1:]) > 0 {
			p.rows[s] = p.stats(s, p.left[s], top)
			continue
		}
		var weights []float64
		weights, top, _ = t.Weights(s)
		p.weigh(t.Scores[s], weights, top)
		p.rows[s] = p.stats(s, p.left[s], top)
	}
}

// whoRemoved fills removed, counts, left and onlyCut, row by row from the last.
func (p *picture) whoRemoved() {
	scores := p.trace.Scores
	n := len(scores)
	p.removed = repeat(p.removed, uint8(n), len(scores[0]))
	p.counts = append(p.counts[:0], make([]int, n+1)...)
	p.counts[n] = len(scores[0])
	p.left = append(p.left[:0], make([]int, n)...)
	p.onlyCut = append(p.onlyCut[:0], make([]bool, n)...)
	for s := n - 1; s >= 0; s-- {
		p.left[s] = p.trace.Count(s)
		fell := 0
		switch {
		case p.left[s] < len(scores[s]):
			fell, p.onlyCut[s] = rows.Fall(p.removed, scores[s], scores[max(0, s-1)], uint8(s), uint8(s+1))
		case s > 0:
			p.onlyCut[s] = slices.Equal(scores[s], scores[s-1])
		}
		p.counts[s+1] -= fell
		p.counts[s] = fell
	}
}

// repeat is n times v, in the memory of list if it has room.
func repeat[T any](list []T, v T, n int) []T {
	list = slices.Grow(list[:0], n)[:n]
	list[0] = v
	for i := 1; i < n; i *= 2 {
		copy(list[i:], list[:i])
	}
	return list
}

func sum[N int | float64](list []N) (total N) {
	for _, n := range list {
		total += n
	}
	return total
}

// weigh adds up the weights of a row's tokens, e**(score-top), by who removes them.
func (p *picture) weigh(row []float32, weights []float64, top float64) {
	p.sums, p.dots = p.sums[:0], p.dots[:0]
	var sums rows.Sums
	if weights != nil {
		sums.Weigh(p.removed, row, weights, top)
	}
	for _, s := range sums[:len(p.counts)] {
		p.sums, p.dots = append(p.sums, s[0]), append(p.dots, s[1])
	}
}

// stats is what row s has left, given how many tokens, from the weights of those
// that fall after it.
func (p *picture) stats(s, count int, top float64) rowStats {
	shares := append(p.rows[s].shares[:0], make([]float64, len(p.counts))...)
	whole := sum(p.sums[s+1:])
	if whole == 0 {
		return rowStats{count: count, logSum: math.Inf(1), shares: shares}
	}
	for by := s + 1; by < len(shares); by++ {
		shares[by] = p.sums[by] / whole
	}
	log := fmath.Log(whole)
	entropy := max(0, (log-sum(p.dots[s+1:])/whole)/math.Ln2)
	return rowStats{count, top + log, entropy, shares}
}

// kept is what removed holds for tokens that nothing removed.
func (p *picture) kept() int { return len(p.trace.Scores) }

// prob is a token's share after row s.
func (p *picture) prob(s, id int) float64 {
	return logits.Prob(p.trace.Scores[s][id], p.rows[s].logSum)
}

// nucleus is logits.NucleusOf the row before s, which top_p made. Mostly what it
// left says all.
func (p *picture) nucleus(s int, topP float64) logits.Nucleus {
	before, row := p.rows[s-1], p.trace.Scores[s]
	last := -1 // the token that crosses
	for id := 0; id < len(row); id++ {
		if four := row[id:]; len(four) >= 4 && rows.Removed(four[0]) && rows.Removed(four[1]) && rows.Removed(four[2]) && rows.Removed(four[3]) {
			id += 3
		} else if !rows.Removed(row[id]) && (last < 0 || row[id] < row[last]) {
			last = id
		}
	}
	n := logits.Nucleus{Size: p.rows[s].count, Mass: min(1, sum(before.shares[s+1:])), Crossing: last}
	if last < 0 || !p.onlyCut[s] || topP == 1 || n.Mass-p.prob(s-1, last) >= topP { // it was told to keep more
		return logits.NucleusOf(p.trace.Scores[s-1], topP)
	}
	n.SlipSize, n.SlipMass = n.Size, n.Mass
	if n.Size > 1 && float32(n.Mass) > float32(topP) {
		n.SlipSize, n.SlipMass = n.Size-1, n.Mass-p.prob(s-1, last)
	}
	return n
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
// given, then of what was removed, the last to fall first. A stage that cuts a
// part that can be seen has room for one: a ban may take the likeliest of all.
func (p *picture) strip(likeliest []int) []int {
	kept := p.kept()
	seen := func(by int) bool { return by > 0 && p.rows[by-1].share(by) >= 0.01 }
	room := 0
	for by := range kept {
		if seen(by) {
			room++
		}
	}
	room = min(room, stripSize/2)
	ids := slices.Clone(likeliest[:min(len(likeliest), stripSize-room)])
	for by := kept - 1; by >= 0 && len(ids) < stripSize; by-- {
		if seen(by) {
			room = max(0, room-1)
		}
		if n := stripSize - len(ids) - room; n > 0 && p.counts[by] > 0 {
			ids = append(ids, p.cutFirst(by, n)...)
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
	p.masked = slices.Grow(p.masked[:0], len(p.removed))[:len(p.removed)]
	rows.Only(p.masked, p.trace.Scores[by-1], p.removed, uint8(by))
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
