package table

import (
	"math"
	"slices"
	"strings"
	"testing"

	"decodingplayground/core/lm"
	"decodingplayground/core/lm/lmtest"
)

func pairs() Pairs {
	return Pairs{
		A: [][]float32{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}},
		B: [][]float32{{10, 20, 30}, {40, 50, 60}, {70, 80, 90}},
		H: [][]float32{{1, 0}, {2, 0}, {3, 0}},
		G: [][]float32{{0, 1}, {0, 2}, {0, 3}},
	}
}

func toy() Toy {
	return Toy{
		Prompt: "It is", Vocab: []string{".", "a", "b"}, Context: []int{1},
		Start: []float32{0, 1, 2}, Rows: map[string][]float32{"a": {3, 4, 5}, "b": {6, 7, 8}},
		Hidden: [][]float32{{1, 0}, {0, 1}, {1, 1}}, HiddenContext: []float32{0, -1},
	}
}

func read(t *testing.T, m lm.Model, past lm.Past, ids ...int) (lm.Past, [][]float32) {
	t.Helper()
	out, err := m.Forward(lm.Input{Past: past, IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	return out[0].Past, m.Head(out[0].Hidden...)
}

func check(t *testing.T, got [][]float32, want ...[]float32) {
	t.Helper()
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("logits %v, want %v", got, want)
	}
}

func TestPairs(t *testing.T) {
	m, err := NewPairs(pairs())
	if err != nil {
		t.Fatal(err)
	}
	past, got := read(t, m, nil, 2, 0)
	check(t, got, []float32{7, 8, 9}, []float32{1 + 70, 2 + 80, 3 + 90})
	if past.Len() != 2 {
		t.Errorf("%d tokens read, want 2", past.Len())
	}
	_, a := read(t, m, past, 1)
	_, b := read(t, m, past, 1)
	check(t, a, []float32{4 + 10, 5 + 20, 6 + 30})
	check(t, b, a[0])

	out, err := m.Forward(lm.Input{Past: past, IDs: []int{1}, Layers: true})
	if err != nil {
		t.Fatal(err)
	}
	if h := out[0].Hidden[0]; !slices.Equal(h, []float32{2, 1}) {
		t.Errorf("hidden %v, want H[1] + G[0]", h)
	}
	check(t, m.Head(out[0].Layers[0]...), []float32{4, 5, 6}) // the embedding is the token alone
	m.Head(out[0].Hidden[0])[0][0] = 99
	check(t, m.Head(out[0].Hidden[0]), a[0]) // the caller owns what Head gives
}

func TestTablesKeepTheContract(t *testing.T) {
	m, err := NewPairs(pairs())
	if err != nil {
		t.Fatal(err)
	}
	lmtest.Check(t, m)
	small, err := NewToy(toy())
	if err != nil {
		t.Fatal(err)
	}
	lmtest.Check(t, small)
}

func TestStepIsOneStep(t *testing.T) {
	m, err := NewStep([]float32{1, 2, 3}, 2)
	if err != nil {
		t.Fatal(err)
	}
	past, got := read(t, m, nil, 2, 0)
	check(t, got, []float32{0, 0, 0}, []float32{1, 2, 3})
	_, one := read(t, m, nil, 1)
	check(t, one, []float32{0, 0, 0})
	if _, err := m.Forward(lm.Input{Past: past, IDs: []int{0}}); err == nil {
		t.Error("a token was read after the only step")
	}
	if got := m.Info().Context; got != 2 {
		t.Errorf("context: %d, want 2", got)
	}
	inf := float32(math.Inf(-1))
	for _, bad := range []struct {
		logits []float32
		read   int
	}{{nil, 1}, {[]float32{1}, 0}, {[]float32{1, inf}, 1}, {[]float32{1, float32(math.NaN())}, 1}} {
		if _, err := NewStep(bad.logits, bad.read); err == nil {
			t.Errorf("%v after %d tokens was taken", bad.logits, bad.read)
		}
	}
}

func TestForwardRefuses(t *testing.T) {
	m, err := NewPairs(pairs())
	if err != nil {
		t.Fatal(err)
	}
	full, _ := read(t, m, nil, make([]int, Context)...)
	for _, in := range []lm.Input{{}, {IDs: []int{3}}, {IDs: []int{-1}}, {Past: full, IDs: []int{0}}} {
		if _, err := m.Forward(lm.Input{IDs: []int{0}}, in); err == nil {
			t.Errorf("%d ids after %v were read", len(in.IDs), in.Past)
		}
	}
}

func TestNewPairsRefuses(t *testing.T) {
	for want, change := range map[string]func(*Pairs){
		"table: empty":                 func(p *Pairs) { p.A = nil },
		"table: B: 2 rows, want 3":     func(p *Pairs) { p.B = p.B[:2] },
		"table: G: row 1 has 1":        func(p *Pairs) { p.G[1] = p.G[1][:1] },
		"hidden: token 0 at the start": func(p *Pairs) { p.H[1] = p.H[0] },
	} {
		p := pairs()
		change(&p)
		if _, err := NewPairs(p); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := ParsePairs([]byte("{")); err == nil {
		t.Error("half a file was read")
	}
}

func TestToy(t *testing.T) {
	m, err := NewToy(toy())
	if err != nil {
		t.Fatal(err)
	}
	start := m.(lm.Starter).Start()
	check(t, m.Head(start.Hidden...), []float32{0, 1, 2})
	past, got := read(t, m, start.Past, 1)
	check(t, got, []float32{0, 1, 2}) // the context is the prompt: the start follows
	past, got = read(t, m, past, 2, 1)
	check(t, got, []float32{6, 7, 8}, []float32{3, 4, 5})
	_, got = read(t, m, past, 0)
	check(t, got, []float32{0, 1, 2}) // no row after the full stop

	changed, err := toy().With("b", []float32{9, 9, 9})
	if err != nil {
		t.Fatal(err)
	}
	if m, err = NewToy(changed); err != nil {
		t.Fatal(err)
	}
	_, got = read(t, m, nil, 1, 2)
	check(t, got, []float32{0, 1, 2}, []float32{9, 9, 9})
	if row := toy().Rows["b"]; row[0] != 6 {
		t.Error("the toy itself was changed")
	}
	if got := string(toy().Piece(1)) + string(toy().Piece(0)) + string(toy().Piece(9)); got != " a." {
		t.Errorf("pieces make %q, want \" a.\"", got)
	}
}

func TestToyRefuses(t *testing.T) {
	for want, change := range map[string]func(*Toy){
		"vocab or hidden_context: empty":     func(v *Toy) { v.Vocab = nil },
		`rows: "c" is not in the vocabulary`: func(v *Toy) { v.Rows["c"] = v.Start },
		"table: start and rows: row 0 has 2": func(v *Toy) { v.Start = v.Start[:2] },
		"logit: NaN":                         func(v *Toy) { v.Start[0] = float32(math.NaN()) },
		"table: hidden: 2 rows, want 3":      func(v *Toy) { v.Hidden = v.Hidden[:2] },
		"id: 3, want 0 to 2":                 func(v *Toy) { v.Context = []int{3} },
		`hidden: "." and the prompt share`:   func(v *Toy) { v.Hidden[0] = v.HiddenContext },
	} {
		v := toy()
		change(&v)
		if _, err := NewToy(v); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := toy().With("", []float32{1}); err == nil {
		t.Error("a short row was taken")
	}
}

func TestParseToys(t *testing.T) {
	toys, err := ParseToys([]byte(`{"vocab": [".", "a"], "eos": 0, "hidden": [[1], [2]], "hidden_context": [3],
		"toys": {"one": {"prompt": "p", "context": [1], "start": [1, 2], "rows": {"a": [3, 4]}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	one := toys["one"]
	if one.Prompt != "p" || one.EOS != 0 || !slices.Equal(one.Rows["a"], []float32{3, 4}) || !slices.Equal(one.Context, []int{1}) {
		t.Errorf("read %+v", one)
	}
	for _, bad := range []string{"", "[]", `{"toys": {"one": {}}}`} {
		if _, err := ParseToys([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
