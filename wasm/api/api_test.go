package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"decodingplayground/core/lm"
)

// client calls an App as a page does: parameters go through JSON.
type client struct {
	*testing.T
	app *App
}

func newClient(t *testing.T) client { return client{t, New()} }

func (c client) try(method string, params any, bulk Bulk) (any, error) {
	text, err := json.Marshal(params)
	if err != nil {
		c.Fatal(err)
	}
	decode := func(to any) error {
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		return d.Decode(to)
	}
	return c.app.Call(method, decode, bulk)
}

func call[R any](c client, method string, params any) R {
	c.Helper()
	r, err := c.try(method, params, Bulk{})
	if err != nil {
		c.Fatalf("%s: %v", method, err)
	}
	return r.(R)
}

// refuses checks that a call fails with a code and a message that names want.
func (c client) refuses(method string, params any, code, want string) {
	c.Helper()
	_, err := c.try(method, params, Bulk{})
	var e Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Message, want) {
		c.Errorf("%s %+v: %#v, want code %s and a message with %q", method, params, err, code, want)
	}
}

const toys = `{"vocab": [".", "Paris", "Rome", "a", "the"], "eos": 0,
	"hidden": [[1, 0], [2, 0], [3, 0], [4, 0], [5, 0]], "hidden_context": [0, 1],
	"toys": {"capital": {"prompt": "The capital of France is", "context": [], "start": [-1.2, 8.4, 3.1, 0.5, 1.0],
		"rows": {"Paris": [4, -2, 0.5, 0, 1.5], "Rome": [4, 0.5, -2, 0, 1.5], "a": [-2, 1.5, 1, -3, -2.5], "the": [-2, 2, 1.5, -2.5, -3]}}}}`

// openToy opens a session on the toy.
func (c client) openToy(set Settings) Status {
	c.Helper()
	info := call[ModelInfo](c, "modelToy", ModelToy{Toys: toys, Name: "capital"})
	return call[Status](c, "open", Open{Model: info.Model, IDs: info.PromptIDs, Settings: set})
}

// fixed is a model that always gives the same logits.
type fixed struct{ logits []float32 }

type fixedPast int

func (p fixedPast) Len() int { return int(p) }

func (m *fixed) Info() lm.Info { return lm.Info{Vocab: len(m.logits), Context: 8} }

func (m *fixed) Forward(batch ...lm.Input) ([]lm.Output, error) {
	out := make([]lm.Output, len(batch))
	for i, in := range batch {
		read := 0
		if in.Past != nil {
			read = in.Past.Len()
		}
		out[i] = lm.Output{Past: fixedPast(read + len(in.IDs)), Hidden: make([][]float32, len(in.IDs))}
	}
	return out, nil
}

func (m *fixed) Head(hidden ...[]float32) [][]float32 {
	out := make([][]float32, len(hidden))
	for i := range out {
		out[i] = slices.Clone(m.logits)
	}
	return out
}

// openFixed opens a session on a model that always gives these logits.
func (c client) openFixed(logits []float32, set Settings) Status {
	c.Helper()
	handle := c.app.handle()
	c.app.models[handle] = &model{Model: &fixed{logits}, info: ModelInfo{Model: handle, Vocab: len(logits), Context: 8}, words: hexWords(len(logits))}
	st := call[Status](c, "open", Open{Model: handle, IDs: []int{1}, Settings: set})
	call[Fed](c, "feed", Feed{Session: st.Session, Count: 64})
	return st
}

// hexWords are so many tokens of two bytes.
type hexWords int

func (w hexWords) encode(string) ([]int, error) { return []int{1, 2}, nil }
func (w hexWords) piece(id int) []byte          { return []byte{byte(id >> 8), byte(id)} }
func (w hexWords) endOfText() int               { return int(w) - 1 }

// sampling are settings with stages of one number each, by name and value.
func sampling(stages ...Stage) Settings {
	return Settings{Strategy: "sampling", Stages: stages, Seed: 1, Die: -1, MaxNewTokens: 5}
}

