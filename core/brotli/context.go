package brotli

// The context of a literal is lastContext[mode][the byte before] or-ed with
// beforeContext[mode][the one before that], for the modes LSB6, MSB6, UTF8 and
// Signed.
var lastContext, beforeContext = contexts()

func contexts() (last, before [4][256]uint8) {
	for i := range 256 {
		last[0][i] = uint8(i & 63)
		last[1][i] = uint8(i >> 2)
		last[3][i] = signedClass(i) << 3
		before[3][i] = signedClass(i)
		switch {
		case i < 128:
			last[2][i] = asciiLast[i] * 4
			before[2][i] = asciiBefore(byte(i))
		case i < 192:
			last[2][i] = uint8(i & 1)
		default:
			last[2][i] = uint8(2 + i&1)
			before[2][i] = uint8(i >> 5 & 1 * 2)
		}
	}
	return last, before
}

// signedClass is 0 to 7 for a byte from 0 to 255.
func signedClass(i int) uint8 {
	class := uint8(0)
	for _, from := range []int{1, 16, 64, 128, 192, 240, 255} {
		if i >= from {
			class++
		}
	}
	return class
}

// asciiLast is the class of a character as the last one.
var asciiLast = [128]uint8{
	0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	2, 3, 4, 3, 3, 5, 3, 4, 6, 7, 3, 3, 8, 3, 9, 3,
	11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 8, 8, 6, 10, 7, 3,
	3, 12, 13, 13, 13, 12, 13, 13, 13, 12, 13, 13, 13, 13, 13, 12,
	13, 13, 13, 13, 13, 12, 13, 13, 13, 13, 13, 6, 3, 7, 3, 3,
	3, 14, 15, 15, 15, 14, 15, 15, 15, 14, 15, 15, 15, 15, 15, 14,
	15, 15, 15, 15, 15, 14, 15, 15, 15, 15, 15, 6, 3, 7, 3, 0,
}

// asciiBefore is the class of a character as the one before the last.
func asciiBefore(c byte) uint8 {
	switch {
	case 'a' <= c && c <= 'z':
		return 3
	case '0' <= c && c <= '9', 'A' <= c && c <= 'Z':
		return 2
	case ' ' < c && c < 127:
		return 1
	}
	return 0
}
