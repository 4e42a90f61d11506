package main

import (
	"fmt"
	"os"
	"strings"

	"decodingplayground/core/gpt2"
	"decodingplayground/core/lm"
	"decodingplayground/tokenizer"
	"decodingplayground/weights/folder"
)

// measure compares the packed model in dir with the checkpoint on texts, which
// stand in a file with blank lines between them: KL divergence and agreement of
// the likeliest token, at every place of every text. Both models are in memory.
func measure(e *gpt2.Error, c *checkpoint, dir, textsFile string) error {
	texts, err := readTexts(textsFile, c.config)
	if err != nil {
		return err
	}
	exact, err := gpt2.Load(c.config, c.source, gpt2.Quantisation{Bits: 32})
	if err != nil {
		return err
	}
	_, packed, err := folder.Open(dir)
	if err != nil {
		return err
	}
	var kl float64
	var same, n int
	for _, ids := range texts {
		want, err := logits(exact, ids)
		if err != nil {
			return err
		}
		got, err := logits(packed, ids)
		if err != nil {
			return err
		}
		for i := range want {
			d, top := gpt2.Divergence(want[i], got[i])
			kl += d
			n++
			if top {
				same++
			}
		}
	}
	e.KL, e.Top1, e.Tokens = kl/float64(n), float64(same)/float64(n), n
	return nil
}

func logits(m *gpt2.Model, ids []int) ([][]float32, error) {
	out, err := m.Forward(lm.Input{IDs: ids})
	if err != nil {
		return nil, err
	}
	return m.Head(out[0].Hidden...), nil
}

// readTexts are the texts' ids, each cut where the context ends.
func readTexts(name string, config gpt2.Config) ([][]int, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	t := tokenizer.GPT2()
	if config.VocabSize < t.Vocab() {
		return nil, fmt.Errorf("texts: vocab_size %d, want the %d tokens of GPT-2", config.VocabSize, t.Vocab())
	}
	var texts [][]int
	for text := range strings.SplitSeq(string(data), "\n\n") {
		ids := t.Encode(strings.TrimSpace(text))
		if len(ids) > 0 {
			texts = append(texts, ids[:min(len(ids), config.NPositions)])
		}
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s: no text", name)
	}
	return texts, nil
}
