// Package brotli decodes brotli streams (RFC 7932) that are whole in memory, for
// the page: andybalholm/brotli, which the packer uses, does 17 MB/s as
// WebAssembly, this package four times as much, in a smaller program. What
// comes out is the window, too: there is no second buffer.
package brotli

import "errors" // and not fmt, which makes up half of a small program

var (
	errTruncated = errors.New("brotli: corrupt stream: it ends too early")
	errTooLong   = errors.New("brotli: more data than allowed")
)

func corrupt(what string) error { return errors.New("brotli: corrupt stream: " + what) }

// Decode decodes a stream into dst's memory, from its start, and returns what
// came. It allocates anew where dst has not the capacity, up to limit bytes.
// Bytes after the end of the stream are an error. dst may be nil.
func Decode(dst, src []byte, limit int) ([]byte, error) {
	d := &decoder{out: dst[:0], limit: limit, distances: [4]int{4, 11, 15, 16}}
	d.src = src
	err := d.stream()
	if d.overrun() {
		err = errTruncated // whatever else the zeros behind the end looked like
	}
	if err != nil {
		return nil, err
	}
	return d.out, nil
}

type decoder struct {
	bitReader
	out       []byte
	limit     int
	window    int
	distances [4]int // of the last four copies, the last one first
	mb        metaBlock
}

func (d *decoder) stream() error {
	if err := d.readWindow(); err != nil {
		return err
	}
	for last := false; !last; {
		last = d.flag()
		if last && d.flag() {
			break // an empty one
		}
		if err := d.metaBlock(last); err != nil {
			return err
		}
		if d.overrun() {
			return errTruncated
		}
	}
	if !d.align() {
		return corrupt("bits behind its end")
	}
	if d.unread() > 0 {
		return corrupt("bytes behind its end")
	}
	return nil
}

// readWindow reads WBITS.
func (d *decoder) readWindow() error {
	bits := uint(16)
	if d.flag() {
		if n := d.bits(3); n != 0 {
			bits = 17 + uint(n)
		} else if n := d.bits(3); n == 0 {
			bits = 17
		} else if n == 1 {
			return corrupt("a large window")
		} else {
			bits = 8 + uint(n)
		}
	}
	d.window = 1<<bits - 16
	return nil
}

// metaBlock reads one that is not empty.
func (d *decoder) metaBlock(last bool) error {
	nibbles := d.bits(2) + 4
	if nibbles == 7 {
		return d.metadata()
	}
	size := 0
	for i := range nibbles {
		n := d.bits(4)
		if i == nibbles-1 && i > 3 && n == 0 {
			return corrupt("a length with a zero in front")
		}
		size |= n << (4 * i)
	}
	size++
	if size > d.limit-len(d.out) {
		return errTooLong
	}
	d.grow(size)
	if !last && d.flag() {
		return d.raw(size)
	}
	if err := d.mb.read(&d.bitReader); err != nil {
		return err
	}
	return d.commands(size)
}

// metadata is skipped.
func (d *decoder) metadata() error {
	if d.flag() {
		return corrupt("a reserved bit")
	}
	bytes := d.bits(2)
	size := 0
	for i := range bytes {
		n := d.bits(8)
		if i == bytes-1 && i > 0 && n == 0 {
			return corrupt("a length with a zero in front")
		}
		size |= n << (8 * i)
	}
	if bytes > 0 {
		size++
	}
	if !d.align() {
		return corrupt("bits before metadata")
	}
	return d.skip(size)
}

// raw copies size bytes as they are.
func (d *decoder) raw(size int) error {
	if !d.align() {
		return corrupt("bits before raw bytes")
	}
	at := len(d.src) - d.unread()
	if err := d.skip(size); err != nil {
		return err
	}
	d.out = append(d.out, d.src[at:][:size]...)
	return nil
}

// grow makes room for n more bytes.
func (d *decoder) grow(n int) {
	if want := len(d.out) + n; want > cap(d.out) {
		more := make([]byte, len(d.out), min(d.limit, max(want, 2*cap(d.out))))
		copy(more, d.out)
		d.out = more
	}
}
