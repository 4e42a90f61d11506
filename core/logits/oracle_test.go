package logits

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"decodingplayground/core/golden"
	"decodingplayground/core/rows"
	"decodingplayground/core/spec"
)

// processFile is process.json; see core/golden/oracle/README.md.
type processFile struct {
	Vectors map[string]golden.Row `json:"vectors"`
	Errors  []struct {
		Vec        string      `json:"vec"`
		Params     golden.Args `json:"params"`
		InputIDs   []int       `json:"input_ids"`
		Error      string      `json:"error"`
		AcceptedAs *[]string   `json:"accepted_as"`
		Out        golden.Row  `json:"out"`
	} `json:"errors"`
	Special []struct {
		Name      string      `json:"name"`
		Logits    golden.Row  `json:"logits"`
		Params    golden.Args `json:"params"`
		InputIDs  []int       `json:"input_ids"`
		PromptLen int         `json:"prompt_len"`
		Error     string      `json:"error"`
		Out       golden.Row  `json:"out"`
		Probs     golden.Row  `json:"probs"`
	} `json:"special"`
	Cases []processCase `json:"cases"`
}

type processCase struct {
	ID        string      `json:"id"`
	Vec       string      `json:"vec"`
	Params    golden.Args `json:"params"`
	InputIDs  []int       `json:"input_ids"`
	PromptLen int         `json:"prompt_len"`
	Order     []string    `json:"order"`
	NKept     int         `json:"n_kept"`
	Out       golden.Row  `json:"out"`
	Probs     golden.Row  `json:"probs"`
	Ties      bool        `json:"ties"`
	Fragile   bool        `json:"fragile"`
	KeptF64   []int       `json:"kept_f64"`
}

// hfPipeline is the pipeline of generate's parameters, in the default order.
func hfPipeline(t testing.TB, params golden.Args) (Pipeline, error) {
	t.Helper()
	var p Pipeline
	for _, k := range Kinds {
		if !params.Has(k.Name) {
			continue
		}
		s, err := Make(k.Name, hfArgs(t, k, params))
		if err != nil {
			return nil, err
		}
		p = append(p, s)
	}
	return p, nil
}

// hfArgs turns one of generate's parameters into the arguments of its kind.
func hfArgs(t testing.TB, k spec.Kind[Processor], params golden.Args) spec.Args {
	t.Helper()
	switch k.Name {
	case "exponential_decay_length_penalty":
		var pair []float64
		params.Get(t, k.Name, &pair)
		return spec.Args{Num: map[string]float64{"start_index": pair[0], "decay_factor": pair[1]}}
	case "bad_words_ids":
		var words [][]int
		params.Get(t, k.Name, &words)
		list := []spec.Sequence{}
		for _, ids := range words {
			list = append(list, spec.Sequence{IDs: ids})
		}
		return spec.Args{Seq: map[string][]spec.Sequence{k.Name: list}}
	case "sequence_bias":
		var pairs [][2]json.RawMessage
		params.Get(t, k.Name, &pairs)
		var list []spec.Sequence
		for _, pair := range pairs {
			var s spec.Sequence
			if err := json.Unmarshal(pair[0], &s.IDs); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(pair[1], &s.Bias); err != nil {
				t.Fatal(err)
			}
			list = append(list, s)
		}
		return spec.Args{Seq: map[string][]spec.Sequence{k.Name: list}}
	case "suppress_tokens", "begin_suppress_tokens", "forced_bos_token_id", "forced_eos_token_id":
		ids := params.Ints(t, k.Name)
		return spec.Args{Seq: map[string][]spec.Sequence{k.Name: {{IDs: ids}}}}
	}
	return spec.Args{Num: map[string]float64{k.Name: params.Num(t, k.Name, 0)}}
}

// hfContext is the context that generate would have.
func hfContext(t testing.TB, params golden.Args, ids []int, promptLen int) Context {
	t.Helper()
	c := Context{
		IDs: ids, PromptLen: promptLen, EOS: params.Ints(t, "eos_token_id"),
		MaxLength: params.Int(t, "max_length", promptLen+20),
	}
	if params.Int(t, "num_beams", 1) > 1 {
		c.MinTokensToKeep = max(len(c.EOS), 1) + 1
	}
	return c
}

