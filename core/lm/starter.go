package lm

// Starter is implemented by a model that has a distribution before any token
// is read. Start is what reading nothing gives: an empty Past and one hidden
// state, and one row of Layers, that belong to no id. Only such a model takes
// an empty prompt.
type Starter interface {
	Start() Output
}
