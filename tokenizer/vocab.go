package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

const endOfText = "<|endoftext|>"

// New makes a tokenizer from the two files of a GPT-2 style model: vocab.json
// maps each piece to its id, merges.txt has one merge a line, the first to be
// done first. The ids must be 0 to n-1, each once, and every byte must be a
// piece, so that every text can be encoded. The slices are not kept.
func New(vocabJSON, mergesTxt []byte) (*Tokenizer, error) {
	var ids map[string]int32
	if err := json.Unmarshal(vocabJSON, &ids); err != nil {
		return nil, fmt.Errorf("vocab.json: %w", err)
	}
	written, err := inOrder(ids)
	if err != nil {
		return nil, fmt.Errorf("vocab.json: %w", err)
	}
	t := &Tokenizer{endOfText: -1}
	for _, w := range written {
		t.pieces.add(toBytes(w))
	}
	for b, r := range byteRune {
		id, ok := ids[string(r)]
		if !ok {
			return nil, fmt.Errorf("vocab.json: no piece %q, which is byte %#02x", r, b)
		}
		t.byteIDs[b] = id
	}
	if id, ok := ids[endOfText]; ok {
		t.endOfText = int(id)
	}
	if t.merges, err = parseMerges(string(mergesTxt), ids); err != nil {
		return nil, fmt.Errorf("merges.txt: %w", err)
	}
	return t, nil
}

// inOrder lists the pieces by id.
func inOrder(ids map[string]int32) ([]string, error) {
	written := make([]string, len(ids))
	seen := make([]bool, len(ids))
	for piece, id := range ids {
		if id < 0 || int(id) >= len(ids) {
			return nil, fmt.Errorf("id of %q: %d, want 0 to %d", piece, id, len(ids)-1)
		}
		if seen[id] {
			return nil, fmt.Errorf("id %d: given to %q and %q, want one piece", id, written[id], piece)
		}
		written[id], seen[id] = piece, true
	}
	return written, nil
}

// parseMerges reads merges.txt. As in Hugging Face's, the last of equal lines
// counts.
func parseMerges(text string, ids map[string]int32) (table, error) {
	t := newTable(strings.Count(text, "\n") + 1)
	rank := int32(0)
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" || strings.HasPrefix(line, "#version") {
			continue
		}
		p, id, err := parseMerge(line, ids)
		if err != nil {
			return table{}, fmt.Errorf("line %d: %w", number+1, err)
		}
		t.set(p, merge{rank, id})
		rank++
	}
	return t, nil
}

func parseMerge(line string, ids map[string]int32) (pair, int32, error) {
	left, right, _ := strings.Cut(line, " ")
	if left == "" || right == "" || strings.Contains(right, " ") {
		return 0, 0, errors.New("want two pieces with one space between")
	}
	for _, piece := range []string{left, right, left + right} {
		if _, ok := ids[piece]; !ok {
			return 0, 0, fmt.Errorf("%q is not in the vocabulary", piece)
		}
	}
	return pairOf(ids[left], ids[right]), ids[left+right], nil
}
