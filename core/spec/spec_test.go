package spec

import (
	"math"
	"strings"
	"testing"
)

var params = []Param{
	{Name: "p", Type: Number, Default: 1, Min: 0, Max: 1},
	{Name: "open", Type: Number, Default: 0.5, Min: 0, Max: 1, OpenMin: true, OpenMax: true},
	{Name: "k", Type: Integer, Min: 0, Max: 1e6},
	{Name: "words", Type: Sequences},
}

func num(name string, v float64) Args { return Args{Num: map[string]float64{name: v}} }

func seq(name string, list ...Sequence) Args {
	return Args{Seq: map[string][]Sequence{name: list}}
}

func TestCheckFillsDefaults(t *testing.T) {
	full, err := Check(params, num("k", 7))
	if err != nil {
		t.Fatal(err)
	}
	if full.Get("p") != 1 || full.Get("open") != 0.5 || full.Int("k") != 7 {
		t.Errorf("got %v", full.Num)
	}
}

// Zero is a value like any other: it is not taken for a missing one.
func TestZeroIsNotMissing(t *testing.T) {
	full, err := Check(params, num("p", 0))
	if err != nil || full.Get("p") != 0 {
		t.Errorf("p is %v, %v; want 0", full.Get("p"), err)
	}
}

func TestCheckRefuses(t *testing.T) {
	for _, c := range []struct {
		args Args
		want string
	}{
		{num("p", 1.5), "p: 1.5, want 0 to 1"},
		{num("p", -0.1), "p: -0.1, want 0 to 1"},
		{num("p", math.NaN()), "p: NaN, want 0 to 1"},
		{num("p", math.Inf(1)), "p: +Inf, want 0 to 1"},
		{num("open", 0), "open: 0, want above 0, below 1"},
		{num("open", 1), "open: 1, want above 0, below 1"},
		{num("k", 2e6), "k: 2000000, want 0 to 1000000"},
		{num("k", 1.5), "k: 1.5, want a whole number"},
		{num("x", 1), "x: no such number here"},
		{num("words", 1), "words: no such number here"},
		{seq("k", Sequence{IDs: []int{1}}), "k: no such list here"},
		{seq("words", Sequence{}), "words: entry 1 is empty, want at least one token"},
		{seq("words", Sequence{IDs: []int{1, -2}}), "words: token -2, want 0 or more"},
		{seq("words", Sequence{IDs: []int{1}, Bias: math.Inf(1)}), "words: bias +Inf, want a finite number"},
	} {
		if _, err := Check(params, c.args); err == nil || err.Error() != c.want {
			t.Errorf("got error %v, want %s", err, c.want)
		}
	}
}

func TestFindAndMake(t *testing.T) {
	kinds := []Kind[int]{{Name: "k", Params: params[2:3], New: func(a Args) (int, error) { return a.Int("k"), nil }}}
	k, err := Find(kinds, "k")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := k.Make(num("k", 3)); got != 3 || err != nil {
		t.Errorf("Make gave %d, %v", got, err)
	}
	if _, err := Find(kinds, "nothing"); err == nil || !strings.Contains(err.Error(), `"nothing"`) {
		t.Errorf("error %v does not name the kind", err)
	}
}
