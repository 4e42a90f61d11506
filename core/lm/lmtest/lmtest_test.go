package lmtest

import "testing"

func TestFake(t *testing.T) {
	Check(t, &Fake{})
	Check(t, &Fake{Vocab: 3, Context: 8})
}
