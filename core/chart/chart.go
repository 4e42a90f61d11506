// Package chart draws what a decoder did, as options for ECharts: JSON that a
// page hands to setOption, or a server-side renderer to its own.
//
// A chart is one file and a line in All. Draw gets plain values, so a chart
// needs no model and no session:
//
//	c, err := chart.Find("cumulative")
//	json, err := c.Option(chart.Input{Step: chart.Step{Model: chart.Descending(probs), TopP: 1}})
//
// Colours are names of CSS custom properties ("--kept"), as values of the keys
// color, borderColor and backgroundColor; the page puts its theme's colours in.
// No other string is meant as one: labels and names are data, whatever they say.
// No option holds a function. The grid has fixed margins in pixels, so that a
// page can lay a handle over the plot: see option.grid[0].
package chart

import (
	"encoding/json"
	"fmt"
)

// Chart is a picture that can be asked for by name.
type Chart struct {
	Name  string // on the wire
	Title string // above the picture
	Doc   string // what it shows, in a sentence or two

	draw func(Input) option
}

// All are the charts in the order they are shown.
var All = []Chart{cumulative, entropy, nucleus, surprise, draws}

// Find returns the chart called name.
func Find(name string) (Chart, error) {
	for _, c := range All {
		if c.Name == name {
			return c, nil
		}
	}
	return Chart{}, fmt.Errorf("unknown chart %q", name)
}

// Input is all that charts are drawn from; each reads its own part. Numbers
// that are NaN or infinite are left out of a picture, never an error.
type Input struct {
	Step  Step
	Panes []Pane

	// Own is the index in Panes of the one the picture is for; its line stands
	// out. -1: all lines are alike.
	Own int

	// At is the step on screen, from 1, marked in the charts by step; 0: none.
	At int

	Draws []Outcome
}

// Step is the distribution of one step. Both rows have the likeliest token
// first, as Descending makes them, and are not changed.
type Step struct {
	Model    []float32 // the model's own, the whole vocabulary
	Entering []float32 // what the top-p stage receives, or would if it is off, without removed tokens; empty: as Model
	K        int       // what the top-k stage is set to
	TopK     int       // tokens that it left, with those that tie with the last; 0: no such stage
	TopP     float64   // 1: off
	Kept     int       // tokens that the top-p stage left
}

// Pane is one session's text, a number a generated token.
type Pane struct {
	Letter   string    // "A"
	Entropy  []float64 // bits, of the model's own distribution
	Nucleus  []float64 // tokens that top_p keeps of it
	Surprise []float64 // bits, -log2 of the model's probability of the token
}

// Outcome is a token with its share in many draws.
type Outcome struct {
	Label    string
	Expected float64 // probability after the pipeline
	Drawn    float64 // share of the draws
}

// Option draws the chart: an ECharts option as JSON, a new slice.
func (c Chart) Option(in Input) ([]byte, error) {
	out, err := json.Marshal(c.draw(in))
	if err != nil {
		return nil, fmt.Errorf("chart %s: %w", c.Name, err)
	}
	return out, nil
}
