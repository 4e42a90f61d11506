package api

import (
	"runtime/debug"
	"testing"
)

func TestGarbagePercent(t *testing.T) {
	for live, want := range map[int]int{0: 100, 1 << 20: 100, 4 << 20: 100, 16 << 20: 25, 128 << 20: 3, 1 << 40: 1} {
		if got := garbagePercent(live); got != want {
			t.Errorf("%d bytes live: %d %%, want %d", live, got, want)
		}
	}
}

func TestClosingLetsGarbageGrowAgain(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	a := New()
	a.models[1] = &model{bytes: 40 << 20}
	a.limitGarbage()
	if got := debug.SetGCPercent(7); got != 10 {
		t.Errorf("with 40 MB of weights: %d %%, want 10", got)
	}
	if _, err := a.modelClose(ModelRef{Model: 1}); err != nil {
		t.Fatal(err)
	}
	if got := debug.SetGCPercent(7); got != 100 {
		t.Errorf("without a model: %d %%, want 100", got)
	}
}
