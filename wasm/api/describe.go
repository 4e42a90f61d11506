package api

import (
	"decodingplayground/core/chart"
	"decodingplayground/core/decode"
	"decodingplayground/core/logits"
	"decodingplayground/core/spec"
)

func (a *App) describe(Nothing) (Described, error) {
	var d Described
	for _, k := range logits.Kinds {
		d.Processors = append(d.Processors, kindOf(k))
	}
	for _, k := range decode.Kinds {
		kind := kindOf(k.Kind)
		traits := k.Traits()
		kind.Samples, kind.Beams, kind.Draft = traits.Samples, traits.Beams, traits.Draft
		d.Strategies = append(d.Strategies, kind)
	}
	for _, c := range chart.All {
		d.Charts = append(d.Charts, Chart{Name: c.Name, Title: c.Title, Doc: c.Doc})
	}
	for _, o := range logits.Orderings {
		d.Orders = append(d.Orders, Order(o))
	}
	return d, nil
}

func kindOf[T any](k spec.Kind[T]) Kind {
	kind := Kind{
		Name: k.Name, Label: k.Label, Letter: k.Letter, Group: k.Group, Doc: k.Doc, Formula: k.Formula, Source: k.Source, Warper: k.Warper,
	}
	for _, p := range k.Params {
		kind.Params = append(kind.Params, Param{
			Name: p.Name, Label: p.Label, Doc: p.Doc, Type: string(p.Type),
			Default: p.Default, Min: p.Min, Max: p.Max, OpenMin: p.OpenMin, OpenMax: p.OpenMax,
			Off: p.Off, HasOff: p.HasOff, Low: p.Low, High: p.High, Step: p.Step, Scale: string(p.Scale),
			Range: p.Range(), Choices: p.Choices, Plain: p.Plain,
		})
	}
	return kind
}
