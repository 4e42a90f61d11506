package main

import (
	"math"
	"path/filepath"
	"testing"

	"decodingplayground/core/lm"
	"decodingplayground/tokenizer"
	"decodingplayground/weights/folder"
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
			_, model, err := folder.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
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

// surprise is -ln of the probability of id.
func surprise(logits []float32, id int) float64 {
	var sum float64
	for _, x := range logits {
		sum += math.Exp(float64(x) - float64(logits[id]))
	}
	return math.Log(sum)
}
