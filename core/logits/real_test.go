package logits

import (
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// realRow is a row of testdata/real: true logits at true scale.
type realRow struct {
	name   string
	ids    []int
	logits []float32
	top10  [][2]float64
}

func realRows(t testing.TB) []realRow {
	t.Helper()
	paths, err := filepath.Glob("testdata/real/case-*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no rows in testdata/real: %v", err)
	}
	var rows []realRow
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Prompt string       `json:"prompt"`
			IDs    []int        `json:"ids"`
			File   string       `json:"logits_file"`
			Top10  [][2]float64 `json:"top10"`
		}
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, realRow{doc.Prompt, doc.IDs, readFloats(t, filepath.Join("testdata/real", doc.File+".gz")), doc.Top10})
	}
	return rows
}

func readFloats(t testing.TB, path string) []float32 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, len(data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out
}

func TestRealTop10(t *testing.T) {
	for _, r := range realRows(t) {
		top := Top(nil, r.logits, len(r.top10))
		for i, want := range r.top10 {
			if top[i] != int(want[0]) || float64(r.logits[top[i]]) != want[1] || Rank(r.logits, top[i]) != i+1 {
				t.Errorf("%s: place %d is token %d, want %v", r.name, i+1, top[i], want)
			}
		}
	}
}

// The filters select; here they are checked against sorting, at true scale and
// on rows full of ties.
func TestSelectionIsSorting(t *testing.T) {
	rows := realRows(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, step := range []float64{0.5, 0.01} {
		row := make([]float32, 20000)
		for i := range row {
			row[i] = float32(math.Round(rng.NormFloat64()*3/step) * step)
			if i%7 == 0 {
				row[i] = gone
			}
		}
		rows = append(rows, realRow{name: fmt.Sprintf("ties of %v", step), logits: row})
	}
	for _, r := range rows {
		for _, temperature := range []float64{0.3, 1, 2} {
			row := Pipeline{one(t, "temperature", temperature)}.Run(Context{}, r.logits).Final()
			what := fmt.Sprintf("%s, T=%v", strings.TrimSpace(r.name), temperature)
			naive := sortRow(row)
			order := naive.order()
			if got := Order(nil, row); !slices.Equal(got, order) {
				t.Errorf("%s: wrong order", what)
			}
			for _, k := range []int{1, 2, 40, 1000, len(row) - 1} {
				checkSame(t, fmt.Sprintf("%s, top_k %d", what, k), one(t, "top_k", float64(k)), row, naive.topK(k))
				if got := Top(nil, row, k); !slices.Equal(got, order[:min(k, len(order))]) {
					t.Errorf("%s: wrong top %d", what, k)
				}
			}
			for _, p := range []float64{0, 1e-9, 0.1, 0.5, 0.9, 0.95, 0.999, 0.9999999} {
				want := naive.topP(p)
				checkSame(t, fmt.Sprintf("%s, top_p %v", what, p), one(t, "top_p", p), row, want)
				if n := NucleusSize(row, p); n != len(want) {
					t.Errorf("%s: nucleus of %d at %v, want %d", what, n, p, len(want))
				}
				if p > 0 {
					checkSame(t, fmt.Sprintf("%s, typical_p %v", what, p), one(t, "typical_p", p), row, naive.typical(p))
				}
			}
		}
	}
}

func checkSame(t *testing.T, what string, s Stage, row []float32, want []int) {
	t.Helper()
	if got := keptIDs(Pipeline{s}.Run(Context{}, row).Final()); !slices.Equal(got, want) {
		t.Errorf("%s: %d kept, want %d", what, len(got), len(want))
	}
}

// sorted is the naive way: everything in a stable ascending order, as torch
// has it.
type sorted struct {
	row      []float32
	ids      []int // by score
	probs    []float32
	distance []float32
	near     []int // by distance
}

func sortRow(row []float32) sorted {
	s := sorted{row: row, ids: ascending(row), probs: Softmax([]float32(nil), row), distance: make([]float32, len(row))}
	lse, h := LogSumExp(row), 0.0
	for id, q := range s.probs {
		if q > 0 {
			h += float64(float64(q) * (lse - float64(row[id])))
		}
	}
	for id, x := range row {
		s.distance[id] = float32(math.Abs(lse - float64(x) - h))
	}
	s.near = ascending(s.distance)
	return s
}

func ascending(values []float32) []int {
	ids := make([]int, len(values))
	for i := range ids {
		ids[i] = i
	}
	slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	return ids
}

func (s sorted) kept(ids []int) []int {
	out := slices.DeleteFunc(slices.Clone(ids), func(id int) bool { return removed(s.row[id]) })
	slices.Sort(out)
	return out
}

// order is likeliest first, ties by lower id.
func (s sorted) order() []int {
	out := s.kept(s.ids)
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(s.row[b], s.row[a]) })
	return out
}

func (s sorted) topK(k int) []int {
	floor := s.row[s.ids[len(s.ids)-k]]
	return s.kept(s.ids[slices.IndexFunc(s.ids, func(id int) bool { return s.row[id] >= floor }):])
}

func (s sorted) topP(p float64) []int {
	var sum float64
	fallen := 0
	for _, id := range s.ids[:len(s.ids)-1] {
		if sum += float64(s.probs[id]); float32(sum) > float32(1-p) {
			break
		}
		fallen++
	}
	return s.kept(s.ids[fallen:])
}

func (s sorted) typical(p float64) []int {
	var sum float64
	last := 0
	for ; last < len(s.near)-1; last++ {
		if sum += float64(s.probs[s.near[last]]); float32(sum) >= float32(p) {
			break
		}
	}
	far := s.distance[s.near[last]]
	return s.kept(slices.DeleteFunc(slices.Clone(s.near), func(id int) bool { return s.distance[id] > far }))
}
