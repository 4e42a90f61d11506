package decode

import "decodingplayground/core/logits"

// Decision is how the token after one text is chosen: the pipeline's trace and
// what was picked. Trace.Scores[0] is what the strategy starts from: the
// model's logits, in beam search their log-softmax.
type Decision struct {
	From  *Hypothesis
	At    int // place of the chosen token among the generated ones, from 0
	Trace logits.Trace

	// Stages says for each row of the trace which stage of Settings.Pipeline
	// made it; -1 for the model's own row and for what the strategy adds.
	Stages []int

	// Picks are the tokens taken, best first: one, or in a beam search those
	// that stay in it (none, when this text has no continuation there).
	Picks []Taken
}
