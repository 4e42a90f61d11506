// Package gpt2 is the engine: GPT-2 as Radford et al. 2019 wrote it down and
// Hugging Face's GPT2LMHeadModel computes it, on int8 or float32 weights.
//
// Names are those of GPT2Config and of the checkpoint: n_embd, wte, c_attn.
package gpt2

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Config is the part of GPT2Config that decides what is computed. Its JSON is
// Hugging Face's config.json.
type Config struct {
	VocabSize  int     `json:"vocab_size"`
	NPositions int     `json:"n_positions"` // tokens that fit
	NEmbd      int     `json:"n_embd"`
	NLayer     int     `json:"n_layer"`
	NHead      int     `json:"n_head"`
	NInner     int     `json:"n_inner"`             // width of the MLP; 4*n_embd where the file has null
	Activation string  `json:"activation_function"` // gelu (erf) or gelu_new (tanh)
	Epsilon    float64 `json:"layer_norm_epsilon"`

	TieWordEmbeddings bool `json:"tie_word_embeddings"` // the head is wte
	ScaleAttnWeights  bool `json:"scale_attn_weights"`  // scores over the root of the head's width
	ScaleAttnByLayer  bool `json:"scale_attn_by_inverse_layer_idx"`

	BOS TokenIDs `json:"bos_token_id"`
	EOS TokenIDs `json:"eos_token_id"`
}

// TokenIDs are no, one or several ids; JSON null, a number or a list.
type TokenIDs []int

// ParseConfig reads a config.json. What is missing has GPT2Config's default;
// what the engine cannot compute, or no machine could hold, is refused.
func ParseConfig(data []byte) (Config, error) {
	var c Config
	if err := json.Unmarshal(data, &c); err != nil {
		return Config{}, fmt.Errorf("config.json: %w", err)
	}
	return c, nil
}

// UnmarshalJSON is ParseConfig for a config inside another document.
func (c *Config) UnmarshalJSON(data []byte) error {
	type plain Config // without this method
	file := struct {
		plain
		ModelType string `json:"model_type"`
		NCtx      *int   `json:"n_ctx"`
		Positions *int   `json:"n_positions"`
		Inner     *int   `json:"n_inner"`
	}{
		VocabSize: 50257, NPositions: 1024, NEmbd: 768, NLayer: 12, NHead: 12,
		Activation: "gelu_new", Epsilon: 1e-5,
		TieWordEmbeddings: true, ScaleAttnWeights: true, ModelType: "gpt2",
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil || fields == nil {
		return errors.New("want an object")
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return wrongKind(err, fields)
	}
	if file.ModelType != "gpt2" {
		return fmt.Errorf("model_type: %q, want \"gpt2\"", file.ModelType)
	}
	got := Config(file.plain)
	switch {
	case file.Positions != nil:
		got.NPositions = *file.Positions
	case file.NCtx != nil: // the name in OpenAI's first files
		got.NPositions = *file.NCtx
	}
	got.NInner = 4 * got.NEmbd
	if file.Inner != nil {
		got.NInner = *file.Inner
	}
	if err := got.check(); err != nil {
		return err
	}
	*c = got
	return nil
}

// wrongKind says in the terms of the file which field is of a wrong kind.
func wrongKind(err error, fields map[string]json.RawMessage) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err
	}
	name := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:] // after the embedded struct's
	got := string(fields[name])
	if got == "" || len(got) > 40 {
		got = wrong.Value // the kind
	}
	want := "a string"
	switch wrong.Type.Kind() {
	case reflect.Int:
		want = "a whole number"
	case reflect.Float64:
		want = "a number"
	case reflect.Bool:
		want = "true or false"
	}
	return fmt.Errorf("%s: %s, want %s", name, got, want)
}

// maxParams bounds a model to what 32-bit memory can address.
const maxParams = 3 << 30

func (c Config) check() error {
	for _, v := range []struct {
		name     string
		got, max int
	}{
		{"vocab_size", c.VocabSize, 1 << 20},
		{"n_positions", c.NPositions, 1 << 17},
		{"n_embd", c.NEmbd, 1 << 15},
		{"n_layer", c.NLayer, 1 << 10},
		{"n_head", c.NHead, 1 << 10},
		{"n_inner", c.NInner, 1 << 17},
	} {
		if v.got < 1 || v.got > v.max {
			return fmt.Errorf("%s: %d, want 1 to %d", v.name, v.got, v.max)
		}
	}
	if c.NEmbd%c.NHead != 0 {
		return fmt.Errorf("n_head: %d, want a divisor of n_embd %d", c.NHead, c.NEmbd)
	}
	if n := c.Params(); n > maxParams {
		return fmt.Errorf("%d parameters, want at most %d", n, int64(maxParams))
	}
	if c.Activation != "gelu" && c.Activation != "gelu_new" {
		return fmt.Errorf("activation_function: %q, want \"gelu\" or \"gelu_new\"", c.Activation)
	}
	if !(c.Epsilon > 0 && c.Epsilon <= 1) {
		return fmt.Errorf("layer_norm_epsilon: %v, want above 0, up to 1", c.Epsilon)
	}
	for name, ids := range map[string]TokenIDs{"bos_token_id": c.BOS, "eos_token_id": c.EOS} {
		for _, id := range ids {
			if id < 0 || id >= c.VocabSize {
				return fmt.Errorf("%s: %d, want 0 to %d", name, id, c.VocabSize-1)
			}
		}
	}
	return nil
}

// Params is the number of weights, those of a tied head counted once.
func (c Config) Params() int64 {
	var n int64
	for _, t := range c.tensors() {
		n += int64(t.rows) * int64(t.cols)
	}
	return n
}

// attnScale is what a layer's attention scores are multiplied by.
func (c Config) attnScale(layer int) float32 {
	scale := 1.0
	if c.ScaleAttnWeights {
		scale /= math.Sqrt(float64(c.NEmbd / c.NHead))
	}
	if c.ScaleAttnByLayer {
		scale /= float64(layer + 1)
	}
	return float32(scale)
}

// UnmarshalJSON reads null, a number or a list.
func (t *TokenIDs) UnmarshalJSON(data []byte) error {
	var list []int
	if err := json.Unmarshal(data, &list); err != nil {
		list = []int{0}
		if err := json.Unmarshal(data, &list[0]); err != nil {
			return fmt.Errorf("token id: %s, want null, a number or a list", data)
		}
	}
	*t = list
	return nil
}

// MarshalJSON writes what UnmarshalJSON reads, one id as a number.
func (t TokenIDs) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]int(t))
}
