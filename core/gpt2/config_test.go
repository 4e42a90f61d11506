package gpt2

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestParseConfig(t *testing.T) {
	c, err := ParseConfig([]byte(`{"n_embd": 24, "n_head": 3, "n_layer": 2, "n_ctx": 48, "vocab_size": 300,
		"n_inner": null, "activation_function": "gelu", "eos_token_id": [299, 298], "bos_token_id": null}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		VocabSize: 300, NPositions: 48, NEmbd: 24, NLayer: 2, NHead: 3, NInner: 96,
		Activation: "gelu", Epsilon: 1e-5, TieWordEmbeddings: true, ScaleAttnWeights: true,
		EOS: TokenIDs{299, 298},
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got %+v, want %+v", c, want)
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := ParseConfig(text); err != nil || !reflect.DeepEqual(again, want) {
		t.Errorf("after writing and reading: %+v, %v", again, err)
	}
}

func TestConfigDefaultsAreGPT2(t *testing.T) {
	c, err := ParseConfig([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	if c.Params() != 124439808 || c.NInner != 3072 {
		t.Errorf("%d parameters, n_inner %d", c.Params(), c.NInner)
	}
	if got := c.attnScale(3); got != 0.125 {
		t.Errorf("attention scale is %v, want 1/8", got)
	}
	c.ScaleAttnByLayer = true
	if got := c.attnScale(3); got != 0.125/4 {
		t.Errorf("attention scale of layer 3 is %v, want 1/32", got)
	}
	c.ScaleAttnByLayer, c.ScaleAttnWeights = false, false
	if got := c.attnScale(3); got != 1 {
		t.Errorf("attention scale is %v, want none", got)
	}
}

func TestConfigRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[]`, "config.json: want an object"},
		{`null`, "config.json: want an object"},
		{`"gpt2"`, "config.json: want an object"},
		{`{"layer_norm_epsilon": "NaN"}`, `config.json: layer_norm_epsilon: "NaN", want a number`},
		{`{"n_embd": 76.8}`, "config.json: n_embd: 76.8, want a whole number"},
		{`{"n_ctx": [1024]}`, "config.json: n_ctx: [1024], want a whole number"},
		{`{"n_head": "` + strings.Repeat("x", 99) + `"}`, "config.json: n_head: string, want a whole number"},
		{`{"tie_word_embeddings": 1}`, "config.json: tie_word_embeddings: 1, want true or false"},
		{`{"model_type": {}}`, "config.json: model_type: {}, want a string"},
		{`{"model_type": "llama"}`, `model_type: "llama"`},
		{`{"activation_function": "relu"}`, `activation_function: "relu", want`},
		{`{"n_head": 7}`, "n_head: 7, want a divisor of n_embd 768"},
		{`{"n_head": 0}`, "n_head: 0"},
		{`{"n_layer": 0}`, "n_layer: 0, want 1 to"},
		{`{"n_layer": 1000000000}`, "n_layer: 1000000000"},
		{`{"n_embd": -768}`, "n_embd: -768"},
		{`{"n_inner": 0}`, "n_inner: 0"},
		{`{"vocab_size": 1.5}`, "vocab_size"},
		{`{"n_layer": 1000, "n_embd": 12000, "n_head": 12}`, "parameters, want at most"},
		{`{"layer_norm_epsilon": 0}`, "layer_norm_epsilon: 0"},
		{`{"layer_norm_epsilon": -1}`, "layer_norm_epsilon: -1"},
		{`{"eos_token_id": 50257}`, "eos_token_id: 50257, want 0 to 50256"},
		{`{"eos_token_id": [5, -1]}`, "eos_token_id: -1"},
		{`{"eos_token_id": "x"}`, "token id"},
	} {
		if _, err := ParseConfig([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}
