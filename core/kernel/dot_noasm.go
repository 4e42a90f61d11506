package kernel

func dot(dst []float32, w *Weights, x *Activations) { dotGeneric(dst, w, x) }
