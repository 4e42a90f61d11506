package logits

import "decodingplayground/core/spec"

// Kinds are all processors, in the order of the default pipeline, which is
// Hugging Face's; what only llama.cpp has stands beside its like. A new one is a
// file of its own and a line here.
var Kinds = []spec.Kind[Processor]{
	guidanceKind,
	logitBiasKind,
	sequenceBiasKind,
	repetitionKind,
	presenceKind,
	frequencyKind,
	dryKind,
	noRepeatNgramKind,
	badWordsKind,
	minLengthKind,
	minNewTokensKind,
	forcedBOSKind,
	forcedEOSKind,
	removeInvalidKind,
	decayKind,
	suppressKind,
	beginSuppressKind,
	temperatureKind,
	dynamicTemperatureKind,
	topNSigmaKind,
	topKKind,
	topPKind,
	minPKind,
	typicalPKind,
	epsilonKind,
	etaKind,
	xtcKind,
	renormalizeKind,
}

// Make builds the stage of the kind called name.
func Make(name string, args spec.Args) (Stage, error) {
	k, err := spec.Find(Kinds, name)
	if err != nil {
		return Stage{}, err
	}
	p, err := k.Make(args)
	if err != nil {
		return Stage{}, err
	}
	return Stage{Name: k.Name, Warper: k.Warper, Cut: k.Group == "Cut", Processor: p}, nil
}
