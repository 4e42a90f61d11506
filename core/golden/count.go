package golden

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
)

// line is one line of a report; why is empty for rows that were checked.
type line struct{ file, kind, why string }

// The tally of each test that counts, reported when it ends.
var (
	tallyLock sync.Mutex
	tallies   = map[testing.TB]map[line]int{}
)

// Count notes that t checked n rows of file for kind. When t ends, a line for
// each file and kind is logged, so that `go test -v` shows them:
//
//	oracle: process.json top_k: 78 rows
func Count(t testing.TB, file, kind string, n int) {
	t.Helper()
	add(t, line{file, kind, ""}, n)
}

// LeftOut notes that t did not check n rows of file, and why:
//
//	oracle: forward.json logits: 24 rows left out: model big is not in the folder
func LeftOut(t testing.TB, file, kind string, n int, why string) {
	t.Helper()
	add(t, line{file, kind, why}, n)
}

// LeftOutModel is LeftOut for a row whose model is not in the folder.
func LeftOutModel(t testing.TB, file, kind, model string) {
	t.Helper()
	LeftOut(t, file, kind, 1, fmt.Sprintf("model %s is not in the folder", model))
}

func add(t testing.TB, l line, n int) {
	tallyLock.Lock()
	defer tallyLock.Unlock()
	if tallies[t] == nil {
		tallies[t] = map[line]int{}
		t.Cleanup(func() { report(t) })
	}
	tallies[t][l] += n
}

func report(t testing.TB) {
	tallyLock.Lock()
	defer tallyLock.Unlock()
	lines := slices.SortedFunc(maps.Keys(tallies[t]), func(a, b line) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.kind, b.kind), cmp.Compare(a.why, b.why))
	})
	for _, l := range lines {
		if l.why == "" {
			t.Logf("oracle: %s %s: %d rows", l.file, l.kind, tallies[t][l])
		} else {
			t.Logf("oracle: %s %s: %d rows left out: %s", l.file, l.kind, tallies[t][l], l.why)
		}
	}
	delete(tallies, t)
}
