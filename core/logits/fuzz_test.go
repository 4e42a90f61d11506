package logits

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"decodingplayground/core/rows"
	"decodingplayground/core/spec"
)

// source reads numbers from fuzz data; at its end all are 0.
type source []byte

func (s *source) byte() int {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return int(b)
}

func (s *source) float() float32 {
	var b [4]byte
	for i := range b {
		b[i] = byte(s.byte())
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(b[:]))
}

// args are settings anywhere in the accepted range, its ends and tiny numbers
// among them.
func (s *source) args(k spec.Kind[Processor], vocab int) spec.Args {
	a := spec.Args{Num: map[string]float64{}, Seq: map[string][]spec.Sequence{}}
	for _, p := range k.Params {
		if p.Type == spec.Sequences {
			list := []spec.Sequence{{IDs: []int{s.byte()}, Bias: float64(s.byte()) - 128}}
			if s.byte()%2 == 0 {
				list = append(list, spec.Sequence{IDs: []int{s.byte() % vocab, s.byte() % vocab}})
			}
			if p.Name == "forced_bos_token_id" || p.Name == "negative_prompt_ids" {
				list = list[:1]
			}
			a.Seq[p.Name] = list
			continue
		}
		v := p.Min + float64(s.byte())/255*(p.Max-p.Min)
		switch s.byte() % 5 {
		case 0:
			v = p.Low + float64(s.byte())/255*(p.High-p.Low)
		case 1:
			v = p.Min
		case 2:
			v = p.Min + 1e-40
		case 3:
			v = p.Default
		}
		if p.Type != spec.Number {
			v = math.Round(v)
		}
		if p.OpenMin && v <= p.Min || p.OpenMax && v >= p.Max {
			v = p.Default
		}
		a.Num[p.Name] = v
	}
	return a
}

// FuzzPipeline runs any kinds, with any accepted settings, on any row, NaN and
// infinities included: no panic, the rules of every stage hold, the same input
// gives the same bits, and no statistic is NaN.
func FuzzPipeline(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{8, 3, 16, 19, 20, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 128, 255, 0, 0, 192, 127})
	for i := range Kinds {
		f.Add([]byte{5, 1, byte(i), 100, 4, 200, 0, 3, 1, 2, 0, 0, 128, 63, 0, 0, 64, 64, 255, 255, 127, 255, 0, 0, 0, 0})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := source(data)
		vocab := 1 + s.byte()%40
		var p Pipeline
		for range s.byte() % 8 {
			k := Kinds[s.byte()%len(Kinds)]
			args := s.args(k, vocab)
			st, err := Make(k.Name, args)
			if err != nil {
				t.Fatalf("%s %v: %v", k.Name, args, err)
			}
			p = append(p, st)
		}
		c := Context{
			PromptLen: s.byte() % 4, MaxLength: s.byte() % 12, EOS: []int{s.byte() % vocab},
			MinTokensToKeep: s.byte() % 4, Coin: float64(s.byte()) / 256,
		}
		for range s.byte() % 20 {
			c.IDs = append(c.IDs, s.byte()%vocab)
		}
		raw, without := make([]float32, vocab), make([]float32, vocab)
		for i := range raw {
			raw[i] = s.float()
		}
		for i := range without {
			without[i] = s.float()
		}
		c.Without = func([]int) []float32 { return without }
		before := slices.Clone(raw)
		tr := p.Run(c, raw)
		if !sameBits(raw, before) || !sameBits(tr.Final(), p.Run(c, raw).Final()) {
			t.Fatal("the same input gave other bits")
		}
		for i, st := range p {
			if err := checkStage(st, tr.Scores[i], tr.Scores[i+1]); err != nil {
				t.Fatalf("%s on %v: %v", st.Name, tr.Scores[i], err)
			}
		}
		applied := slices.Clone(raw)
		p.Apply(c, applied)
		if !sameBits(applied, tr.Final()) {
			t.Fatal("Apply and Run differ")
		}
		checkNumbers(t, tr)
	})
}

// FuzzNeutral leaves every kind alone on any row: nothing changes, bit for bit.
func FuzzNeutral(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 128, 63, 0, 0, 192, 127, 0, 0, 128, 255, 0, 0, 128, 127, 0, 0, 0, 128, 1, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := source(data)
		row, without := make([]float32, 1+len(data)/8), make([]float32, 1+len(data)/8)
		for i := range row {
			row[i], without[i] = s.float(), s.float()
		}
		c := Context{
			IDs: []int{0, 0, 0}, PromptLen: 1, MaxLength: 4, EOS: []int{0}, MinTokensToKeep: 1,
			Without: func([]int) []float32 { return without },
		}
		for _, k := range Kinds {
			if got := (Pipeline{stage(t, k.Name, spec.Args{})}).Run(c, row).Final(); !sameBits(got, row) {
				t.Errorf("%s changes %v to %v when it is left alone", k.Name, row, got)
			}
		}
	})
}

// FuzzTopPGrows cuts any row at two p: the larger keeps all that the smaller does.
func FuzzTopPGrows(f *testing.F) {
	f.Add(0.3, 0.9, []byte{0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 128, 63, 0, 0, 128, 255})
	f.Add(0.0, 1.0, []byte{0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, p, q float64, data []byte) {
		if !(p >= 0 && p <= q && q <= 1) {
			return
		}
		s := source(data)
		row := make([]float32, 1+len(data)/4)
		for i := range row {
			row[i] = s.float()
		}
		smaller := keptIDs(Pipeline{one(t, "top_p", p)}.Run(Context{}, row).Final())
		larger := keptIDs(Pipeline{one(t, "top_p", q)}.Run(Context{}, row).Final())
		for _, id := range smaller {
			if !slices.Contains(larger, id) {
				t.Errorf("p=%v drops token %d of %v, which p=%v keeps", q, id, row, p)
			}
		}
	})
}

func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y })
}

func checkNumbers(t *testing.T, tr Trace) {
	t.Helper()
	numbers := []float64{tr.KeptMass(tr.Stats(nil)), tr.ModelKeptMass(tr.Stats(nil))}
	for i, st := range tr.Stats(nil) {
		numbers = append(numbers, st.CutMass, st.Entropy)
		if st.Count != rows.Kept(tr.Scores[i]) {
			t.Fatalf("%s: count %d, want %d", tr.Names[i], st.Count, rows.Kept(tr.Scores[i]))
		}
		n := NucleusOf(tr.Scores[i], 0.9)
		numbers = append(numbers, n.Mass, n.SlipMass)
		order := Order(nil, tr.Scores[i])
		if len(order) != st.Count || len(order) > 0 && !hasNaN(tr.Scores[i]) && order[0] != Best(tr.Scores[i]) {
			t.Fatalf("%s: order %v of %v", tr.Names[i], order, tr.Scores[i])
		}
		var sum float64
		for _, p := range Softmax([]float64(nil), tr.Scores[i]) {
			numbers = append(numbers, p)
			sum += p
		}
		if distribution(tr.Scores[i]) && math.Abs(sum-1) > 1e-9 {
			t.Fatalf("%s: probabilities add up to %v", tr.Names[i], sum)
		}
	}
	if i := slices.IndexFunc(numbers, func(v float64) bool { return math.IsNaN(v) || v < 0 }); i >= 0 {
		t.Fatalf("a statistic is %v", numbers[i])
	}
}
