package chart

import (
	"fmt"

	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
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

func drawCumulative(in Input) option {
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

	o := newOption(
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
		band := stairs("kept", entering[:kept], 0)
		band.LineStyle = &opts.LineStyle{Width: 0, Opacity: opts.Float(0)}
		band.AreaStyle = &opts.AreaStyle{Color: "--kept-band", Opacity: opts.Float(1)}
		o.Series = append(o.Series, band)
	}

	model := stairs("model", s.Model, s.TopK)
	model.ItemStyle = &opts.ItemStyle{Color: "--model"}
	model.LineStyle = &opts.LineStyle{Color: "--model", Width: 2, Type: "dashed"}
	if s.TopK > 0 && s.TopK < vocab {
		k := opts.MarkLineNameXAxisItem{Name: fmt.Sprintf("k %d", s.K), XAxis: s.TopK}
		model.MarkLine = markLines(k, "--topk", "dotted", "end")
	}

	into := stairs("into top-p", entering, kept)
	into.ItemStyle = &opts.ItemStyle{Color: "--kept"}
	into.LineStyle = &opts.LineStyle{Color: "--kept", Width: 2}
	if filtered {
		sum := running(entering, []int{kept})[0]
		p := opts.MarkLineNameYAxisItem{Name: fmt.Sprintf("p %v", s.TopP), YAxis: round(s.TopP * percentage)}
		into.MarkLine = markLines(p, "--topp", "solid", "insideEndTop")
		into.MarkPoint = spot(kept, round(sum*percentage), "--topp")
	}
	o.Series = append(o.Series, model, into)
	return o
}

// stairs is the running sum of a row in percent: at each rank it rises by that
// token. must is a rank to be shown in any case.
func stairs(name string, row []float32, must int) series {
	points := []opts.LineData{}
	if len(row) > 0 {
		at := ranks(len(row), must)
		points = append(make([]opts.LineData, 0, len(at)+1), opts.LineData{Value: []any{1, 0}})
		for i, sum := range running(row, at) {
			points = append(points, opts.LineData{Value: []any{at[i], round(sum * percentage)}})
		}
	}
	return series{Name: name, Type: types.ChartLine, Data: points, Step: "end", ShowSymbol: opts.Bool(false), Symbol: "none"}
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
