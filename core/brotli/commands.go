package brotli

// Commands have a length of literals to insert and one to copy, each from here
// on, with so many bits more. A command's symbol is split in cells of 64.
var (
	insertFrom = [24]int{0, 1, 2, 3, 4, 5, 6, 8, 10, 14, 18, 26, 34, 50, 66, 98, 130, 194, 322, 578, 1090, 2114, 6210, 22594}
	insertBits = [24]int{0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24}
	copyFrom   = [24]int{2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 18, 22, 30, 38, 54, 70, 102, 134, 198, 326, 582, 1094, 2118}
	copyBits   = [24]int{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24}
	insertCell = [11]int{0, 0, 0, 0, 8, 8, 0, 16, 8, 16, 16}
	copyCell   = [11]int{0, 8, 0, 8, 0, 8, 16, 0, 16, 8, 16}
)

// commands decodes the size bytes of a meta-block, for which out has room.
func (d *decoder) commands(size int) error {
	m := &d.mb
	end := len(d.out) + size
	for len(d.out) < end {
		s := &m.blocks[1]
		if s.left == 0 {
			s.next(&d.bitReader)
		}
		s.left--
		symbol := d.symbol(m.commands[s.current])
		insert, length := insertCell[symbol>>6]+symbol>>3&7, copyCell[symbol>>6]+symbol&7
		literals := insertFrom[insert] + d.bits(insertBits[insert])
		length = copyFrom[length] + d.bits(copyBits[length])
		if d.overrun() {
			return errTruncated
		}
		if literals > end-len(d.out) {
			return corrupt("literals past the end of a meta-block")
		}
		start := len(d.out)
		d.literals(literals)
		if len(d.out) == end {
			break // what was to be copied does not count
		}
		distance, err := d.distance(symbol < 128, length)
		if err != nil {
			return err
		}
		if err := d.copy(distance, length, end); err != nil {
			return err
		}
		if len(d.out) == start {
			return corrupt("a command that does nothing") // and may take no bits: it would never end
		}
	}
	return nil
}

// literals decodes n of them.
func (d *decoder) literals(n int) {
	s := &d.mb.blocks[0]
	for n > 0 {
		if s.left == 0 {
			s.next(&d.bitReader)
		}
		run := min(n, s.left)
		n -= run
		s.left -= run
		index := d.mb.literals.index[64*s.current:][:64]
		if c, ok := same(index); ok {
			d.plainLiterals(d.mb.literals.codes[c], run)
		} else {
			d.contextLiterals(d.mb.literals.codes, index, d.mb.modes[s.current], run)
		}
	}
}

// same is the code of all contexts, if they have one.
func same(index []uint8) (first uint8, ok bool) {
	for _, c := range index {
		if c != index[0] {
			return 0, false
		}
	}
	return index[0], true
}

// plainLiterals decodes n literals of one code: most of what weights are. It
// is symbol in a loop, with the reader's state in variables; a fill does for
// three.
func (d *decoder) plainLiterals(c code, n int) {
	out := d.out[len(d.out):][:n]
	d.out = d.out[:len(d.out)+n]
	root := (*[rootMask + 1]uint32)(c)
	for len(out) >= 3 {
		d.fill()
		acc, left := d.acc, d.n
		for i := range 3 {
			e := root[acc&rootMask]
			if e&link != 0 {
				e = c[uint64(e>>8)+acc>>rootBits&(1<<(e&15)-1)]
			}
			acc >>= e & 15
			left -= uint(e & 15)
			out[i] = byte(e >> 8)
		}
		d.acc, d.n = acc, left
		out = out[3:]
	}
	for i := range out {
		out[i] = byte(d.symbol(c))
	}
}

// contextLiterals decodes n literals whose code depends on the two before each.
func (d *decoder) contextLiterals(list []code, index []uint8, mode uint8, n int) {
	var last, before byte
	if at := len(d.out); at > 1 {
		last, before = d.out[at-1], d.out[at-2]
	} else if at == 1 {
		last = d.out[0]
	}
	one, two := &lastContext[mode], &beforeContext[mode]
	for range n {
		v := byte(d.symbol(list[index[one[last]|two[before]]]))
		d.out = append(d.out, v)
		last, before = v, last
	}
}

// distance reads how far back a copy begins; 0 stands for the last distance.
func (d *decoder) distance(implicit bool, length int) (distance int, err error) {
	if implicit {
		return d.distances[0], nil
	}
	m := &d.mb
	s := &m.blocks[2]
	if s.left == 0 {
		s.next(&d.bitReader)
	}
	s.left--
	context := min(length, 5) - 2
	symbol := d.symbol(m.distances.codes[m.distances.index[4*s.current+context]])
	switch {
	case symbol == 0:
		return d.distances[0], nil
	case symbol < 16:
		distance = d.recent(symbol)
		if distance <= 0 {
			return 0, corrupt("a distance below 1")
		}
	case symbol < 16+m.direct:
		distance = symbol - 15
	default:
		symbol -= 16 + m.direct
		bits := 1 + symbol>>(m.postfix+1)
		offset := (2+symbol>>m.postfix&1)<<bits - 4
		distance = (offset+d.longBits(bits))<<m.postfix + symbol&(1<<m.postfix-1) + m.direct + 1
	}
	if distance <= min(d.window, len(d.out)) {
		d.distances = [4]int{distance, d.distances[0], d.distances[1], d.distances[2]}
	}
	return distance, nil
}

// longBits reads a number of up to 48 bits.
func (d *decoder) longBits(n int) int {
	low := d.bits(min(n, 24))
	return low + d.bits(max(n-24, 0))<<24
}

// recent is a distance near one of the last: symbols 1 to 15.
func (d *decoder) recent(symbol int) int {
	if symbol < 4 {
		return d.distances[symbol]
	}
	near := [6]int{-1, 1, -2, 2, -3, 3}
	if symbol < 10 {
		return d.distances[0] + near[symbol-4]
	}
	return d.distances[1] + near[symbol-10]
}

// copy appends length bytes from distance back, or a word of the dictionary.
func (d *decoder) copy(distance, length, end int) error {
	farthest := min(d.window, len(d.out))
	if distance > farthest {
		word, err := dictionaryWord(distance-farthest-1, length)
		if err != nil {
			return err
		}
		if len(word) > end-len(d.out) {
			return corrupt("a word past the end of a meta-block")
		}
		d.out = append(d.out, word...)
		return nil
	}
	if length > end-len(d.out) {
		return corrupt("a copy past the end of a meta-block")
	}
	from := len(d.out) - distance
	for length > 0 { // what is copied may be copied again
		n := min(length, len(d.out)-from)
		d.out = append(d.out, d.out[from:][:n]...)
		length -= n
	}
	return nil
}
