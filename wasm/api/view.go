package api

import (
	"fmt"
	"math"
	"slices"

	"decodingplayground/core/decode"
	"decodingplayground/core/logits"
)

func (a *App) view(p ViewOf) (View, error) {
	s, err := find(a.sessions, "session", p.Session)
	if err != nil {
		return View{}, err
	}
	if p.Rows < 1 || p.Rows > 1000 {
		return View{}, fmt.Errorf("rows: %d, want 1 to 1000", p.Rows)
	}
	d, with, err := a.decision(s, p.Step)
	if err != nil {
		return View{}, err
	}
	a.picture.measure(d.Trace, s.ranking(d.Trace.Scores[0]))
	b := viewBuilder{p: &a.picture, words: s.model.words, at: map[int]int{}}
	b.view.Strategy = with.strategy
	b.build(p.Rows, with.stages, d)
	return b.view, nil
}

// decision is how token i of the best text was chosen, -1 for the next one, and
// what made each row of its trace, which is good until the next call.
func (a *App) decision(s *session, i int) (*decode.Decision, tuned, error) {
	if !s.Ready() {
		return nil, tuned{}, fmt.Errorf("session %d: the prompt is not read yet", s.handle)
	}
	nodes := path(s.Best())
	step, from, at := -1, s.Best(), -1
	for n, node := range nodes {
		if first := node.Len() - len(node.IDs) - len(s.Prompt()); i >= first && i < first+len(node.IDs) {
			step, from, at = n, node.Parent, i
		}
	}
	if i != -1 && step < 0 {
		return nil, tuned{}, fmt.Errorf("step: %d, want -1 to %d", i, len(s.Best().Generated())-1)
	}
	with := s.tuned
	if step >= 0 {
		with = s.taken[step]
	}
	decisions, err := a.viewer.View(s.Session, step)
	if err != nil {
		return nil, tuned{}, err
	}
	if len(decisions) == 0 {
		return nil, tuned{}, fmt.Errorf("step: %d, nothing was decided there", i)
	}
	k := slices.IndexFunc(decisions, func(d *decode.Decision) bool {
		return d.From == from && (at < 0 || d.At == at)
	})
	d := decisions[max(0, k)]
	rows := make([]stageRef, len(d.Stages))
	for r, stage := range d.Stages {
		rows[r] = stageRef{place: -1, args: map[string]float64{}}
		if stage >= 0 {
			rows[r] = with.stages[stage]
		}
	}
	return d, tuned{with.strategy, rows, with.seed}, nil
}

// ranking is kept as long as the model's row is the same: sliders change only
// what comes after it.
func (s *session) ranking(row []float32) ranking {
	same := len(row) > 0 && len(row) == len(s.ranked.row) && &row[0] == &s.ranked.row[0]
	if !same && !slices.Equal(s.ranked.row, row) {
		s.ranked = rankingOf(row)
	}
	return s.ranked
}

// viewBuilder puts a View together from a measured picture.
type viewBuilder struct {
	p     *picture
	words words
	view  View
	at    map[int]int // by id: index in view.Tokens
}

func (b *viewBuilder) build(rows int, stages []stageRef, d *decode.Decision) {
	likeliest := logits.Top(nil, d.Trace.Final(), max(stripSize, rows/2))
	strip := b.p.strip(likeliest)
	b.view.Step = d.At
	b.view.Bars = b.tokens(b.p.bars(rows, likeliest))
	b.view.Strip = b.tokens(strip)
	for s, row := range b.p.rows {
		stage := StageView{
			Kind: d.Trace.Names[s], Index: stages[s].place, Args: stages[s].args, Count: row.count, Cut: b.p.counts[s], Entropy: row.entropy,
		}
		if s > 0 {
			stage.CutMass = min(1, b.p.rows[s-1].shares[s])
		}
		b.view.Stages = append(b.view.Stages, stage)
	}
	b.groups(strip)
	b.numbers(stages)
	b.draw(likeliest, d.Picks)
	b.columns()
}

