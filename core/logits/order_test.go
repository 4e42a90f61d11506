package logits

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"decodingplayground/core/rows"
)

// Rows of few different scores, so with many ties, and with all that is odd.
func TestOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	odd := []float32{gone, float32(math.Inf(1)), float32(math.NaN()), 0, float32(math.Copysign(0, -1))}
	for range 200 {
		row := make([]float32, 1+r.IntN(2*few))
		for i := range row {
			row[i] = float32(r.IntN(9) - 4)
			if r.IntN(5) == 0 {
				row[i] = odd[r.IntN(len(odd))]
			}
		}
		var want []int
		for id, x := range row {
			if !removed(x) {
				want = append(want, id)
			}
		}
		slices.SortStableFunc(want, func(a, b int) int { return int(int64(rows.Key(row[b])) - int64(rows.Key(row[a]))) })
		if got := Order(nil, row); !slices.Equal(got, want) {
			t.Fatalf("Order: %v, want %v", got, want)
		}
		if got := slices.Collect(Descending(row)); !slices.Equal(got, want) {
			t.Fatalf("Descending: %v, want %v", got, want)
		}
		for _, n := range []int{-1, 0, 1, 2, 64, few, few + 1, 3 * few} {
			if got := Top(nil, row, n); !slices.Equal(got, want[:max(0, min(n, len(want)))]) {
				t.Fatalf("Top %d: %v, want the start of %v", n, got, want)
			}
		}
		for i, id := range want {
			if got := Rank(row, id); got != i+1 {
				t.Fatalf("token %d ranks %d, want %d", id, got, i+1)
			}
		}
	}
}

// The boundary is where the naive sum over sorted items first reaches a limit.
func TestBoundary(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		n := 1 + r.IntN(300)
		keys, weights := make([]uint32, n), make([]uint64, n)
		base, spread := r.Uint32(), r.IntN(33)
		var total uint64
		for i := range keys {
			keys[i] = base - uint32(r.Uint64N(1<<spread))
			weights[i] = r.Uint64N(5)
			total += weights[i]
		}
		limit := r.Uint64N(total + 2)
		reached := func(sum uint64) bool { return sum >= limit }

		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return int(int64(keys[a]) - int64(keys[b])) })
		var sum, below, wantBelow uint64
		var want uint32
		found := false
		for at, i := range order {
			if at == 0 || keys[i] != keys[order[at-1]] {
				below = sum
			}
			sum += weights[i]
			if !found && reached(sum) {
				want, wantBelow, found = keys[i], below, true
			}
		}
		key, sumBelow, ok := new(scratch).boundary(keys, weights, reached)
		if ok != found || ok && (key != want || sumBelow != wantBelow) {
			t.Fatalf("%d items, limit %d of %d: key %d, below %d, %v, want %d, %d, %v",
				n, limit, total, key, sumBelow, ok, want, wantBelow, found)
		}
	}
}
