package logits

import "slices"

// Ordering is an order of stages that a page offers: names of kinds, first to
// last.
type Ordering struct {
	Name, Label, Doc string
	Kinds            []string
}

// Orderings are the orders to pick from; the first is the default.
var Orderings = []Ordering{
	{
		Name: "transformers", Label: "transformers",
		Doc:   "Temperature comes before every filter.",
		Kinds: hfOrder(),
	},
	{
		Name: "llama.cpp", Label: "llama.cpp",
		Doc:   "Filters look at the model's own shares; temperature comes last.",
		Kinds: llamaOrder(),
	},
}

func hfOrder() []string {
	names := make([]string, len(Kinds))
	for i, k := range Kinds {
		names[i] = k.Name
	}
	return names
}

// llamaOrder is llama.cpp's default chain (common_params_sampling). What it
// lacks keeps its place before or after.
func llamaOrder() []string {
	chain := []string{
		"repetition_penalty", "frequency_penalty", "presence_penalty", "dry", "top_n_sigma", "top_k",
		"typical_p", "top_p", "min_p", "xtc", "dynamic_temperature", "temperature",
	}
	names := slices.DeleteFunc(hfOrder(), func(n string) bool { return slices.Contains(chain, n) })
	at := slices.Index(names, "epsilon_cutoff")
	return slices.Insert(names, at, chain...)
}
