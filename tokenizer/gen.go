//go:build ignore

// This program packs the files that OpenAI published with GPT-2 into
// gpt2.merges: go run gen.go vocab.json merges.txt
package main

import (
	"encoding/binary"
	"encoding/json"
	"log"
	"os"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: go run gen.go vocab.json merges.txt")
	}
	var ids map[string]uint16
	if err := json.Unmarshal(read(os.Args[1]), &ids); err != nil {
		log.Fatal(err)
	}
	_, lines, _ := strings.Cut(strings.TrimSpace(string(read(os.Args[2]))), "\n")
	var packed []byte
	for i, line := range strings.Split(lines, "\n") {
		left, right, _ := strings.Cut(line, " ")
		if got := int(ids[left+right]); got != 256+i {
			log.Fatalf("merge %d: %q has id %d, want %d", i, line, got, 256+i)
		}
		packed = binary.LittleEndian.AppendUint16(packed, ids[left])
		packed = binary.LittleEndian.AppendUint16(packed, ids[right])
	}
	if err := os.WriteFile("gpt2.merges", packed, 0o644); err != nil {
		log.Fatal(err)
	}
}

func read(name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	return data
}
