package main

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decodingplayground/weights/random"
)

func TestQuality(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "small")
	if err := (random.Shape{Layers: 2, Heads: 2, Embd: 64, Positions: 16, Vocab: 300}).Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	svg := filepath.Join(t.TempDir(), "plot.svg")
	var out strings.Builder
	if err := run([]string{"-svg", svg, dir}, &out); err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(out.String(), "| small |"); rows != len(bitsTried) {
		t.Errorf("%d rows: %s", rows, out.String())
	}
	eight, err := measure(dir, 8, 64)
	if err != nil {
		t.Fatal(err)
	}
	four, err := measure(dir, 4, 64)
	if err != nil {
		t.Fatal(err)
	}
	if !(eight.KL > 0 && eight.KL < four.KL && eight.Tokens == texts*16) {
		t.Errorf("8 bits %+v, 4 bits %+v", eight, four)
	}
	text, err := os.ReadFile(svg)
	if err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(string(text))); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("the plot is no XML: %v", err)
		}
	}
	if err := run([]string{t.TempDir()}, io.Discard); err == nil || !strings.Contains(err.Error(), "config.json") {
		t.Errorf("an empty folder: %v", err)
	}
}
