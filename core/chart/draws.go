package chart

import (
	"fmt"

	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

var draws = Chart{
	Name:  "draws",
	Title: "Draws against expectation",
	Doc:   "How often each token came in many draws, beside its probability after the pipeline.",
	draw:  drawDraws,
}

func drawDraws(in Input) option {
	labels := make([]string, len(in.Draws))
	expected := make([]opts.BarData, len(in.Draws))
	drawn := make([]opts.BarData, len(in.Draws))
	for i, o := range in.Draws {
		labels[i] = o.Label
		expected[i] = opts.BarData{Value: share(o.Expected)}
		drawn[i] = opts.BarData{Value: share(o.Drawn)}
	}
	return newOption(
		opts.Grid{Left: "44", Right: "14", Top: "12", Bottom: "28"},
		opts.XAxis{Type: "category", Data: labels, AxisLabel: axisLabel(), AxisLine: axisLine(true), AxisTick: noTicks()},
		opts.YAxis{Type: "value", Min: 0, AxisLabel: percentLabel(), AxisLine: axisLine(false), SplitLine: gridLine()},
		fmt.Sprintf("Expected and drawn share of %d tokens.", len(in.Draws)),
		series{
			Name: "expected", Type: types.ChartBar, Data: expected,
			ItemStyle: &opts.ItemStyle{Color: "--model-fill", BorderColor: "--model", BorderWidth: 1},
		},
		series{
			Name: "drawn", Type: types.ChartBar, Data: drawn,
			ItemStyle: &opts.ItemStyle{Color: "--chosen", BorderColor: "--chosen-edge", BorderWidth: 1},
		},
	)
}

// share is a probability in percent; "-" is ECharts' word for none.
func share(v float64) any {
	if !finite(v) {
		return "-"
	}
	return round(v * percentage)
}
