package gpt2

import (
	"bytes"
	"math"
	"testing"

	"decodingplayground/core/fmath"
	"decodingplayground/core/golden"
	"decodingplayground/core/kernel"
	"decodingplayground/core/lm"
	"decodingplayground/core/lm/lmtest"
)

var (
	float32s = Quantisation{Bits: 32}
	int8s    = Quantisation{Bits: 8, Group: 32}
)

func load(t testing.TB, name string, q Quantisation) *Model {
	t.Helper()
	cfg, err := ParseConfig(golden.Config(t, name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	file := golden.Safetensors(t, name)
	src, err := OpenSafetensors(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	m, err := Load(cfg, src, q)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

// forwardCase is a row of forward.json.
type forwardCase struct {
	Model        string      `json:"model"`
	IDs          []int       `json:"ids"`
	LastLogits   golden.Row  `json:"last_logits"`
	LastTop      topLogits   `json:"last_top"`
	LogSumExp    float64     `json:"last_logsumexp"`
	NextLogprobs []float64   `json:"next_logprobs"`
	Top8IDs      [][]int     `json:"top8_ids"`
	Top8Logprobs [][]float64 `json:"top8_logprobs"`
	HiddenLast   [][]float32 `json:"hidden_last"`
}

type topLogits struct {
	IDs    []int     `json:"ids"`
	Logits []float32 `json:"logits"`
}

func forwardCases(t testing.TB) map[string][]forwardCase {
	t.Helper()
	var file struct {
		Cases []forwardCase `json:"cases"`
	}
	golden.Read(t, "forward.json", &file)
	cases := map[string][]forwardCase{}
	for _, c := range file.Cases {
		if !golden.Has(t, c.Model) {
			golden.LeftOutModel(t, "forward.json", "logits", c.Model)
			continue
		}
		cases[c.Model] = append(cases[c.Model], c)
	}
	return cases
}

// logits are the rows of a whole text, read in pieces: first ids at once, the
// rest token by token.
func logits(t testing.TB, m *Model, ids []int, first int) (rows [][]float32, layers [][]float32) {
	t.Helper()
	var past lm.Past
	for from, to := 0, first; from < len(ids); from, to = to, to+1 {
		out, err := m.Forward(lm.Input{Past: past, IDs: ids[from:to], Layers: true})
		if err != nil {
			t.Fatal(err)
		}
		past = out[0].Past
		rows = append(rows, m.Head(out[0].Hidden...)...)
		n := len(out[0].Layers) - 1
		layers = append(append([][]float32{}, out[0].Layers[n]...), out[0].Hidden[n])
	}
	return rows, layers
}

func logprobs(logits []float32) []float64 {
	most := math.Inf(-1)
	for _, v := range logits {
		most = max(most, float64(v))
	}
	sum := 0.0
	for _, v := range logits {
		sum += fmath.Exp(float64(v) - most)
	}
	out := make([]float64, len(logits))
	for i, v := range logits {
		out[i] = float64(v) - most - fmath.Log(sum)
	}
	return out
}

// TestForwardOracle compares float32 weights with transformers, text by text:
// at once, and half at once and then token by token.
func TestForwardOracle(t *testing.T) {
	for name, cases := range forwardCases(t) {
		m := load(t, name, float32s)
		for _, c := range cases {
			for _, first := range []int{len(c.IDs), (len(c.IDs) + 1) / 2} {
				compareForward(t, m, c, first)
			}
		}
		golden.Count(t, "forward.json", name, len(cases))
	}
}

func compareForward(t *testing.T, m *Model, c forwardCase, first int) {
	t.Helper()
	rows, layers := logits(t, m, c.IDs, first)
	last := rows[len(rows)-1]
	what := func(s string) string { return c.Model + ": " + s }
	if c.LastLogits != nil {
		golden.Close(t, what("logits"), last, c.LastLogits, golden.Logit)
	}
	for i, id := range c.LastTop.IDs {
		golden.Close(t, what("top logits"), last[id:id+1], c.LastTop.Logits[i:i+1], golden.Logit)
	}
	for i, row := range rows {
		lp := logprobs(row)
		if i < len(c.NextLogprobs) {
			golden.Close(t, what("next log-prob"), lp[c.IDs[i+1]:c.IDs[i+1]+1], c.NextLogprobs[i:i+1], golden.Logit)
		}
		for k, id := range c.Top8IDs[i] {
			golden.Close(t, what("top 8 log-probs"), lp[id:id+1], c.Top8Logprobs[i][k:k+1], golden.Logit)
		}
	}
	for i, want := range c.HiddenLast {
		golden.Close(t, what("hidden states"), layers[i], want, golden.Logit)
	}
}

// TestInt8Oracle measures what int8 weights change: KL divergence from the
// float32 model's distributions, in nats a token, and how often the likeliest
// token is the same. Random weights are a hard case: their logits are flat.
func TestInt8Oracle(t *testing.T) {
	for name, cases := range forwardCases(t) {
		exact, m := load(t, name, float32s), load(t, name, int8s)
		kl, same, n := 0.0, 0, 0
		for _, c := range cases {
			want, _ := logits(t, exact, c.IDs, len(c.IDs))
			got, _ := logits(t, m, c.IDs, len(c.IDs))
			for i := range want {
				d, top := Divergence(want[i], got[i])
				kl += d
				n++
				if top {
					same++
				}
			}
		}
		kl /= float64(n)
		top1 := float64(same) / float64(n)
		t.Logf("%s: %d tokens, KL %.2g nats, top-1 agreement %.3f", name, n, kl, top1)
		limit := 2e-3
		if !exact.cfg.ScaleAttnWeights {
			limit = 1e-2 // scores that are not scaled make attention sharp, and each error larger
		}
		if kl > limit || top1 < 0.9 {
			t.Errorf("%s: KL %v, top-1 agreement %v, want at most %v and at least 0.9", name, kl, top1, limit)
		}
	}
}

func TestModelsKeepPromises(t *testing.T) {
	for _, name := range golden.Models(t) {
		for _, q := range []Quantisation{float32s, int8s} {
			lmtest.Check(t, load(t, name, q))
		}
	}
}

// numerics are single functions.
type numerics struct {
	GeluNew   pairs `json:"gelu_new"`
	GeluErf   pairs `json:"gelu_erf"`
	LayerNorm []struct {
		X    []float32 `json:"x"`
		Gain []float32 `json:"gain"`
		Bias []float32 `json:"bias"`
		Eps  float64   `json:"eps"`
		Y    []float32 `json:"y"`
	} `json:"layer_norm"`
	Attention []struct {
		T   int       `json:"T"`
		Dim int       `json:"head_dim"`
		Q   []float32 `json:"q"`
		K   []float32 `json:"k"`
		V   []float32 `json:"v"`
		Out []float32 `json:"out"`
	} `json:"attention_last_row"`
}

type pairs struct {
	X []float32 `json:"x"`
	Y []float32 `json:"y"`
}

func TestNumericsOracle(t *testing.T) {
	var n numerics
	golden.Read(t, "numerics.json", &n)
	near := golden.Tolerance{Abs: 1e-6, Rel: 2e-6}
	for activation, p := range map[string]pairs{"gelu_new": n.GeluNew, "gelu": n.GeluErf} {
		got := append([]float32(nil), p.X...)
		(&Model{cfg: Config{Activation: activation}}).activate(got)
		golden.Close(t, activation, got, p.Y, near)
	}
	for _, c := range n.LayerNorm {
		got := make([]float32, len(c.X))
		norm{c.Gain, c.Bias}.apply(got, c.X, c.Eps)
		golden.Close(t, "layer norm", got, c.Y, near)
	}
	for _, c := range n.Attention {
		golden.Close(t, "attention", attention(c.Q, c.K, c.V, c.T), c.Out, golden.Tolerance{Abs: 5e-6})
	}
	golden.Count(t, "numerics.json", "gelu", len(n.GeluNew.X)+len(n.GeluErf.X))
	golden.Count(t, "numerics.json", "layer norm", len(n.LayerNorm))
	golden.Count(t, "numerics.json", "attention", len(n.Attention))
}

// attention is one query's over rows positions of keys and values.
func attention(q, k, v []float32, rows int) []float32 {
	dim := len(q)
	width := kernel.HeadWidth(dim)
	var keys, values [][]float32
	for j := range rows {
		if j%kernel.PageRows == 0 {
			keys = append(keys, make([]float32, width*kernel.PageRows))
			values = append(values, make([]float32, width*kernel.PageRows))
		}
		kernel.PutKey(keys[j/kernel.PageRows], k[j*dim:][:dim], j%kernel.PageRows)
		kernel.PutValue(values[j/kernel.PageRows], v[j*dim:][:dim], j%kernel.PageRows, width)
	}
	query := make([]float32, width)
	for i := range q {
		query[i] = q[i] / float32(math.Sqrt(float64(dim)))
	}
	out := make([]float32, width)
	kernel.Attend(out, query, keys, values, 0, rows, make([]float32, rows+kernel.PageRows))
	return out[:dim]
}
