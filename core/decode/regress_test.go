package decode

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/regress.txt")

// The texts, scores and dice of every kind with its usual settings are pinned:
// a change of any bit, on any platform, is to be seen and meant.
func TestRegress(t *testing.T) {
	const file = "testdata/regress.txt"
	m, v := toy(t)
	var b strings.Builder
	for _, k := range Kinds {
		set := settingsOf(t, k.Name, m, v.EOS)
		set.Seed = 1
		set.MaxNewTokens = 6
		s := opened(t, m, nil, set)
		finish(t, s)
		b.WriteString("# " + k.Name + "\n" + shape(s))
	}
	got := b.String()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Fatalf("line %d:\n%s\nwant\n%s", i+1, gotLines[i], wantLines[i])
		}
	}
	if len(gotLines) != len(wantLines) {
		t.Errorf("%d lines, want %d", len(gotLines), len(wantLines))
	}
}
