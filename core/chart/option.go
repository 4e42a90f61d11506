package chart

import (
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// option is a chart as ECharts takes it, put together from go-echarts' options.
// Its charts, which do the same, bring its HTML templates along and make the
// engine a tenth larger. There is nothing that the page draws itself: no title,
// legend or tooltip.
type option struct {
	Animation bool         `json:"animation"`
	Aria      *opts.Aria   `json:"aria"`
	Color     opts.Colors  `json:"color"`
	Grid      []opts.Grid  `json:"grid"`
	Series    []series     `json:"series"`
	XAxis     []opts.XAxis `json:"xAxis"`
	YAxis     []opts.YAxis `json:"yAxis"`
}

// series is a line or a row of bars.
type series struct {
	Name       string           `json:"name"`
	Type       string           `json:"type"` // types.ChartLine or types.ChartBar
	Step       string           `json:"step,omitempty"`
	ShowSymbol types.Bool       `json:"showSymbol,omitempty"`
	Symbol     string           `json:"symbol,omitempty"`
	SymbolSize int              `json:"symbolSize,omitempty"`
	Data       any              `json:"data"`
	ItemStyle  *opts.ItemStyle  `json:"itemStyle,omitempty"`
	MarkLine   *opts.MarkLines  `json:"markLine,omitempty"`
	MarkPoint  *opts.MarkPoints `json:"markPoint,omitempty"`
	LineStyle  *opts.LineStyle  `json:"lineStyle,omitempty"`
	AreaStyle  *opts.AreaStyle  `json:"areaStyle,omitempty"`
}

// newOption is a chart in which nothing moves. description is read out by
// screen readers.
func newOption(grid opts.Grid, x opts.XAxis, y opts.YAxis, description string, rows ...series) option {
	return option{
		Aria: &opts.Aria{
			Enabled: opts.Bool(true),
			Label:   &opts.AriaLabel{Enabled: opts.Bool(true), Description: description},
		},
		Color:  opts.Colors{"--kept"},
		Grid:   []opts.Grid{grid},
		Series: rows,
		XAxis:  []opts.XAxis{x},
		YAxis:  []opts.YAxis{y},
	}
}
