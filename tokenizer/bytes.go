package tokenizer

// GPT-2 writes a byte as one printable character in its files: a byte that is
// printable in Latin-1 as itself, the 68 others as the characters from U+0100
// on ("Ġ" is the space). Its first 256 ids are the bytes in that same order.

// byteOrder lists the 256 bytes, those that stand for themselves first.
var byteOrder = func() (order [256]byte) {
	n := 0
	for _, itself := range []bool{true, false} {
		for b := range 256 {
			if standsForItself(b) == itself {
				order[n] = byte(b)
				n++
			}
		}
	}
	return order
}()

// byteRune is the character that stands for a byte.
var byteRune = func() (runes [256]rune) {
	next := rune(256)
	for b := range runes {
		runes[b] = rune(b)
		if !standsForItself(b) {
			runes[b] = next
			next++
		}
	}
	return runes
}()

// runeByte is the byte that a character below U+0144 stands for; isByte says
// whether it stands for any.
var runeByte, isByte = func() (bytes [0x144]byte, is [0x144]bool) {
	for b, r := range byteRune {
		bytes[r], is[r] = byte(b), true
	}
	return bytes, is
}()

func standsForItself(b int) bool {
	return '!' <= b && b <= '~' || 0xA1 <= b && b <= 0xAC || 0xAE <= b && b <= 0xFF
}

// toBytes turns a piece as the files write it into its bytes. A piece with a
// character that stands for no byte is an added token: its bytes are its text.
func toBytes(written string) []byte {
	bytes := make([]byte, 0, len(written))
	for _, r := range written {
		if int(r) >= len(isByte) || !isByte[r] {
			return []byte(written)
		}
		bytes = append(bytes, runeByte[r])
	}
	return bytes
}
