package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decodingplayground/weights/folder"
)

const model = "../default/storybook-4m"

// truth writes a folder of true logits: the default model's own, changed.
func truth(t *testing.T, change func([]float32)) string {
	t.Helper()
	_, m, err := folder.Open(model)
	if err != nil {
		t.Fatal(err)
	}
	r := row{Prompt: "The cat ran after a", IDs: []int{464, 3797, 4966, 706, 257}, File: "logits-0.f32"}
	values, err := next(m, r)
	if err != nil {
		t.Fatal(err)
	}
	change(values)
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = w.Write(data)
	_ = w.Close()
	dir := t.TempDir()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"case-0.json": text, r.File + ".gz": zipped.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCheck(t *testing.T) {
	var out strings.Builder
	if err := run([]string{model}, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"The cat ran after a"`) || strings.Contains(out.String(), "true:") {
		t.Errorf("printed %s", out.String())
	}

	out.Reset()
	if err := run([]string{"-true", truth(t, func([]float32) {}), model}, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "true: ") || !strings.Contains(out.String(), "logits: 0 nats, the same first choice in 1 of 1") {
		t.Errorf("printed %s", out.String())
	}

	other := truth(t, func(v []float32) {
		for i := range v {
			v[i] /= 3
		}
	})
	if err := run([]string{"-true", other, model}, &out); err == nil || !strings.Contains(err.Error(), "want at most 0.1") {
		t.Errorf("other logits: %v", err)
	}
}

func TestCheckErrors(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "0 arguments"},
		{[]string{t.TempDir()}, "manifest.json"},
		{[]string{"-true", t.TempDir(), model}, "no case-*.json"},
	} {
		if err := run(c.args, &strings.Builder{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.args, err, c.want)
		}
	}
}
