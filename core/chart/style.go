package chart

import "github.com/go-echarts/go-echarts/v2/opts"

func gridLine() *opts.SplitLine {
	return &opts.SplitLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: "--line", Width: 1}}
}

func axisLine(show bool) *opts.AxisLine {
	return &opts.AxisLine{
		Show: opts.Bool(show), OnZero: opts.Bool(false), LineStyle: &opts.LineStyle{Color: "--line-strong", Width: 1},
	}
}

func noTicks() *opts.AxisTick { return &opts.AxisTick{Show: opts.Bool(false)} }

func axisLabel() *opts.AxisLabel {
	return &opts.AxisLabel{
		Show: opts.Bool(true), Color: "--ink-3", FontSize: 12, HideOverlap: opts.Bool(true), Margin: 8,
	}
}

// markLines is the look of a straight line across the plot, with its name at
// the end.
func markLines(item any, color, dash, position string) *opts.MarkLines {
	return &opts.MarkLines{
		Data:      []any{item},
		Symbol:    []string{"none", "none"},
		LineStyle: &opts.LineStyle{Color: color, Width: 2, Type: dash, Opacity: opts.Float(1)},
		Label: &opts.Label{
			Show: opts.Bool(true), Color: color, FontSize: 12, FontWeight: "bold", Position: position, Formatter: "{b}",
		},
	}
}

// spot is a hollow circle at a place in the plot.
func spot(x, y any, color string) *opts.MarkPoints {
	return &opts.MarkPoints{Data: []any{opts.MarkPointNameCoordItem{
		Coordinate: []any{x, y},
		Symbol:     "circle",
		SymbolSize: 10,
		ItemStyle:  &opts.ItemStyle{Color: "--panel", BorderColor: color, BorderWidth: 3},
		Label:      &opts.Label{Show: opts.Bool(false)},
	}}}
}
