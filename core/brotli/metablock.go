package brotli

// metaBlock is what stands at the head of a meta-block: how its literals (0),
// commands (1) and distances (2) are split into blocks of types, and the prefix
// code of each type and context.
type metaBlock struct {
	blocks    [3]blocks
	postfix   int // NPOSTFIX
	direct    int // NDIRECT
	modes     []uint8
	literals  codes // by 64 contexts a type
	distances codes // by 4 contexts a type
	commands  []code
}

// codes are prefix codes and which of them each context has.
type codes struct {
	index []uint8
	codes []code
}

// blocks is one split: what the type is now, and for how many symbols more.
type blocks struct {
	types            int
	current, before  int
	left             int
	typeCode, counts code
}

func (m *metaBlock) read(b *bitReader) (err error) {
	for i := range m.blocks {
		if m.blocks[i], err = readBlocks(b); err != nil {
			return err
		}
	}
	m.postfix = b.bits(2)
	m.direct = b.bits(4) << m.postfix
	m.modes = make([]uint8, m.blocks[0].types)
	for i := range m.modes {
		m.modes[i] = uint8(b.bits(2))
	}
	literalCodes, err := m.literals.readIndex(b, 64*m.blocks[0].types)
	if err != nil {
		return err
	}
	distanceCodes, err := m.distances.readIndex(b, 4*m.blocks[2].types)
	if err != nil {
		return err
	}
	if m.literals.codes, err = readCodes(b, literalCodes, 256); err != nil {
		return err
	}
	if m.commands, err = readCodes(b, m.blocks[1].types, 704); err != nil {
		return err
	}
	m.distances.codes, err = readCodes(b, distanceCodes, 16+m.direct+48<<m.postfix)
	return err
}

func readCodes(b *bitReader, n, size int) (list []code, err error) {
	list = make([]code, n)
	for i := range list {
		if list[i], err = b.readCode(size); err != nil {
			return nil, err
		}
		if b.overrun() {
			return nil, errTruncated
		}
	}
	return list, nil
}

// readCount reads a number from 1 to 256.
func readCount(b *bitReader) int {
	if !b.flag() {
		return 1
	}
	n := b.bits(3)
	return 1<<n + b.bits(n) + 1
}

func readBlocks(b *bitReader) (s blocks, err error) {
	s = blocks{types: readCount(b), before: 1, left: 1 << 30}
	if s.types == 1 {
		return s, nil
	}
	if s.typeCode, err = b.readCode(s.types + 2); err != nil {
		return s, err
	}
	if s.counts, err = b.readCode(26); err != nil {
		return s, err
	}
	s.left = s.readLength(b)
	return s, nil
}

// Lengths of blocks, by their symbol: from here on, and how many bits more.
var (
	blockFrom = [26]int{
		1, 5, 9, 13, 17, 25, 33, 41, 49, 65, 81, 97, 113, 145, 177, 209, 241, 305, 369, 497, 753, 1265, 2289, 4337, 8433, 16625,
	}
	blockBits = [26]int{2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 24}
)

func (s *blocks) readLength(b *bitReader) int {
	symbol := b.symbol(s.counts)
	return blockFrom[symbol] + b.bits(blockBits[symbol])
}

// next goes on to the next block.
func (s *blocks) next(b *bitReader) {
	if s.types == 1 {
		s.left = 1 << 30
		return
	}
	next := b.symbol(s.typeCode)
	switch next {
	case 0:
		next = s.before
	case 1:
		next = s.current + 1
	default:
		next -= 2
	}
	if next >= s.types {
		next -= s.types
	}
	s.before, s.current = s.current, next
	s.left = s.readLength(b)
}

// readIndex reads a context map, and returns how many codes it speaks of.
func (c *codes) readIndex(b *bitReader, size int) (n int, err error) {
	c.index = make([]uint8, size)
	n = readCount(b)
	if n == 1 {
		return n, nil
	}
	zeros := 0 // symbols that stand for runs of zeros
	if b.flag() {
		zeros = b.bits(4) + 1
	}
	prefix, err := b.readCode(n + zeros)
	if err != nil {
		return 0, err
	}
	for at := 0; at < size; {
		symbol := b.symbol(prefix)
		switch {
		case symbol == 0:
			at++
		case symbol <= zeros:
			at += 1<<symbol + b.bits(symbol)
			if at > size {
				return 0, corrupt("a run of zeros past the context map")
			}
		default:
			c.index[at] = uint8(symbol - zeros)
			at++
		}
	}
	if b.flag() {
		moveToFront(c.index)
	}
	return n, nil
}

// moveToFront undoes the transform of that name.
func moveToFront(values []uint8) {
	var list [256]uint8
	for i := range list {
		list[i] = uint8(i)
	}
	for i, at := range values {
		v := list[at]
		values[i] = v
		copy(list[1:], list[:at])
		list[0] = v
	}
}
