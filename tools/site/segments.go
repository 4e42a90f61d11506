package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Go's linker leaves the zeros out of a wasm binary's memory: fifty thousand
// segments, whose addresses compress badly. What is left out here are long runs
// of zeros only, and a twentieth is gained of what crosses the wire.

const (
	dataSection = 11
	shortGap    = 64        // zeros that cost less than another segment
	maxImage    = 256 << 20 // bytes of memory that a binary may fill
)

var errData = errors.New("wasm: a data section that Go's linker does not write")

// joinSegments writes the data section of a wasm module with few segments. What
// the module puts into memory stays the same.
func joinSegments(module []byte) ([]byte, error) {
	const header = 8 // magic and version
	if len(module) < header {
		return nil, errors.New("wasm: too short")
	}
	out := bytes.Clone(module[:header])
	for rest := module[header:]; len(rest) > 0; {
		id := rest[0]
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil, fmt.Errorf("wasm: section %d is cut short", id)
		}
		body := rest[1+n:][:size]
		rest = rest[1+n+int(size):]
		if id == dataSection {
			image, err := readImage(body)
			if err != nil {
				return nil, err
			}
			body = writeImage(image)
		}
		out = append(out, id)
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out, nil
}

// readImage is the memory that a data section fills, from address 0.
func readImage(body []byte) ([]byte, error) {
	count, n := binary.Uvarint(body)
	if n <= 0 {
		return nil, errData
	}
	body = body[n:]
	var image []byte
	for range count {
		// Memory 0, at i32.const address, end of the expression.
		if len(body) < 2 || body[0] != 0 || body[1] != 0x41 {
			return nil, errData
		}
		at, n := signed(body[2:])
		body = body[2+n:]
		if n == 0 || at < 0 || len(body) < 1 || body[0] != 0x0b {
			return nil, errData
		}
		size, n := binary.Uvarint(body[1:])
		if n <= 0 || size > uint64(len(body)-1-n) || uint64(at)+size > maxImage {
			return nil, errData
		}
		end := at + int(size)
		if end > len(image) {
			image = append(image, make([]byte, end-len(image))...)
		}
		copy(image[at:], body[1+n:][:size])
		body = body[1+n+int(size):]
	}
	return image, nil
}

// writeImage is a data section that fills memory so.
func writeImage(image []byte) []byte {
	var segments []byte
	count := 0
	for at := 0; at < len(image); {
		if image[at] == 0 {
			at++
			continue
		}
		end, zeros := at, 0
		for i := at; i < len(image) && zeros <= shortGap; i++ {
			if zeros++; image[i] != 0 {
				end, zeros = i+1, 0
			}
		}
		segments = append(segments, 0, 0x41)
		segments = appendSigned(segments, at)
		segments = append(segments, 0x0b)
		segments = binary.AppendUvarint(segments, uint64(end-at))
		segments = append(segments, image[at:end]...)
		count++
		at = end
	}
	return append(binary.AppendUvarint(nil, uint64(count)), segments...)
}

// signed reads a signed LEB128 number and its length, 0 when there is none.
func signed(b []byte) (v, n int) {
	for shift := 0; n < len(b) && shift < 35; {
		c := b[n]
		n++
		v |= int(c&0x7f) << shift
		shift += 7
		if c < 0x80 {
			if c&0x40 != 0 {
				v -= 1 << shift
			}
			return v, n
		}
	}
	return 0, 0
}

// appendSigned writes a number of 0 or more as signed LEB128.
func appendSigned(b []byte, v int) []byte {
	for ; v >= 0x40; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v))
}
