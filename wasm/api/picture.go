package api

import (
	"math"
	"slices"

	"decodingplayground/core/logits"
	"decodingplayground/core/spec"
)

// stripSize is how many tokens of a strip are drawn one by one.
const stripSize = 16

// ranking is a model's row with what doesn't change while sliders move: its
// order (order[0] is the likeliest id, rank the inverse) and probabilities.
type ranking struct {
	row   []float32
	probs []float64
	order []int
	rank  []int32
}

func rankingOf(row []float32) ranking {
	r := ranking{row: row, probs: logits.Softmax[float64](nil, row), order: logits.Order(nil, row), rank: make([]int32, len(row))}
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

// picture is a trace, measured: what each stage left and who removed what. Its
// memory is used again, since a slider makes one at every move.
type picture struct {
	trace   logits.Trace
	model   ranking // of the model's row
	stats   []logits.StageStats
	removed []uint8     // by id: the row that removed it for good, or len(rows)
	counts  []int       // how many tokens have that in removed
	masses  [][]float64 // and their share, by row
	masked  []float32
}

// measure fills p from a trace of fewer than 255 rows.
func (p *picture) measure(t logits.Trace, model ranking) {
	rows := t.Scores
	p.trace, p.model, p.stats = t, model, t.Stats(p.stats)
	p.removed = p.removed[:0]
	p.counts = append(p.counts[:0], make([]int, len(rows)+1)...)
	for id := range rows[0] {
		by := len(rows)
		for by > 0 && isGone(rows[by-1][id]) {
			by--
		}
		p.removed = append(p.removed, uint8(by))
		p.counts[by]++
	}
	p.masses = slices.Grow(p.masses[:0], len(rows))[:len(rows)]
	for s, row := range rows {
		masses := append(p.masses[s][:0], make([]float64, len(rows)+1)...)
		for id, score := range row {
			prob := model.probs[id]
			if s > 0 {
				prob = logits.Prob(score, p.stats[s].LogSumExp)
			}
			masses[p.removed[id]] += prob
		}
		p.masses[s] = masses
	}
}

// kept is what removed holds for tokens that nothing removed.
func (p *picture) kept() int { return len(p.trace.Scores) }

// prob is a token's share after row s.
func (p *picture) prob(s, id int) float64 {
	return logits.Prob(p.trace.Scores[s][id], p.stats[s].LogSumExp)
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
