package golden

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
)

// Score is a number of a file: null is -Inf, "nan" and "inf" are what they say.
type Score float32

// UnmarshalJSON implements json.Unmarshaler.
func (s *Score) UnmarshalJSON(data []byte) error {
	switch text := string(data); text {
	case "null":
		*s = Score(math.Inf(-1))
	case `"nan"`:
		*s = Score(math.NaN())
	case `"inf"`:
		*s = Score(math.Inf(1))
	default:
		var v float32
		if err := json.Unmarshal(data, &v); err != nil {
			return fmt.Errorf("score %s: %w", text, err)
		}
		*s = Score(v)
	}
	return nil
}

// Row is a row of scores.
type Row []Score

// Floats is a copy of the row as float32.
func (r Row) Floats() []float32 {
	out := make([]float32, len(r))
	for i, s := range r {
		out[i] = float32(s)
	}
	return out
}

// Args are the parameters of a case, under Hugging Face's names.
type Args map[string]json.RawMessage

// Has reports whether the case gives the parameter; null does not count.
func (a Args) Has(name string) bool {
	raw, ok := a[name]
	return ok && string(raw) != "null"
}

// Get decodes a parameter into v and leaves v alone where it is not given.
func (a Args) Get(t testing.TB, name string, v any) {
	t.Helper()
	if !a.Has(name) {
		return
	}
	if err := json.Unmarshal(a[name], v); err != nil {
		t.Fatalf("golden: parameter %s %s: %v", name, a[name], err)
	}
}

// Num is a number, or def where it is not given. true is 1.
func (a Args) Num(t testing.TB, name string, def float64) float64 {
	t.Helper()
	switch string(a[name]) {
	case "true":
		return 1
	case "false":
		return 0
	}
	a.Get(t, name, &def)
	return def
}

// Int is a whole number, or def where it is not given.
func (a Args) Int(t testing.TB, name string, def int) int {
	t.Helper()
	a.Get(t, name, &def)
	return def
}

// Ints is a list of ids, which a case may give as one number.
func (a Args) Ints(t testing.TB, name string) []int {
	t.Helper()
	if !a.Has(name) {
		return nil
	}
	var one int
	if json.Unmarshal(a[name], &one) == nil {
		return []int{one}
	}
	var list []int
	a.Get(t, name, &list)
	return list
}

// V5 is what transformers 5.x gives where it differs from the recorded 4.46.3:
// the entries of v5_differences.json of one file ("beam"), by case id. It is
// empty where the folder has no such file.
func V5(t testing.TB, file string) map[string]json.RawMessage {
	t.Helper()
	out := map[string]json.RawMessage{}
	if !HasFile(t, "v5_differences.json") {
		return out
	}
	var doc struct {
		Differences []json.RawMessage `json:"differences"`
	}
	Read(t, "v5_differences.json", &doc)
	for _, raw := range doc.Differences {
		var key struct{ File, ID string }
		if err := json.Unmarshal(raw, &key); err != nil {
			t.Fatalf("golden: v5_differences.json: %v", err)
		}
		if key.File == file {
			out[key.ID] = raw
		}
	}
	return out
}
