package main

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"decodingplayground/core/gpt2"
	"decodingplayground/core/lm"
	"decodingplayground/tokenizer"
)

// A folder that was packed for another layout of the kernel still loads, but
// the model then speaks nonsense: this test finds it.
func TestDefaultModelsSpeakEnglish(t *testing.T) {
	folders := glob(t, "../default/*/manifest.json")
	if len(folders) == 0 {
		t.Fatal("weights/default holds no model")
	}
	for _, name := range folders {
		dir := filepath.Dir(name)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			model := load(t, dir)
			ids := tokenizer.GPT2().Encode("The little girl said that she would go to the house of her mother, and then she went.")
			out, err := model.Forward(lm.Input{IDs: ids})
			if err != nil {
				t.Fatal(err)
			}
			var sum float64
			for i, logits := range model.Head(out[0].Hidden[:len(ids)-1]...) {
				sum += surprise(logits, ids[i+1])
			}
			// A model that knows nothing has ln 50257 = 10.8.
			if mean := sum / float64(len(ids)-1); !(mean < 6) {
				t.Errorf("%.2f nats a token on plain English: pack it again", mean)
			}
		})
	}
}

func load(t *testing.T, dir string) *gpt2.Model {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := gpt2.ParseManifest(text)
	if err != nil {
		t.Fatal(err)
	}
	loader, err := gpt2.NewLoader(m)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range m.Parts {
		coded, err := os.ReadFile(filepath.Join(dir, p.CodedFile))
		if err != nil {
			t.Fatal(err)
		}
		if len(coded) != p.CodedBytes || sha(string(coded)) != p.CodedSHA256 {
			t.Errorf("%s is not what the manifest says", p.CodedFile)
		}
		data, err := io.ReadAll(brotli.NewReader(strings.NewReader(string(coded))))
		if err != nil {
			t.Fatal(err)
		}
		if err := loader.SetPart(i, data); err != nil {
			t.Fatal(err)
		}
	}
	model, err := loader.Model()
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// surprise is -ln of the probability of id.
func surprise(logits []float32, id int) float64 {
	var sum float64
	for _, x := range logits {
		sum += math.Exp(float64(x) - float64(logits[id]))
	}
	return math.Log(sum)
}