func TestOracleProcess(t *testing.T) {
	var doc processFile
	golden.Read(t, "process.json", &doc)
	v5 := golden.V5(t, "process")
	for _, c := range doc.Cases {
		if raw, ok := v5[c.ID]; ok {
			var newer processCase
			if err := json.Unmarshal(raw, &newer); err != nil {
				t.Fatal(err)
			}
			c.Out, c.NKept, c.Probs = newer.Out, rows.Kept(newer.Out.Floats()), nil
		}
		p, err := hfPipeline(t, c.Params)
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		if len(v5) == 0 && offByOne(t, c) {
			golden.LeftOut(t, "process.json", "all", 1, "4.46 skips a word one longer than the text, and the folder does not have 5.x's result")
			continue
		}
		if !subsequence(c.Order, names(p)) {
			t.Errorf("%s: order %v, transformers has %v", c.ID, names(p), c.Order)
		}
		raw := doc.Vectors[c.Vec].Floats()
		if err := p.Check(len(raw)); err != nil {
			t.Errorf("%s: %v", c.ID, err)
		}
		got := p.Run(hfContext(t, c.Params, c.InputIDs, c.PromptLen), raw).Final()
		compare(t, fmt.Sprintf("%s %s %s", c.ID, c.Vec, c.Params), got, c)
		if len(c.Probs) > 0 && !c.Ties && !c.Fragile {
			golden.Close(t, c.ID+" probs", Softmax([]float64(nil), got), c.Probs, golden.Prob)
		}
		golden.Count(t, "process.json", "all", 1)
		for _, kind := range c.Order {
			golden.Count(t, "process.json", kind, 1)
		}
	}
}

// offByOne reports whether a word of the case is one token longer than the text.
func offByOne(t *testing.T, c processCase) bool {
	t.Helper()
	var words [][]int
	c.Params.Get(t, "bad_words_ids", &words)
	return slices.ContainsFunc(words, func(w []int) bool { return len(w) == len(c.InputIDs)+1 })
}

func names(p Pipeline) []string {
	var out []string
	for _, s := range p {
		out = append(out, s.Name)
	}
	return out
}

// subsequence reports whether all of short is in long, in that order.
func subsequence(short, long []string) bool {
	for _, name := range long {
		if len(short) > 0 && short[0] == name {
			short = short[1:]
		}
	}
	return len(short) == 0
}

// compare is exact about what is kept and close about scores. Where a vector
// has ties, which of the tied tokens stay is the implementation's, so the kept
// scores are compared by size; where float64 keeps another set than float32,
// either will do.
func compare(t *testing.T, what string, got []float32, c processCase) {
	t.Helper()
	want := c.Out.Floats()
	if c.Fragile && (slices.Equal(keptIDs(got), c.KeptF64) || c.Ties && rows.Kept(got) == len(c.KeptF64)) {
		return
	}
	if c.Ties {
		got, want = slices.Clone(got), slices.Clone(want)
		slices.Sort(got)
		slices.Sort(want)
	}
	if rows.Kept(got) != c.NKept {
		t.Errorf("%s: %d kept, want %d", what, rows.Kept(got), c.NKept)
	}
	golden.Close(t, what, got, want, golden.Processed)
}

// What transformers rejects is rejected here. What it takes and silently
// ignores (top_p above 1, epsilon outside 0..1, a negative n-gram size) is
// rejected, too, with an error that names parameter, value and range. Only two
// rows are right here: temperature 0, the greedy limit, and a whole temperature
// (2), which is no other number than 2.0.
func TestOracleErrors(t *testing.T) {
	var doc processFile
	golden.Read(t, "process.json", &doc)
	for _, c := range doc.Errors {
		p, err := hfPipeline(t, c.Params)
		if err == nil {
			err = p.Check(len(doc.Vectors[c.Vec]))
		}
		accept := c.Params.Has("temperature") && c.Params.Num(t, "temperature", -1) >= 0
		if accept != (err == nil) {
			t.Errorf("%s: error %v", c.Params, err)
		}
		golden.Count(t, "process.json", "errors", 1)
	}
}

