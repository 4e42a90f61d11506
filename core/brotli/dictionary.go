package brotli

import _ "embed"

// words is the dictionary of RFC 7932, appendix A: all words of 4 bytes, then
// all of 5, and so on up to 24.
//
//go:embed dictionary.bin
var words string

// wordBits is how many bits number the words of a length.
var wordBits = [25]int{4: 10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5}

// wordsFrom is where the words of a length begin.
var wordsFrom = func() (from [25]int) {
	for length := 5; length < len(from); length++ {
		from[length] = from[length-1] + (length-1)<<wordBits[length-1]
	}
	return from
}()

// dictionaryWord is a word of that length, transformed: the low bits of id say
// which, the others how.
func dictionaryWord(id, length int) ([]byte, error) {
	if length >= len(wordBits) || wordBits[length] == 0 {
		return nil, corrupt("a distance past the start")
	}
	bits := wordBits[length]
	if id>>bits >= len(transforms) {
		return nil, corrupt("a distance past the dictionary")
	}
	at := wordsFrom[length] + id&(1<<bits-1)*length
	return transforms[id>>bits].apply(words[at:][:length]), nil
}
