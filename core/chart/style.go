package chart

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// newLine is a line chart with nothing that the page draws itself: no title,
// legend or tooltip. Nothing moves. description is read out by screen readers.
func newLine(grid opts.Grid, x opts.XAxis, y opts.YAxis, description string) *charts.Line {
	line := charts.NewLine()
	line.SetGlobalOptions(plain(grid, x, y, description)...)
	return line
}

func plain(grid opts.Grid, x opts.XAxis, y opts.YAxis, description string) []charts.GlobalOpts {
	return []charts.GlobalOpts{
		charts.WithAnimation(false),
		charts.WithColorsOpts(opts.Colors{"--kept"}),
		charts.WithTitleOpts(opts.Title{Show: opts.Bool(false)}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(false)}),
		charts.WithToolboxOpts(opts.Toolbox{Show: opts.Bool(false)}),
		charts.WithGridOpts(grid),
		charts.WithXAxisOpts(x),
		charts.WithYAxisOpts(y),
		charts.WithAriaOpts(&opts.Aria{
			Enabled: opts.Bool(true),
			Label:   &opts.AriaLabel{Enabled: opts.Bool(true), Description: description},
		}),
	}
}

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

// asStairs turns the line at each point, without a dot on it.
func asStairs() charts.SeriesOpts {
	return charts.WithLineChartOpts(opts.LineChart{ShowSymbol: opts.Bool(false), Symbol: "none", Step: "end"})
}

// markStyle is the look of a straight line across the plot with its name at the
// end.
func markStyle(color, dash, position string) charts.SeriesOpts {
	return charts.WithMarkLineStyleOpts(opts.MarkLineStyle{
		Symbol:    []string{"none", "none"},
		LineStyle: &opts.LineStyle{Color: color, Width: 2, Type: dash, Opacity: opts.Float(1)},
		Label: &opts.Label{
			Show: opts.Bool(true), Color: color, FontSize: 12, FontWeight: "bold", Position: position, Formatter: "{b}",
		},
	})
}

// spot is a hollow circle at a place in the plot.
func spot(x, y any, color string) charts.SeriesOpts {
	return charts.WithMarkPointNameCoordItemOpts(opts.MarkPointNameCoordItem{
		Coordinate: []any{x, y},
		Symbol:     "circle",
		SymbolSize: 10,
		ItemStyle:  &opts.ItemStyle{Color: "--panel", BorderColor: color, BorderWidth: 3},
		Label:      &opts.Label{Show: opts.Bool(false)},
	})
}
