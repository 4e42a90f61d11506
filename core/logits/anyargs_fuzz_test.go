package logits

import (
	"encoding/binary"
	"math"
	"testing"

	"decodingplayground/core/spec"
)

func (s *source) wide() float64 {
	var b [8]byte
	for i := range b {
		b[i] = byte(s.byte())
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
}

// FuzzAnyArgs makes a stage of any numbers and sequences at all, NaN, infinite
// and far out of range among them: they are refused, or the stage keeps its
// rules.
func FuzzAnyArgs(f *testing.F) {
	for i := range Kinds {
		f.Add(uint8(i), []byte{})
		f.Add(uint8(i), []byte{0, 0, 0, 0, 0, 0, 248, 127, 0, 0, 0, 0, 0, 0, 240, 127, 1, 1, 255, 255})
		f.Add(uint8(i), []byte{0, 0, 0, 0, 0, 0, 224, 63, 0, 0, 0, 0, 0, 0, 224, 195, 2, 0, 0, 0, 0, 0, 0, 240, 63, 3})
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		s := source(data)
		k := Kinds[int(kind)%len(Kinds)]
		args := spec.Args{Num: map[string]float64{}, Seq: map[string][]spec.Sequence{}}
		for _, p := range k.Params {
			if p.Type != spec.Sequences {
				args.Num[p.Name] = s.wide()
				continue
			}
			for range s.byte() % 3 {
				seq := spec.Sequence{Bias: s.wide()}
				for range s.byte() % 4 {
					seq.IDs = append(seq.IDs, int(int16(s.byte()<<8|s.byte())))
				}
				args.Seq[p.Name] = append(args.Seq[p.Name], seq)
			}
		}
		st, err := Make(k.Name, args)
		if err != nil {
			return
		}
		raw, without := make([]float32, 9), make([]float32, 9)
		for i := range raw {
			raw[i], without[i] = s.float(), s.float()
		}
		c := Context{
			IDs: []int{8, 1, 8, 1, 8}, PromptLen: 2, MaxLength: 9, EOS: []int{0}, MinTokensToKeep: 1, Coin: 0.5,
			Without: func([]int) []float32 { return without },
		}
		tr := Pipeline{st}.Run(c, raw)
		if err := checkStage(st, tr.Scores[0], tr.Scores[1]); err != nil {
			t.Fatalf("%s %+v on %v: %v", k.Name, args, raw, err)
		}
	})
}
