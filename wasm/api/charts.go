package api

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"decodingplayground/core/chart"
	"decodingplayground/core/decode"
	"decodingplayground/core/logits"
	"decodingplayground/core/rows"
	"decodingplayground/core/spec"
)

const (
	maxPanes    = 26 // letters
	maxOutcomes = 12 // tokens that the draws chart shows one by one
)

// ofStep are the charts of one step; the others are by step.
var ofStep = []string{"cumulative", "draws"}

func (a *App) chart(p ChartOf) (ChartJSON, error) {
	c, err := chart.Find(p.Name)
	if err != nil {
		return ChartJSON{}, err
	}
	if len(p.Sessions) < 1 || len(p.Sessions) > maxPanes {
		return ChartJSON{}, fmt.Errorf("sessions: %d, want 1 to %d", len(p.Sessions), maxPanes)
	}
	if p.Draws < 0 || p.Draws > maxDraws {
		return ChartJSON{}, fmt.Errorf("draws: %d, want 0 to %d", p.Draws, maxDraws)
	}
	in := chart.Input{Own: -1, At: p.Step + 1}
	for i, handle := range p.Sessions {
		s, err := find(a.sessions, "session", handle)
		if err != nil {
			return ChartJSON{}, err
		}
		in.Panes = append(in.Panes, s.pane(i))
	}
	if slices.Contains(ofStep, c.Name) {
		first := a.sessions[p.Sessions[0]]
		d, with, err := a.decision(first, p.Step)
		if err != nil {
			return ChartJSON{}, err
		}
		if c.Name == "cumulative" {
			in.Step = stepChart(d, with.stages, first.ranking(d.Trace.Scores[0]))
		} else if rows.Kept(d.Trace.Final()) > 0 {
			in.Draws = outcomesOf(first.model.words, throw(d, with.seed, p.Draws))
		}
	}
	option, err := c.Option(in)
	return ChartJSON{Option: string(option)}, err
}

// pane is the text of session number i, for charts by step.
func (s *session) pane(i int) chart.Pane {
	pane := chart.Pane{Letter: string(rune('A' + i))}
	if !s.Ready() {
		return pane
	}
	for _, t := range s.Best().Generated() {
		pane.Entropy = append(pane.Entropy, t.Entropy)
		pane.Nucleus = append(pane.Nucleus, float64(t.Nucleus))
		pane.Surprise = append(pane.Surprise, t.Surprise)
	}
	return pane
}

// stepChart tells of a step. Where top-p is off, what enters is what would enter it.
func stepChart(d *decode.Decision, refs []stageRef, model ranking) chart.Step {
	step := chart.Step{Model: model.descending(d.Trace.Scores[0]), TopP: 1}
	topP := topPPlace(d.Trace.Names)
	if topP > 1 {
		step.Entering = model.descending(d.Trace.Scores[topP-1])
	}
	for s, name := range d.Trace.Names {
		switch name {
		case "top_k":
			step.K = int(refs[s].args["top_k"])
			step.TopK = rows.Kept(d.Trace.Scores[s])
		case "top_p":
			step.TopP = refs[s].args["top_p"]
			step.Kept = rows.Kept(d.Trace.Scores[s])
		}
	}
	return step
}

// topPPlace is where the top-p stage is in a trace, or would be by default: before
// the first of those that follow it in Kinds.
func topPPlace(names []string) int {
	if at := slices.Index(names, "top_p"); at >= 0 {
		return at
	}
	place := func(name string) int {
		return slices.IndexFunc(logits.Kinds, func(k spec.Kind[logits.Processor]) bool { return k.Name == name })
	}
	last := place("top_p")
	for at, name := range names {
		if place(name) > last {
			return at
		}
	}
	return len(names)
}

// descending are the probabilities of a row, the largest first, without zeros.
// Most stages leave the model's order as it was: then nothing is sorted.
func (r ranking) descending(row []float32) []float32 {
	order := r.order
	if !inOrder(row, order) {
		order = logits.Order(nil, row)
	}
	logSum := logits.LogSumExp(row)
	sorted := make([]float32, 0, len(order))
	for _, id := range order {
		p := float32(logits.Prob(row[id], logSum))
		if p == 0 {
			break
		}
		sorted = append(sorted, p)
	}
	return sorted
}

// inOrder says whether no score of the row is above one that comes before it.
func inOrder(row []float32, order []int) bool {
	last := float32(math.Inf(1))
	for _, id := range order {
		x := row[id]
		if !(x <= last) {
			return false
		}
		last = x
	}
	return true
}

// outcomesOf are draws at a step beside what is expected.
func outcomesOf(w words, t throws) []chart.Outcome {
	var outcomes []chart.Outcome
	rest := chart.Outcome{Label: "all others"}
	for i, id := range t.order {
		drawn := float64(t.hits[i]) / float64(max(1, len(t.dice)))
		if i < maxOutcomes {
			outcomes = append(outcomes, chart.Outcome{Label: label(w, id), Expected: t.probs[id], Drawn: drawn})
			continue
		}
		rest.Expected += t.probs[id]
		rest.Drawn += drawn
	}
	if len(t.order) > maxOutcomes {
		outcomes = append(outcomes, rest)
	}
	return outcomes
}

// label is a token as a chart shows it: in quotes, since spaces count.
func label(w words, id int) string {
	t := tokenOf(w, id)
	if t.Hex != "" {
		return t.Hex
	}
	return strconv.Quote(t.Text)
}
