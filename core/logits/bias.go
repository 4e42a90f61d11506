package logits

import "decodingplayground/core/spec"

var sequenceBiasKind = spec.Kind[Processor]{
	Name: "sequence_bias", Label: "Sequence bias", Letter: "w", Group: "Ban",
	Doc:     "Adds a number to a word's last token where the ones before it have just come.",
	Formula: "x₋ₙ … x₋₁ t = w ⇒ sₜ ← sₜ + b",
	Source:  "transformers SequenceBiasLogitsProcessor",
	Params:  []spec.Param{tokens("sequence_bias", "Words", "The words, each with the number to add.")},
	New:     func(a spec.Args) (Processor, error) { return sequenceBias(a.Seq["sequence_bias"]), nil },
}

// sequenceBias adds the bias of every sequence that the text has come to but
// for its last token to the score of that token.
type sequenceBias []spec.Sequence

func (b sequenceBias) Process(c Context, scores []float32) {
	for _, seq := range b {
		if last, ok := completes(c.IDs, seq.IDs); ok {
			add(scores, last, float32(seq.Bias))
		}
	}
}

func (b sequenceBias) checkVocab(vocab int) error {
	return checkTokens("sequence_bias", flatten(b), vocab)
}

var logitBiasKind = spec.Kind[Processor]{
	Name: "logit_bias", Label: "Logit bias", Letter: "l", Group: "Ban",
	Doc:     "Adds a number to a token's score at every step.",
	Formula: "sₜ ← sₜ + bₜ",
	Source:  "llama.cpp logit-bias; OpenAI API logit_bias",
	Params:  []spec.Param{tokens("logit_bias", "Tokens", "The tokens, each with the number to add.")},
	New:     func(a spec.Args) (Processor, error) { return logitBias(a.Seq["logit_bias"]), nil },
}

// logitBias adds a bias to the score of every token of an entry.
type logitBias []spec.Sequence

func (b logitBias) Process(_ Context, scores []float32) {
	for _, entry := range b {
		for _, id := range entry.IDs {
			add(scores, id, float32(entry.Bias))
		}
	}
}

func (b logitBias) checkVocab(vocab int) error { return checkTokens("logit_bias", flatten(b), vocab) }

// add adds to a score that is in the vocabulary and not removed, without
// leaving the finite numbers.
func add(scores []float32, id int, bias float32) {
	if id >= 0 && id < len(scores) && !removed(scores[id]) {
		scores[id] = saturate(scores[id]+bias, scores[id])
	}
}
