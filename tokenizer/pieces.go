package tokenizer

// pieces holds the bytes of all tokens, one after the other in the order of
// their ids: two slices instead of 50,257.
type pieces struct {
	bytes []byte
	ends  []int32 // ends[id] is where the piece of id ends in bytes
}

// grow makes room for n pieces of so many bytes on average.
func (p *pieces) grow(n, average int) {
	p.bytes = make([]byte, 0, n*average)
	p.ends = make([]int32, 0, n)
}

// add gives the next id to the bytes of parts together.
func (p *pieces) add(parts ...[]byte) {
	for _, part := range parts {
		p.bytes = append(p.bytes, part...)
	}
	p.ends = append(p.ends, int32(len(p.bytes)))
}

// at is the piece of id, not to be changed; none for an id that isn't there.
func (p *pieces) at(id int) []byte {
	switch {
	case id < 0 || id >= len(p.ends):
		return nil
	case id == 0:
		return p.bytes[:p.ends[0]]
	}
	return p.bytes[p.ends[id-1]:p.ends[id]]
}
