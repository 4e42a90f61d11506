package brotli

import "math/bits"

// code is a prefix code as a table. The next rootBits bits pick an entry: a
// symbol << 8 with the number of bits that it takes, or, with the bit link set,
// where a second table lies << 8, and how many bits more pick the symbol there.
type code []uint32

const (
	maxBits  = 15
	rootBits = 9
	rootMask = 1<<rootBits - 1
	link     = 16
)

// newCode makes the table of a complete code by its lengths, 0 for a symbol
// that does not occur. Symbols of one length are in order.
func newCode(lengths []uint8) code {
	var count, next [maxBits + 2]int
	for _, l := range lengths {
		count[l]++
	}
	count[0] = 0
	for l := 1; l <= maxBits; l++ {
		next[l+1] = (next[l] + count[l]) << 1
	}
	table := make(code, 1<<rootBits, 1<<rootBits+len(lengths))
	// Longest first within a second table, so that the first one met sizes it.
	for l := maxBits; l > 0; l-- {
		for symbol, length := range lengths {
			if int(length) != l {
				continue
			}
			reversed := int(bits.Reverse16(uint16(next[l])) >> (16 - l))
			next[l]++
			table = table.put(reversed, l, uint32(symbol)<<8)
		}
	}
	return table
}

// put enters a symbol, whose code's first bit is the lowest.
func (c code) put(bits, length int, symbol uint32) code {
	if length <= rootBits {
		for i := bits; i <= rootMask; i += 1 << length {
			c[i] = symbol | uint32(length)
		}
		return c
	}
	root := &c[bits&rootMask]
	more := length - rootBits
	if *root == 0 {
		*root = uint32(len(c))<<8 | link | uint32(more)
		c = append(c, make(code, 1<<more)...)
		root = &c[bits&rootMask]
	}
	second := c[*root>>8:][:1<<(*root&15)]
	for i := bits >> rootBits; i < len(second); i += 1 << more {
		second[i] = symbol | uint32(length)
	}
	return c
}

// oneSymbol is the code of a symbol that takes no bits.
func oneSymbol(symbol int) code {
	table := make(code, 1<<rootBits)
	for i := range table {
		table[i] = uint32(symbol) << 8
	}
	return table
}

// readCode reads a prefix code of an alphabet.
func (b *bitReader) readCode(size int) (code, error) {
	skip := b.bits(2)
	if skip == 1 {
		return b.readSimpleCode(size)
	}
	lengthCode, err := b.readLengthCode(skip)
	if err != nil {
		return nil, err
	}
	lengths, err := b.readLengths(lengthCode, size)
	if err != nil {
		return nil, err
	}
	return newCode(lengths), nil
}

// readSimpleCode reads one of up to four symbols, which are listed.
func (b *bitReader) readSimpleCode(size int) (code, error) {
	lengths := make([]uint8, size)
	n := b.bits(2) + 1
	var symbols [4]int
	for i := range n {
		s := b.bits(bits.Len(uint(size - 1)))
		if s >= size || i > 0 && lengths[s] != 0 {
			return nil, corrupt("a simple prefix code")
		}
		symbols[i], lengths[s] = s, 1
	}
	shape := [][]uint8{nil, {0}, {1, 1}, {1, 2, 2}, {2, 2, 2, 2}}[n]
	if n == 1 {
		return oneSymbol(symbols[0]), nil
	}
	if n == 4 && b.flag() {
		shape = []uint8{1, 2, 3, 3}
	}
	for i, l := range shape {
		lengths[symbols[i]] = l
	}
	return newCode(lengths), nil
}

// The order in which lengths of the code for lengths come, and the fixed code
// that they come in: what the next four bits mean, and how many of them.
var (
	lengthOrder = [18]int{1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	lengthValue = [16]uint8{0, 4, 3, 2, 0, 4, 3, 1, 0, 4, 3, 2, 0, 4, 3, 5}
	lengthBits  = [16]int{2, 2, 2, 3, 2, 2, 2, 4, 2, 2, 2, 3, 2, 2, 2, 4}
)

func (b *bitReader) readLengthCode(skip int) (code, error) {
	lengths := make([]uint8, 18)
	space, used, last := 32, 0, 0
	for _, symbol := range lengthOrder[skip:] {
		if space <= 0 {
			break
		}
		if b.n < 4 {
			b.fill()
		}
		next := b.acc & 15
		b.bits(lengthBits[next])
		l := lengthValue[next]
		lengths[symbol] = l
		if l > 0 {
			space -= 32 >> l
			used++
			last = symbol
		}
	}
	switch {
	case used == 1:
		return oneSymbol(last), nil
	case space != 0:
		return nil, corrupt("a code for code lengths")
	}
	return newCode(lengths), nil
}

// readLengths reads the lengths of a code: a length each, or how often to
// repeat the last one (16) or zero (17).
func (b *bitReader) readLengths(c code, size int) ([]uint8, error) {
	lengths := make([]uint8, size)
	space := 1 << maxBits
	last := uint8(8)
	var repeated uint8 // what is being repeated, if anything
	repeat, repeatSymbol := 0, 0
	for at := 0; at < size && space > 0; {
		symbol := b.symbol(c)
		if symbol < 16 {
			lengths[at] = uint8(symbol)
			at++
			repeatSymbol = 0
			if symbol != 0 {
				last = uint8(symbol)
				space -= 1 << maxBits >> symbol
			}
			continue
		}
		extra := symbol - 14
		if symbol != repeatSymbol {
			repeat, repeatSymbol = 0, symbol
		}
		old := repeat
		if repeat > 0 {
			repeat = (repeat - 2) << extra
		}
		repeat += b.bits(extra) + 3
		if repeated = 0; symbol == 16 {
			repeated = last
		}
		if repeat-old > size-at {
			return nil, corrupt("code lengths past the alphabet")
		}
		for range repeat - old {
			lengths[at] = repeated
			at++
		}
		if repeated != 0 {
			space -= (repeat - old) << (maxBits - repeated)
		}
	}
	if space != 0 {
		return nil, corrupt("code lengths that make no code")
	}
	return lengths, nil
}
