package api

import (
	"fmt"
	"math"

	"decodingplayground/core/decode"
	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
	"decodingplayground/core/spec"
)

const (
	maxSeed   = 1<<53 - 1 // whole numbers of JavaScript
	maxStages = 100
)

// stageRef is where a stage of a pipeline comes from: its place in
// Settings.Stages, -1 for what the model or the strategy does, and its numbers,
// defaults included.
type stageRef struct {
	place int
	args  map[string]float64
}

// settingsOf makes a session's settings for a model, with one stageRef a stage
// of the pipeline.
func (a *App) settingsOf(set Settings, m *model) (out decode.Settings, refs []stageRef, err error) {
	if set.Seed < 0 || set.Seed > maxSeed || set.Seed != math.Trunc(set.Seed) {
		return out, nil, fmt.Errorf("seed: %v, want a whole number, 0 to %d", set.Seed, maxSeed)
	}
	if set.Die < 0 && set.Die != -1 {
		return out, nil, fmt.Errorf("die: %v, want 0 up to, but not, 1, or -1 for none", set.Die)
	}
	kind, err := decode.Find(set.Strategy)
	if err != nil {
		return out, nil, err
	}
	strategy, err := kind.Make(spec.Args{Num: set.StrategyArgs, Seq: sequencesOf(set.StrategySeqs)})
	if err != nil {
		return out, nil, err
	}
	pipeline, refs, err := pipelineOf(set.Stages)
	if err != nil {
		return out, nil, err
	}
	if err := pipeline.Check(m.info.Vocab); err != nil {
		return out, nil, err
	}
	out = decode.Settings{
		Strategy: strategy, Pipeline: pipeline, Seed: uint64(set.Seed), Die: set.Die,
		MaxNewTokens: set.MaxNewTokens, MaxLength: set.MaxLength, MaxTime: set.MaxTime, Clock: a.Clock,
		EOS: set.EOS, Stop: set.Stop, Piece: m.words.piece,
	}
	out.Draft, err = a.draftOf(set, m)
	return out, refs, err
}

// draftOf is the model that guesses ahead, or nil.
func (a *App) draftOf(set Settings, m *model) (lm.Model, error) {
	switch {
	case set.Draft != 0 && set.EarlyExit != 0:
		return nil, fmt.Errorf("assistant_early_exit: %d, and draft is %d, want one of them", set.EarlyExit, set.Draft)
	case set.Draft != 0:
		draft, err := find(a.models, "draft", set.Draft)
		if err != nil {
			return nil, err
		}
		return draft.Model, nil
	case set.EarlyExit != 0:
		return m.leaveEarly(set.EarlyExit)
	}
	return nil, nil
}

func sequencesOf(list []Sequence) map[string][]spec.Sequence {
	seqs := map[string][]spec.Sequence{}
	for _, s := range list {
		seqs[s.Param] = append(seqs[s.Param], spec.Sequence{IDs: s.IDs, Bias: s.Bias})
	}
	return seqs
}

func pipelineOf(stages []Stage) (pipeline logits.Pipeline, refs []stageRef, err error) {
	if len(stages) > maxStages {
		return nil, nil, fmt.Errorf("stages: %d, want at most %d", len(stages), maxStages)
	}
	for i, stage := range stages {
		if !stage.On {
			continue
		}
		args := spec.Args{Num: stage.Args, Seq: sequencesOf(stage.Seqs)}
		kind, err := spec.Find(logits.Kinds, stage.Kind)
		if err != nil {
			return nil, nil, err
		}
		full, err := spec.Check(kind.Params, args)
		if err != nil {
			return nil, nil, err
		}
		made, err := logits.Make(stage.Kind, args)
		if err != nil {
			return nil, nil, err
		}
		pipeline, refs = append(pipeline, made), append(refs, stageRef{i, full.Num})
	}
	return pipeline, refs, nil
}
