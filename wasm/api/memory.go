package api

import "runtime/debug"

// garbage is how much of it may pile up beside the models: by default Go waits
// until the heap has doubled, and memory of WebAssembly never shrinks.
const garbage = 4 << 20

// limitGarbage is called when the models have changed.
func (a *App) limitGarbage() {
	live := 0
	for _, l := range a.loading {
		live += l.manifest.Bytes()
	}
	for _, m := range a.models {
		live += m.bytes
	}
	debug.SetGCPercent(garbagePercent(live))
}

// garbagePercent is garbage as a share of what is live, at most Go's default.
func garbagePercent(live int) int {
	if live <= garbage {
		return 100
	}
	return max(100*garbage/live, 1)
}