// tokens are the indices of ids in the token list, which grows by new ones.
func (b *viewBuilder) tokens(ids []int) []int {
	indices := make([]int, len(ids))
	for i, id := range ids {
		indices[i] = b.token(id)
	}
	return indices
}

func (b *viewBuilder) token(id int) int {
	i, ok := b.at[id]
	if !ok {
		i = len(b.view.Tokens)
		b.at[id] = i
		b.view.Tokens = append(b.view.Tokens, tokenOf(b.words, id))
	}
	return i
}

// groups joins what the strip leaves out by who removed it, in the strip's
// order: kept, then the last stage's, back to the model's.
func (b *viewBuilder) groups(strip []int) {
	p := b.p
	counts := slices.Clone(p.counts)
	for _, id := range strip {
		counts[p.removed[id]]--
	}
	for by := p.kept(); by >= 0; by-- {
		if counts[by] > 0 {
			b.view.Groups = append(b.view.Groups, Group{Removed: b.removed(by), Count: counts[by]})
		}
	}
	for s := range p.rows {
		masses := slices.Clone(p.rows[s].shares)
		for _, id := range strip {
			masses[p.removed[id]] -= p.prob(s, id)
		}
		for by := p.kept(); by >= 0; by-- {
			if counts[by] > 0 {
				b.view.groupProbs = append(b.view.groupProbs, float32(max(0, masses[by])))
			}
		}
	}
}

// removed is how a page is told who removed a token.
func (b *viewBuilder) removed(by int) int {
	if by == b.p.kept() {
		return -1
	}
	return by
}

func (b *viewBuilder) numbers(stages []stageRef) {
	p := b.p
	final := p.rows[p.kept()-1]
	n := Numbers{
		NucleusSize: final.count, KeptCount: final.count,
		KeptMass: min(1, p.rows[p.firstCut()].shares[p.kept()]), ModelKeptMass: min(1, p.rows[0].shares[p.kept()]),
		Entropy: final.entropy, ModelEntropy: p.rows[0].entropy,
	}
	n.EffectiveChoices, n.ModelChoices = math.Exp2(n.Entropy), math.Exp2(n.ModelEntropy)
	for s, name := range slices.Backward(p.trace.Names) { // of several, the last
		if name != "top_p" {
			continue
		}
		nucleus := p.nucleus(s, stages[s].args["top_p"])
		n.NucleusSize = p.rows[s].count
		n.SlipSize, n.SlipMass = nucleus.SlipSize, nucleus.SlipMass
		if nucleus.Crossing >= 0 {
			n.CrossingToken, n.CrossingSum = tokenOf(b.words, nucleus.Crossing), nucleus.Mass
		}
		break
	}
	b.view.Numbers = n
}

func (b *viewBuilder) draw(likeliest []int, picks []decode.Taken) {
	d := Draw{Die: -1, Token: -1, Top: -1}
	if len(likeliest) > 0 {
		d.Top = b.token(likeliest[0])
		d.TopEnd = b.p.prob(b.p.kept()-1, likeliest[0])
	}
	if len(picks) > 0 {
		t := picks[0]
		d.Token, d.Forced, d.Thrown = b.token(t.ID), t.Forced, t.Die >= 0
		d.Die, d.Low, d.High = t.Die, t.Low, t.High
	}
	b.view.Draw = d
}

func (b *viewBuilder) columns() {
	v, p := &b.view, b.p
	model, final := p.trace.Scores[0], p.trace.Final()
	for _, t := range v.Tokens {
		v.logits = append(v.logits, model[t.ID])
		v.scores = append(v.scores, final[t.ID])
		v.rank = append(v.rank, p.model.rank[t.ID]+1)
		v.removed = append(v.removed, int32(b.removed(int(p.removed[t.ID]))))
	}
	for s := range p.rows {
		for _, t := range v.Tokens {
			v.probs = append(v.probs, float32(p.prob(s, t.ID)))
		}
	}
}
