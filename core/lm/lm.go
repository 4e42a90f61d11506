// Package lm is the one contract between an engine and the decoders: what a
// language model can be asked.
package lm

// Past is what a model has already read. It is immutable, and any number of
// continuations share it. A nil Past is the empty text.
type Past interface {
	Len() int // tokens read
}

// Cutter is implemented by a Past of which a start can be had.
type Cutter interface {
	// Cut is the past of the first n tokens, 1 to Len.
	Cut(n int) Past
}

// Input is one sequence to read on: IDs come after Past. Layers asks for the
// hidden states between the blocks too (DoLa needs them).
type Input struct {
	Past   Past
	IDs    []int
	Layers bool
}

// Output is what was read: the new past, and for each id of the input the
// hidden state after the final layer norm, n_embd numbers. Layers, when asked
// for, holds for each id the embedding and the output of every block but the
// last, before any layer norm: n_layer rows of n_embd. The caller may keep the
// slices and must not write to them.
type Output struct {
	Past   Past
	Hidden [][]float32
	Layers [][][]float32
}

// Info is what a decoder must know of a model.
type Info struct {
	Vocab   int // tokens, so the length of a row of logits
	Context int // tokens that fit, n_positions

	// Untied says that Head has weights of its own, not those of the embedding.
	Untied bool
}

// Model is a causal language model. The same input gives the same bits, alone
// or in a batch, in one call or token by token.
type Model interface {
	Info() Info

	// Forward reads a batch in one pass over the weights. An id outside the
	// vocabulary, an empty IDs or a text longer than the context is an error
	// before any work is done.
	Forward(batch ...Input) ([]Output, error)

	// Head returns the logits of the token that follows each hidden state,
	// Info().Vocab numbers each, in a new slice that the caller owns.
	Head(hidden ...[]float32) [][]float32
}
