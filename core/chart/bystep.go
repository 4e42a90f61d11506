package chart

import (
	"fmt"

	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// The charts by step are small multiples: one picture a pane, each with the
// lines of all panes on one scale and its own in front.

var entropy = Chart{
	Name:  "entropy",
	Title: "Entropy",
	Doc:   "How open the model was before each token, in bits: 0 when it was sure.",
	draw: func(in Input) option {
		return byStep(in, "Entropy in bits", "value", func(p Pane) []float64 { return p.Entropy })
	},
}

var nucleus = Chart{
	Name:  "nucleus",
	Title: "Nucleus",
	Doc:   "How many tokens hold 90 % of the model's probability at each step, on a log scale.",
	draw: func(in Input) option {
		return byStep(in, "Nucleus in tokens", "log", func(p Pane) []float64 { return p.Nucleus })
	},
}

var surprise = Chart{
	Name:  "surprise",
	Title: "Surprise",
	Doc:   "How unlikely the model found each token, in bits: 1 for one half, 10 for one in a thousand.",
	draw: func(in Input) option {
		return byStep(in, "Surprise in bits", "value", func(p Pane) []float64 { return p.Surprise })
	},
}

// byStep draws a line for each pane. A step without a number is a gap.
func byStep(in Input, name, scale string, values func(Pane) []float64) option {
	steps, least := 2, 0.0
	if scale == "log" {
		least = 1
	}
	most := least
	for _, p := range in.Panes {
		steps = max(steps, len(values(p)))
		for _, v := range values(p) {
			if finite(v) {
				most = max(most, v)
			}
		}
	}
	o := newOption(
		opts.Grid{Left: "2", Right: "12", Top: "8", Bottom: "24"},
		opts.XAxis{
			Type: "value", Min: 1, Max: steps, MinInterval: 1, SplitNumber: 4,
			AxisLabel: axisLabel(), AxisLine: axisLine(true), AxisTick: noTicks(),
			SplitLine: &opts.SplitLine{Show: opts.Bool(false)},
		},
		opts.YAxis{
			Type: scale, Show: opts.Bool(false), Min: least, Max: top(most, least),
			SplitLine: &opts.SplitLine{Show: opts.Bool(false)},
		},
		describeByStep(in, name, values),
	)
	for i, p := range in.Panes {
		if i != in.Own {
			style := opts.LineStyle{Color: "--kept", Width: 2}
			if in.Own >= 0 {
				style = opts.LineStyle{Color: "--gone-line", Width: 1}
			}
			o.Series = append(o.Series, paneLine(p.Letter, values(p), least, style))
		}
	}
	if in.Own >= 0 && in.Own < len(in.Panes) {
		own := in.Panes[in.Own]
		row := values(own)
		line := paneLine(own.Letter, row, least, opts.LineStyle{Color: "--kept", Width: 2})
		if in.At >= 1 && in.At <= len(row) && finite(row[in.At-1]) {
			line.MarkPoint = spot(in.At, round(max(row[in.At-1], least)), "--chosen-edge")
		}
		o.Series = append(o.Series, line)
	}
	return o
}

// top is the end of the scale: never the same as least, which has no scale.
func top(most, least float64) float64 {
	if most <= least {
		return least + 1
	}
	return round(most)
}

func paneLine(letter string, row []float64, least float64, style opts.LineStyle) series {
	points := make([]opts.LineData, len(row))
	for i, v := range row {
		points[i] = opts.LineData{Value: []any{i + 1, nil}}
		if finite(v) {
			points[i].Value = []any{i + 1, round(max(v, least))}
		}
	}
	return series{
		Name: letter, Type: types.ChartLine, Data: points,
		ShowSymbol: opts.Bool(len(row) == 1), Symbol: "circle", SymbolSize: 4, // a line of one step is a dot
		ItemStyle: &opts.ItemStyle{Color: style.Color}, LineStyle: &style,
	}
}

func describeByStep(in Input, name string, values func(Pane) []float64) string {
	if in.Own < 0 || in.Own >= len(in.Panes) {
		return fmt.Sprintf("%s by step, %d decoders.", name, len(in.Panes))
	}
	own := in.Panes[in.Own]
	row := values(own)
	text := fmt.Sprintf("%s by step, decoder %s, %d steps.", name, own.Letter, len(row))
	if n := len(row); n > 0 && finite(row[n-1]) {
		text += fmt.Sprintf(" Last: %.1f.", row[n-1])
	}
	return text
}
