package brotli

import "slices"

// transform is what is done to a word of the dictionary: how is done to it,
// n bytes are left out where how says so, and it goes between two texts.
type transform struct {
	before string
	how    how
	n      int
	after  string
}

type how int

const (
	identity how = iota
	omitFirst
	omitLast
	upperFirst
	upperAll
)

func (t transform) apply(word string) []byte {
	switch t.how {
	case omitFirst:
		word = word[min(t.n, len(word)):]
	case omitLast:
		word = word[:max(len(word)-t.n, 0)]
	}
	changed := []byte(word)
	switch t.how {
	case upperFirst:
		upper(changed)
	case upperAll:
		for rest := changed; len(rest) > 0; {
			rest = rest[min(upper(rest), len(rest)):]
		}
	}
	return slices.Concat([]byte(t.before), changed, []byte(t.after))
}

// upper makes the first character upper case, as far as one bit does it, and
// returns its length.
func upper(text []byte) int {
	switch {
	case text[0] < 0xc0:
		if 'a' <= text[0] && text[0] <= 'z' {
			text[0] ^= 32
		}
		return 1
	case text[0] < 0xe0:
		if len(text) > 1 {
			text[1] ^= 32
		}
		return 2
	}
	if len(text) > 2 {
		text[2] ^= 5
	}
	return 3
}

// transforms are those of RFC 7932, appendix B, by number.
var transforms = [121]transform{
	{"", identity, 0, ""},
	{"", identity, 0, " "},
	{" ", identity, 0, " "},
	{"", omitFirst, 1, ""},
	{"", upperFirst, 0, " "},
	{"", identity, 0, " the "},
	{" ", identity, 0, ""},
	{"s ", identity, 0, " "},
	{"", identity, 0, " of "},
	{"", upperFirst, 0, ""},
	{"", identity, 0, " and "},
	{"", omitFirst, 2, ""},
	{"", omitLast, 1, ""},
	{", ", identity, 0, " "},
	{"", identity, 0, ", "},
	{" ", upperFirst, 0, " "},
	{"", identity, 0, " in "},
	{"", identity, 0, " to "},
	{"e ", identity, 0, " "},
	{"", identity, 0, "\""},
	{"", identity, 0, "."},
	{"", identity, 0, "\">"},
	{"", identity, 0, "\n"},
	{"", omitLast, 3, ""},
	{"", identity, 0, "]"},
	{"", identity, 0, " for "},
	{"", omitFirst, 3, ""},
	{"", omitLast, 2, ""},
	{"", identity, 0, " a "},
	{"", identity, 0, " that "},
	{" ", upperFirst, 0, ""},
	{"", identity, 0, ". "},
	{".", identity, 0, ""},
	{" ", identity, 0, ", "},
	{"", omitFirst, 4, ""},
	{"", identity, 0, " with "},
	{"", identity, 0, "'"},
	{"", identity, 0, " from "},
	{"", identity, 0, " by "},
	{"", omitFirst, 5, ""},
	{"", omitFirst, 6, ""},
	{" the ", identity, 0, ""},
	{"", omitLast, 4, ""},
	{"", identity, 0, ". The "},
	{"", upperAll, 0, ""},
	{"", identity, 0, " on "},
	{"", identity, 0, " as "},
	{"", identity, 0, " is "},
	{"", omitLast, 7, ""},
	{"", omitLast, 1, "ing "},
	{"", identity, 0, "\n\t"},
	{"", identity, 0, ":"},
	{" ", identity, 0, ". "},
	{"", identity, 0, "ed "},
	{"", omitFirst, 9, ""},
	{"", omitFirst, 7, ""},
	{"", omitLast, 6, ""},
	{"", identity, 0, "("},
	{"", upperFirst, 0, ", "},
	{"", omitLast, 8, ""},
	{"", identity, 0, " at "},
	{"", identity, 0, "ly "},
	{" the ", identity, 0, " of "},
	{"", omitLast, 5, ""},
	{"", omitLast, 9, ""},
	{" ", upperFirst, 0, ", "},
	{"", upperFirst, 0, "\""},
	{".", identity, 0, "("},
	{"", upperAll, 0, " "},
	{"", upperFirst, 0, "\">"},
	{"", identity, 0, "=\""},
	{" ", identity, 0, "."},
	{".com/", identity, 0, ""},
	{" the ", identity, 0, " of the "},
	{"", upperFirst, 0, "'"},
	{"", identity, 0, ". This "},
	{"", identity, 0, ","},
	{".", identity, 0, " "},
	{"", upperFirst, 0, "("},
	{"", upperFirst, 0, "."},
	{"", identity, 0, " not "},
	{" ", identity, 0, "=\""},
	{"", identity, 0, "er "},
	{" ", upperAll, 0, " "},
	{"", identity, 0, "al "},
	{" ", upperAll, 0, ""},
	{"", identity, 0, "='"},
	{"", upperAll, 0, "\""},
	{"", upperFirst, 0, ". "},
	{" ", identity, 0, "("},
	{"", identity, 0, "ful "},
	{" ", upperFirst, 0, ". "},
	{"", identity, 0, "ive "},
	{"", identity, 0, "less "},
	{"", upperAll, 0, "'"},
	{"", identity, 0, "est "},
	{" ", upperFirst, 0, "."},
	{"", upperAll, 0, "\">"},
	{" ", identity, 0, "='"},
	{"", upperFirst, 0, ","},
	{"", identity, 0, "ize "},
	{"", upperAll, 0, "."},
	{"\u00a0", identity, 0, ""},
	{" ", identity, 0, ","},
	{"", upperFirst, 0, "=\""},
	{"", upperAll, 0, "=\""},
	{"", identity, 0, "ous "},
	{"", upperAll, 0, ", "},
	{"", upperFirst, 0, "='"},
	{" ", upperFirst, 0, ","},
	{" ", upperAll, 0, "=\""},
	{" ", upperAll, 0, ", "},
	{"", upperAll, 0, ","},
	{"", upperAll, 0, "("},
	{"", upperAll, 0, ". "},
	{" ", upperAll, 0, "."},
	{"", upperAll, 0, "='"},
	{" ", upperAll, 0, ". "},
	{" ", upperFirst, 0, "=\""},
	{" ", upperAll, 0, "='"},
	{" ", upperFirst, 0, "='"},
}
