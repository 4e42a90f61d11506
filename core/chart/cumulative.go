package chart

import (
	"fmt"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// cumulative adds the probabilities up from the likeliest token on. The rank is
// on a log axis to the end of the vocabulary: the first ten tokens matter as
// much as the last forty thousand.
var cumulative = Chart{
	Name:  "cumulative",
	Title: "Adding up from the top",
	Doc: "How much of the probability the likeliest tokens hold together, by rank. " +
		"Top-p keeps what lies left of the place where the curve crosses p, the crossing token included.",
	draw: drawCumulative,
}

func drawCumulative(in Input) options {
	s := in.Step
	vocab := max(len(s.Model), len(s.Entering), 1)
	entering := s.Entering
	if len(entering) == 0 {
		entering = s.Model
	}
	filtered := s.TopP >= 0 && s.TopP < 1 && s.Kept > 0 && len(entering) > 0
	kept := len(entering)
	if filtered {
		kept = min(s.Kept, len(entering))
	}

	line := newLine(
		opts.Grid{Left: "44", Right: "14", Top: "24", Bottom: "28"},
		opts.XAxis{
			Type: "log", Min: 1, Max: max(vocab, 2),
			AxisLabel: lastLabelHidden(vocab), AxisLine: axisLine(true), AxisTick: noTicks(), SplitLine: gridLine(),
		},
		opts.YAxis{
			Type: "value", Min: 0, Max: percentage, SplitNumber: 2,
			AxisLabel: percentLabel(), AxisLine: axisLine(false), SplitLine: gridLine(),
		},
		describeCumulative(s, filtered, kept),
	)
	if kept < vocab {
		line.AddSeries("kept", stairs(entering[:kept], 0),
			asStairs(),
			charts.WithLineStyleOpts(opts.LineStyle{Width: 0, Opacity: opts.Float(0)}),
			charts.WithAreaStyleOpts(opts.AreaStyle{Color: "--kept-band", Opacity: opts.Float(1)}))
	}

	model := []charts.SeriesOpts{
		asStairs(),
		charts.WithItemStyleOpts(opts.ItemStyle{Color: "--model"}),
		charts.WithLineStyleOpts(opts.LineStyle{Color: "--model", Width: 2, Type: "dashed"}),
	}
	if s.TopK > 0 && s.TopK < vocab {
		model = append(model, markStyle("--topk", "dotted", "end"),
			charts.WithMarkLineNameXAxisItemOpts(opts.MarkLineNameXAxisItem{Name: fmt.Sprintf("k %d", s.TopK), XAxis: s.TopK}))
	}
	line.AddSeries("model", stairs(s.Model, s.TopK), model...)

	into := []charts.SeriesOpts{
		asStairs(),
		charts.WithItemStyleOpts(opts.ItemStyle{Color: "--kept"}),
		charts.WithLineStyleOpts(opts.LineStyle{Color: "--kept", Width: 2}),
	}
	if filtered {
		sum := running(entering, []int{kept})[0]
		into = append(into, markStyle("--topp", "solid", "insideEndTop"),
			charts.WithMarkLineNameYAxisItemOpts(opts.MarkLineNameYAxisItem{
				Name: fmt.Sprintf("p %v", s.TopP), YAxis: round(s.TopP * percentage),
			}),
			spot(kept, round(sum*percentage), "--topp"))
	}
	line.AddSeries("into top-p", stairs(entering, kept), into...)
	return line
}

// stairs are the points of a running sum in percent: at each rank it rises by
// that token. must is a rank to be shown in any case.
func stairs(row []float32, must int) []opts.LineData {
	if len(row) == 0 {
		return []opts.LineData{}
	}
	at := ranks(len(row), must)
	points := make([]opts.LineData, 0, len(at)+1)
	points = append(points, opts.LineData{Value: []any{1, 0}})
	for i, sum := range running(row, at) {
		points = append(points, opts.LineData{Value: []any{at[i], round(sum * percentage)}})
	}
	return points
}

func percentLabel() *opts.AxisLabel {
	label := axisLabel()
	label.Formatter = "{value}%"
	return label
}

// lastLabelHidden leaves out the label at the end of the vocabulary, which
// would stand on that of the last power of ten.
func lastLabelHidden(vocab int) *opts.AxisLabel {
	label := axisLabel()
	label.ShowMaxLabel = opts.Bool(vocab < 10)
	return label
}

func describeCumulative(s Step, filtered bool, kept int) string {
	text := fmt.Sprintf("Cumulative probability by rank, %d tokens.", len(s.Model))
	if s.TopK > 0 {
		text += fmt.Sprintf(" Top-k leaves %d.", s.TopK)
	}
	if !filtered {
		return text + " Top-p is off."
	}
	return text + fmt.Sprintf(" The line p %v is crossed at rank %d.", s.TopP, kept)
}
