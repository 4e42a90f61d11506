package main

import (
	"bytes"
	"testing"
)

// moduleOf has a section that must stay as it is, and one of data.
func moduleOf(data []byte) []byte {
	m := []byte("\x00asm\x01\x00\x00\x00\x05\x03\x01\x00\x10\x0b")
	return append(append(m, byte(len(data))), data...)
}

func TestJoinSegments(t *testing.T) {
	segment := func(at byte, data string) []byte {
		return append([]byte{0, 0x41, at, 0x0b, byte(len(data))}, data...)
	}
	section := []byte{4}
	section = append(section, segment(8, "ab")...)
	section = append(section, segment(12, "c\x00d")...)                             // 2 zeros later
	section = append(section, append([]byte{0, 0x41, 0xc8, 0x01, 0x0b, 1}, 'e')...) // at 200
	section = append(section, segment(2, "f")...)                                   // and back
	joined := []byte{2}
	joined = append(joined, segment(2, "f\x00\x00\x00\x00\x00ab\x00\x00c\x00d")...)
	joined = append(joined, append([]byte{0, 0x41, 0xc8, 0x01, 0x0b, 1}, 'e')...)
	got, err := joinSegments(moduleOf(section))
	if err != nil {
		t.Fatal(err)
	}
	if want := moduleOf(joined); !bytes.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	again, err := joinSegments(got)
	if err != nil || !bytes.Equal(again, got) {
		t.Errorf("once more: %q, %v", again, err)
	}
}

func TestJoinSegmentsRefuses(t *testing.T) {
	for name, section := range map[string][]byte{
		"passive":    {1, 1, 1, 'a'},
		"global":     {1, 0, 0x23, 0, 0x0b, 1, 'a'},
		"cut short":  {1, 0, 0x41, 8, 0x0b, 9, 'a'},
		"negative":   {1, 0, 0x41, 0x7f, 0x0b, 1, 'a'},
		"no end":     {1, 0, 0x41, 8},
		"no count":   {},
		"far beyond": {1, 0, 0x41, 0xff, 0xff, 0xff, 0xff, 0x07, 0x0b, 1, 'a'},
	} {
		if _, err := joinSegments(moduleOf(section)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, module := range [][]byte{nil, []byte("\x00asm\x01\x00\x00\x00\x0b\x7f")} {
		if _, err := joinSegments(module); err == nil {
			t.Errorf("%q: no error", module)
		}
	}
}
