package main

import (
	"strings"
	"testing"
)

func TestCost(t *testing.T) {
	lines := parse(`
BenchmarkCost/context=16-2   	 10	  12000000 ns/op
BenchmarkCost/context=16-2   	 10	  11000000 ns/op
BenchmarkCost/context=900    	 10	  17500000 ns/op	 5 B/op
BenchmarkDecode/context=16   	 10	  1 ns/op
`)
	want := []point{{16, 11}, {900, 17.5}}
	if got := lines["context"]; len(got) != 2 || got[0] != want[0] || got[1] != want[1] || len(lines) != 1 {
		t.Errorf("%v, want context %v", lines, want)
	}
	if svg := draw(lines); strings.Count(svg, "<circle") != 2 || strings.Contains(svg, "NaN") {
		t.Errorf("%s", svg)
	}
}
