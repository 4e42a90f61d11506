package api

import (
	"fmt"
	"strconv"

	"decodingplayground/core/gpt2"
	"decodingplayground/core/lm"
	"decodingplayground/tokenizer"
)

// model is a model that is ready.
type model struct {
	lm.Model
	info  ModelInfo
	words words
	bytes int              // of its weights
	early map[int]lm.Model // by how many blocks they have
}

// leaveEarly is the model of m's first n blocks, always the same one.
func (m *model) leaveEarly(n int) (lm.Model, error) {
	whole, ok := m.Model.(*gpt2.Model)
	if !ok {
		return nil, fmt.Errorf("assistant_early_exit: %d, but %s has no blocks to leave between", n, m.info.Name)
	}
	if m.early[n] == nil {
		made, err := whole.EarlyExit(n)
		if err != nil {
			return nil, err
		}
		if m.early == nil {
			m.early = map[int]lm.Model{}
		}
		m.early[n] = made
	}
	return m.early[n], nil
}

// loading is a model whose parts are coming in.
type loading struct {
	manifest *gpt2.Manifest
	loader   *gpt2.Loader
	words    words
}

func (a *App) modelBegin(p ModelBegin) (ModelBegun, error) {
	m, err := gpt2.ParseManifest([]byte(p.Manifest))
	if err != nil {
		return ModelBegun{}, badModel(err)
	}
	tokens, err := tokenizerOf(m)
	if err != nil {
		return ModelBegun{}, badModel(err)
	}
	loader, err := gpt2.NewLoader(m)
	if err != nil {
		return ModelBegun{}, badModel(err)
	}
	handle := a.handle()
	a.loading[handle] = &loading{m, loader, gpt2Words{tokens}}
	a.limitGarbage()
	begun := ModelBegun{Model: handle, Name: m.Name, Hash: m.Hash()}
	for _, part := range m.Parts {
		begun.Parts = append(begun.Parts, Part(part))
	}
	return begun, nil
}

// tokenizerOf is GPT-2's, or the one in the manifest.
func tokenizerOf(m *gpt2.Manifest) (t *tokenizer.Tokenizer, err error) {
	switch m.Tokenizer {
	case "gpt2":
		t = tokenizer.GPT2()
	case "own":
		if t, err = tokenizer.New([]byte(m.Vocab), []byte(m.Merges)); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("tokenizer: %q, want \"gpt2\" or \"own\"", m.Tokenizer)
	}
	if t.Vocab() != m.Config.VocabSize {
		return nil, fmt.Errorf("tokenizer: %d tokens, want vocab_size %d", t.Vocab(), m.Config.VocabSize)
	}
	return t, nil
}

func (a *App) modelPart(p ModelPart, bulk Bulk) (Nothing, error) {
	l, err := find(a.loading, "model", p.Model)
	if err != nil {
		return Nothing{}, err
	}
	if p.Index < 0 || p.Index >= len(l.manifest.Parts) {
		return Nothing{}, badModel(fmt.Errorf("part %d: want 0 to %d", p.Index, len(l.manifest.Parts)-1))
	}
	to := l.loader.Part(p.Index)
	if p.At < 0 || p.At > len(to) || bulk.Len > len(to)-p.At {
		return Nothing{}, badModel(fmt.Errorf("%s: bytes %d to %d, want up to %d", l.manifest.Parts[p.Index].File, p.At, p.At+bulk.Len, len(to)))
	}
	if bulk.Len > 0 {
		bulk.Copy(to[p.At:][:bulk.Len])
	}
	if p.At+bulk.Len < len(to) {
		return Nothing{}, nil
	}
	check := l.loader.Verify
	if p.SHA256 != "" {
		check = func(i int) error { return l.loader.Accept(i, p.SHA256) }
	}
	if err := check(p.Index); err != nil {
		return Nothing{}, badModel(err)
	}
	return Nothing{}, nil
}

func (a *App) modelEnd(p ModelRef) (ModelInfo, error) {
	l, err := find(a.loading, "model", p.Model)
	if err != nil {
		return ModelInfo{}, err
	}
	m, err := l.loader.Model()
	if err != nil {
		return ModelInfo{}, badModel(err)
	}
	delete(a.loading, p.Model)
	a.models[p.Model] = &model{Model: m, info: infoOf(p.Model, l.manifest), words: l.words, bytes: l.manifest.Bytes()}
	return a.models[p.Model].info, nil
}

func infoOf(handle int, m *gpt2.Manifest) ModelInfo {
	c := m.Config
	info := ModelInfo{
		Model: handle, ID: m.ID, Name: m.Name, Hash: m.Hash(),
		Layers: c.NLayer, Heads: c.NHead, Embd: c.NEmbd, Context: c.NPositions, Vocab: c.VocabSize,
		Params: countParams(c), EOS: -1, Bits: "float32", Licence: m.Licence, Source: m.Source.Repo,
	}
	if len(c.EOS) > 0 {
		info.EOS = c.EOS[0]
	}
	if m.Quantisation.Bits != 32 {
		info.Bits = strconv.Itoa(m.Quantisation.Bits)
	}
	if m.Source.Revision != "" {
		info.Source += "@" + m.Source.Revision
	}
	return info
}

// countParams counts the numbers in a checkpoint, an untied head included.
func countParams(c gpt2.Config) int {
	e, inner := c.NEmbd, c.NInner
	attention := 2*e + e*3*e + 3*e + e*e + e
	mlp := 2*e + e*inner + inner + inner*e + e
	n := (c.VocabSize+c.NPositions)*e + c.NLayer*(attention+mlp) + 2*e
	if !c.TieWordEmbeddings {
		n += c.VocabSize * e
	}
	return n
}

// modelClose forgets a model, ready or not, and its sessions.
func (a *App) modelClose(p ModelRef) (Nothing, error) {
	defer a.limitGarbage()
	if _, err := find(a.loading, "model", p.Model); err == nil {
		delete(a.loading, p.Model)
		return Nothing{}, nil
	}
	m, err := find(a.models, "model", p.Model)
	if err != nil {
		return Nothing{}, err
	}
	for handle, s := range a.sessions {
		if s.model == m {
			delete(a.sessions, handle)
		}
	}
	delete(a.models, p.Model)
	return Nothing{}, nil
}

func badModel(err error) Error { return Error{Code: "bad_model", Message: err.Error()} }
