package logits

import "decodingplayground/core/spec"

// Kinds are all processors, in the order of the default pipeline, which is
// Hugging Face's. A new one is a file of its own and a line here.
var Kinds = []spec.Kind[Processor]{}
