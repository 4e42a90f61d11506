//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"io"
	"syscall/js"

	"decodingplayground/core/gpt2"
	"decodingplayground/tokenizer"
)

var uint8Array = js.Global().Get("Uint8Array")

// packCheckpoint packs what main.go describes.
func packCheckpoint(checkpoint, read js.Value, emit func(part map[string]any, data []byte, total int) error) (string, error) {
	text := func(name string) string { return checkpoint.Get(name).String() }
	config, err := gpt2.ParseConfig([]byte(text("config")))
	if err != nil {
		return "", err
	}
	vocab, merges := text("vocab"), text("merges")
	if err := checkTokenizer(config, vocab, merges); err != nil {
		return "", err
	}
	var source gpt2.Shards
	names, sizes := checkpoint.Get("names"), checkpoint.Get("sizes")
	for i := range sizes.Length() {
		size := int64(sizes.Index(i).Float())
		shard, err := gpt2.OpenSafetensors(&file{read: read, index: i, size: size}, size)
		if err != nil {
			return "", fmt.Errorf("%s: %w", names.Index(i).String(), err)
		}
		source = append(source, shard)
	}
	q := gpt2.Quantisation{Bits: checkpoint.Get("bits").Int(), Group: checkpoint.Get("group").Int()}
	total := (&gpt2.Manifest{Config: config, Quantisation: q}).Bytes() // or less, where rows are equal
	m, err := gpt2.Pack(config, source, q, func(p gpt2.Part, data []byte) error {
		return emit(map[string]any{"file": p.File, "bytes": p.Bytes, "sha256": p.SHA256}, data, total)
	})
	if err != nil {
		return "", err
	}
	m.ID, m.Name, m.Tokenizer = "own", text("name"), "gpt2"
	if vocab != "" {
		m.Tokenizer, m.Vocab, m.Merges = "own", vocab, merges
	}
	out, err := m.JSON()
	return string(out), err
}

// checkTokenizer sees that the model's tokens can be told: they are GPT-2's, or
// there are the files.
func checkTokenizer(config gpt2.Config, vocab, merges string) error {
	if vocab == "" && merges == "" {
		if want := tokenizer.GPT2().Vocab(); config.VocabSize != want {
			return fmt.Errorf("config.json: vocab_size: %d, want GPT-2's %d, or vocab.json and merges.txt of this model", config.VocabSize, want)
		}
		return nil
	}
	if vocab == "" || merges == "" {
		return errors.New("vocab.json and merges.txt: one of them is missing")
	}
	t, err := tokenizer.New([]byte(vocab), []byte(merges))
	if err != nil {
		return err
	}
	if t.Vocab() != config.VocabSize {
		return fmt.Errorf("vocab.json: %d tokens, want vocab_size %d", t.Vocab(), config.VocabSize)
	}
	return nil
}

// file reads one of the safetensors files, ahead of what is asked for: rows are
// asked for one by one, and each call of read takes its time.
type file struct {
	read  js.Value
	index int
	size  int64
	ahead []byte
	at    int64 // where ahead lies
}

const readAhead = 4 << 20

// ReadAt implements io.ReaderAt.
func (f *file) ReadAt(p []byte, at int64) (int, error) {
	for done := 0; done < len(p); {
		from := at + int64(done)
		if from >= f.size {
			return done, io.EOF
		}
		if from < f.at || from >= f.at+int64(len(f.ahead)) {
			if err := f.fetch(from); err != nil {
				return done, err
			}
		}
		done += copy(p[done:], f.ahead[from-f.at:])
	}
	return len(p), nil
}

func (f *file) fetch(at int64) error {
	n := int(min(readAhead, f.size-at))
	data := f.read.Invoke(f.index, float64(at), n)
	if data.Length() != n {
		return fmt.Errorf("the file is no longer there, or was changed: %d bytes at %d, want %d", data.Length(), at, n)
	}
	if cap(f.ahead) < n {
		f.ahead = make([]byte, readAhead)
	}
	f.ahead, f.at = f.ahead[:n], at
	js.CopyBytesToGo(f.ahead, data)
	return nil
}