// Rows with NaN and infinities. Where transformers raises, and for a row whose
// probabilities are NaN there, they are 0 here.
func TestOracleSpecial(t *testing.T) {
	var doc processFile
	golden.Read(t, "process.json", &doc)
	for _, c := range doc.Special {
		what := fmt.Sprintf("%s %s", c.Name, c.Params)
		p, err := hfPipeline(t, c.Params)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		promptLen := c.PromptLen
		if promptLen == 0 {
			promptLen = len(c.InputIDs)
		}
		raw := c.Logits.Floats()
		got := p.Run(hfContext(t, c.Params, c.InputIDs, promptLen), raw).Final()
		want, why := c.Out.Floats(), ""
		switch {
		case c.Error != "":
			want, why = raw, "transformers raises; the row stays as it is"
		case c.Params.Has("renormalize_logits") && allNaN(want):
			want, why = raw, "transformers makes NaN; the row stays as it is"
		case c.Params.Has("temperature") && distribution(raw) && !distribution(want):
			want, why = nil, "transformers overflows; the row is shifted first"
			if !distribution(got) || Best(got) != Best(raw) {
				t.Errorf("%s: got %v", what, got)
			}
		case c.Params.Has("exponential_decay_length_penalty") && hasNaN(want):
			want, why = nil, "4.46 makes NaN; a removed end stays removed as in 5.x"
			for i, w := range c.Out.Floats() {
				if w != w && !removed(got[i]) || w == w && got[i] != w {
					t.Errorf("%s: got %v", what, got)
				}
			}
		}
		if want != nil {
			golden.Close(t, what, got, want, golden.Processed)
		}
		if why != "" {
			golden.Count(t, "process.json", "special, by decision: "+why, 1)
			continue
		}
		for i, w := range c.Probs {
			if p := Softmax([]float64(nil), got)[i]; w == w && !golden.Near(p, float64(w), golden.Prob) || w != w && p != 0 {
				t.Errorf("%s: probability of %d is %v, want %v", what, i, p, w)
			}
		}
		golden.Count(t, "process.json", "special", 1)
	}
}

func distribution(scores []float32) bool {
	_, ok := peak(scores)
	return ok
}

func hasNaN(scores []float32) bool {
	return slices.ContainsFunc(scores, func(s float32) bool { return s != s })
}

func allNaN(scores []float32) bool {
	return !slices.ContainsFunc(scores, func(s float32) bool { return s == s })
}

func TestOracleSoftmax(t *testing.T) {
	var doc struct {
		Softmax []struct {
			X          golden.Row `json:"x"`
			Softmax    golden.Row `json:"softmax"`
			LogSoftmax golden.Row `json:"log_softmax"`
			LogSumExp  float64    `json:"logsumexp"`
		} `json:"softmax"`
	}
	golden.Read(t, "numerics.json", &doc)
	for i, c := range doc.Softmax {
		what, x := fmt.Sprintf("softmax %d", i), c.X.Floats()
		golden.Close(t, what, Softmax([]float32(nil), x), c.Softmax, golden.Prob)
		golden.Close(t, what+" log", LogSoftmax(nil, x), c.LogSoftmax, golden.Tolerance{Abs: 1e-5, Rel: 1e-6})
		if lse := LogSumExp(x); !golden.Near(lse, c.LogSumExp, golden.Tolerance{Abs: 1e-5, Rel: 1e-6}) {
			t.Errorf("%s: logsumexp %v, want %v", what, lse, c.LogSumExp)
		}
		if h := Entropy(x); math.IsNaN(h) || h < 0 {
			t.Errorf("%s: entropy %v", what, h)
		}
		golden.Count(t, "numerics.json", "softmax", 1)
	}
}
