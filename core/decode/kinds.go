package decode

import (
	"fmt"

	"decodingplayground/core/spec"
)

// Kind is a strategy that a user can pick.
type Kind struct{ spec.Kind[Strategy] }

// Traits are those of the kind with its default settings.
func (k Kind) Traits() Traits {
	s, err := k.Make(spec.Args{})
	if err != nil {
		return Traits{}
	}
	return s.Traits()
}

// Kinds are all strategies. A new one is a file of its own and a line here.
var Kinds = []Kind{
	greedyKind,
	samplingKind,
	beamKind,
	beamSamplingKind,
	groupBeamKind,
	contrastiveKind,
	dolaKind,
	lookupKind,
	assistedKind,
	mirostatKind,
	mirostatV2Kind,
}

// Find returns the kind called name.
func Find(name string) (Kind, error) {
	for _, k := range Kinds {
		if k.Name == name {
			return k, nil
		}
	}
	return Kind{}, fmt.Errorf("strategy: %q, want one of %v", name, names())
}

func names() []string {
	list := make([]string, len(Kinds))
	for i, k := range Kinds {
		list[i] = k.Name
	}
	return list
}
