package golden_test

import (
	"encoding/json"
	"math"
	"testing"

	"decodingplayground/core/golden"
)

func TestFolderIsRead(t *testing.T) {
	if len(golden.Files(t)) == 0 {
		t.Fatal("no files")
	}
	for _, name := range golden.Files(t) {
		var v any
		golden.Read(t, name, &v)
		if !golden.HasFile(t, name) {
			t.Errorf("%s is listed but not there", name)
		}
	}
	for _, m := range golden.Models(t) {
		if !golden.Has(t, m) || !json.Valid(golden.Config(t, m)) || len(golden.Safetensors(t, m)) < 8 {
			t.Errorf("model %s is not whole", m)
		}
	}
	for _, name := range golden.Tables(t) {
		m := golden.Table(t, name)
		if !golden.Has(t, name) || len(m.A) != m.VocabSize || len(m.A[0]) != m.VocabSize || len(m.H[0]) != m.HiddenSize {
			t.Errorf("table %s has the wrong shape", name)
		}
	}
	if golden.Has(t, "no such model") || golden.HasFile(t, "no such.json") {
		t.Error("what is not there is said to be there")
	}
}

func TestScore(t *testing.T) {
	var got golden.Row
	if err := json.Unmarshal([]byte(`[1.5, null, "nan", "inf", -3e38]`), &got); err != nil {
		t.Fatal(err)
	}
	want := []float64{1.5, math.Inf(-1), math.NaN(), math.Inf(1), -3e38}
	golden.Close(t, "row", got.Floats(), want, golden.Processed)
	if json.Unmarshal([]byte(`["other"]`), &got) == nil {
		t.Error("a text that is no number was taken")
	}
}

func TestNear(t *testing.T) {
	inf, nan, tol := math.Inf(1), math.NaN(), golden.Tolerance{Abs: 0.1, Rel: 0.1}
	for _, c := range []struct {
		got, want float64
		near      bool
	}{
		{1, 1.15, true},
		{1, 1.3, false},
		{inf, inf, true},
		{-inf, inf, false},
		{1, inf, false},
		{inf, 1, false},
		{nan, nan, true},
		{nan, 1, false},
		{1, nan, false},
	} {
		if golden.Near(c.got, c.want, tol) != c.near {
			t.Errorf("Near(%v, %v) is not %v", c.got, c.want, c.near)
		}
	}
}

func TestArgs(t *testing.T) {
	var a golden.Args
	text := `{"a": 1.5, "b": true, "c": [1, 2], "d": 7, "e": null}`
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err)
	}
	if a.Num(t, "a", 0) != 1.5 || a.Num(t, "b", 0) != 1 || a.Num(t, "x", 3) != 3 || a.Has("e") {
		t.Error("wrong number")
	}
	if ids := a.Ints(t, "d"); len(ids) != 1 || ids[0] != 7 {
		t.Errorf("d is %v", ids)
	}
	if ids := a.Ints(t, "c"); len(ids) != 2 || a.Ints(t, "e") != nil {
		t.Errorf("c is %v", ids)
	}
}
