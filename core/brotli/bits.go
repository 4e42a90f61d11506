package brotli

import "encoding/binary"

// bitReader reads bits from the low end of each byte. Behind the end it reads
// zeros, and overrun says so.
type bitReader struct {
	src  []byte
	at   int    // of the next byte that goes into acc
	acc  uint64 // bits that were not taken yet
	n    uint   // how many of them count
	past int    // bytes behind the end that went into acc
}

// fill makes n at least 56. Bits above n may be in acc already; they are the
// same as will be or-ed there.
func (b *bitReader) fill() {
	if b.at+8 <= len(b.src) {
		b.acc |= binary.LittleEndian.Uint64(b.src[b.at:]) << (b.n & 63)
		b.at += int((63 - b.n) >> 3)
		b.n |= 56
		return
	}
	for b.n < 56 {
		if b.at < len(b.src) {
			b.acc |= uint64(b.src[b.at]) << (b.n & 63)
			b.at++
		} else {
			b.past++
		}
		b.n += 8
	}
}

// bits reads a number of up to 24 bits.
func (b *bitReader) bits(n int) int {
	if b.n < 24 {
		b.fill()
	}
	v := b.acc & (1<<(n&63) - 1)
	b.acc >>= n & 63
	b.n -= uint(n)
	return int(v)
}

func (b *bitReader) flag() bool { return b.bits(1) == 1 }

// overrun says whether bits behind the end were taken.
func (b *bitReader) overrun() bool { return b.past*8 > int(b.n) }

// align drops the rest of a byte, and says whether it was zero.
func (b *bitReader) align() bool { return b.bits(int(b.n&7)) == 0 }

// unread are the bytes that were not taken, at a byte's border.
func (b *bitReader) unread() int { return len(b.src) - b.at + int(b.n/8) - b.past }

// skip takes n bytes, at a byte's border.
func (b *bitReader) skip(n int) error {
	if n > b.unread() {
		return errTruncated
	}
	b.at = len(b.src) - b.unread() + n
	b.acc, b.n, b.past = 0, 0, 0
	return nil
}

// symbol reads one of a prefix code.
func (b *bitReader) symbol(c code) int {
	if b.n < maxBits {
		b.fill()
	}
	e := c[b.acc&rootMask]
	if e&link != 0 {
		e = c[uint64(e>>8)+b.acc>>rootBits&(1<<(e&15)-1)]
	}
	b.acc >>= e & 15
	b.n -= uint(e & 15)
	return int(e >> 8)
}
