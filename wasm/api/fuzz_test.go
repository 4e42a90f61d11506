package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

// FuzzCall sends any parameters to any method, beside a session on a toy: the
// answer is a result or an error that names what is wrong. "internal" would be
// a panic inside.
func FuzzCall(f *testing.F) {
	seeds := newClient(&testing.T{})
	info := call[ModelInfo](seeds, "modelToy", ModelToy{Toys: toys, Name: "capital"})
	settings := Settings{
		Strategy: "sampling", MaxNewTokens: 5,
		Stages: []Stage{{Kind: "top_k", On: true, Args: map[string]float64{"top_k": 3}}, {Kind: "top_p", On: true, Args: map[string]float64{"top_p": 0.9}}},
	}
	for i, m := range Methods {
		text, err := json.Marshal(reflect.Zero(m.Params).Interface())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), bytes.ReplaceAll(text, []byte("null"), []byte("[]")), []byte{})
		f.Add(uint8(i), []byte(`{"model":`+"1"+`,"session":1,"sessions":[1,1,2],"step":-1,"rows":7,"count":9,"ids":[0,4,2]}`), []byte("part"))
	}
	open, err := json.Marshal(Open{Model: info.Model, IDs: info.PromptIDs, Settings: settings})
	if err != nil {
		f.Fatal(err)
	}
	for i, m := range Methods {
		if m.Name == "open" || m.Name == "retune" {
			f.Add(uint8(i), bytes.Replace(open, []byte("{"), []byte(`{"session":1,`), 1), []byte{})
		}
	}
	f.Fuzz(func(t *testing.T, method uint8, params, bulk []byte) {
		c := newClient(t)
		st := c.openToy(settings)
		c.stepOnce(st.Session)
		m := Methods[int(method)%len(Methods)]
		decode := func(to any) error { return json.Unmarshal(params, to) }
		result, err := c.app.Call(m.Name, decode, BulkOf(bulk))
		if err != nil {
			var e Error
			if !errors.As(err, &e) || e.Code == "internal" || e.Message == "" {
				t.Fatalf("%s %s: %v", m.Name, params, err)
			}
			return
		}
		text, err := json.Marshal(result)
		if err != nil {
			t.Fatalf("%s %s: %v", m.Name, params, err)
		}
		if strings.Contains(string(text), ":null") {
			t.Errorf("%s %s: a null in %s", m.Name, params, text)
		}
		if v, ok := result.(View); ok {
			for _, p := range v.probs {
				if math.IsNaN(float64(p)) {
					t.Fatalf("%s %s: a probability is NaN", m.Name, params)
				}
			}
		}
	})
}