func stage(kind string, value float64) Stage {
	return Stage{Kind: kind, On: true, Args: map[string]float64{kind: value}}
}

func (c client) view(session, rows int) View {
	c.Helper()
	return call[View](c, "view", ViewOf{Session: session, Step: -1, Rows: rows})
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestUnknownMethod(t *testing.T) {
	newClient(t).refuses("nope", Nothing{}, "bad_request", `"nope"`)
}

func TestDecodeError(t *testing.T) {
	newClient(t).refuses("close", map[string]string{"session": "one"}, "bad_request", "session")
}

func TestUnknownHandles(t *testing.T) {
	c := newClient(t)
	c.refuses("status", Ref{Session: 9}, "unknown", "session 9")
	c.refuses("tokenize", Tokenize{Model: 9}, "unknown", "model 9")
	c.refuses("metrics", MetricsOf{Sessions: []int{9}}, "unknown", "session 9")
	c.refuses("chart", ChartOf{Name: "entropy", Sessions: []int{9}}, "unknown", "session 9")

	st := c.openToy(sampling())
	call[Nothing](c, "close", Ref{Session: st.Session})
	c.refuses("close", Ref{Session: st.Session}, "unknown", "not open")
}

// panicking is a model that a fault of ours makes panic.
type panicking struct{ *fixed }

func (panicking) Head(...[]float32) [][]float32 { panic("index out of range") }

func TestPanicIsAnErrorAndTheAppGoesOn(t *testing.T) {
	c := newClient(t)
	st := c.openFixed([]float32{1, 2, 3}, sampling())
	c.app.models[99] = &model{Model: panicking{&fixed{[]float32{1, 2}}}, info: ModelInfo{Vocab: 2}, words: hexWords(2)}
	bad := call[Status](c, "open", Open{Model: 99, IDs: []int{0}, Settings: sampling()})
	call[Fed](c, "feed", Feed{Session: bad.Session, Count: 1})
	c.refuses("view", ViewOf{Session: bad.Session, Step: -1, Rows: 5}, "internal", "index out of range")
	c.view(st.Session, 3)
}

func TestNoNulls(t *testing.T) {
	c := newClient(t)
	st := c.openToy(sampling())
	for method, params := range map[string]any{
		"describe": Nothing{}, "status": Ref{st.Session}, "tree": Ref{st.Session}, "step": Steps{},
		"view":    ViewOf{Session: st.Session, Step: -1, Rows: 5},
		"metrics": MetricsOf{},
	} {
		r, err := c.try(method, params, Bulk{})
		if err != nil {
			t.Errorf("%s: %v", method, err)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Errorf("%s: %v", method, err)
		}
		if bytes.Contains(text, []byte("null")) {
			t.Errorf("%s: null in %s", method, text)
		}
	}
}

func TestDescribe(t *testing.T) {
	d := call[Described](newClient(t), "describe", Nothing{})
	names := func(kinds []Kind) (list []string) {
		for _, k := range kinds {
			list = append(list, k.Name)
		}
		return list
	}
	if got := names(d.Processors); !slices.Contains(got, "top_p") || slices.Index(got, "temperature") > slices.Index(got, "top_p") {
		t.Errorf("processors: %v, want temperature before top_p", got)
	}
	for _, k := range d.Strategies {
		if k.Samples != strings.Contains(k.Name, "sampling") && slices.Contains([]string{"greedy", "sampling", "beam", "beam_sampling"}, k.Name) {
			t.Errorf("%s: samples %v", k.Name, k.Samples)
		}
	}
	for _, k := range slices.Concat(d.Processors, d.Strategies) {
		for _, p := range k.Params {
			if p.Type != "sequences" && p.Range == "" {
				t.Errorf("%s.%s: no range in words", k.Name, p.Name)
			}
		}
	}
}
