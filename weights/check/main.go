// Command check says whether a packed model still speaks as it should: what it
// finds likeliest after some prompts, and how far its distributions are from
// true ones.
//
//	go run ./weights/check [-true DIR] FOLDER
//
// DIR holds case-*.json (prompt, ids, logits_file) and the logits, gzipped
// float32, little endian. Without it nothing is compared.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"decodingplayground/core/gpt2"
	"decodingplayground/core/lm"
	"decodingplayground/core/logits"
	"decodingplayground/tokenizer"
	"decodingplayground/weights/folder"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("check [flags] FOLDER", flag.ContinueOnError)
	dir := flags.String("true", "", "folder of true logits to compare with")
	limit := flags.Float64("limit", 0.1, "mean KL divergence, in nats, above which the check fails")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("%d arguments, want FOLDER", flags.NArg())
	}
	_, model, err := folder.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	if *dir == "" {
		return speak(out, model, []row{
			{Prompt: "The capital of France is"},
			{Prompt: "The cat ran after a"},
			{Prompt: "Once upon a time"},
		})
	}
	rows, err := readRows(*dir)
	if err != nil {
		return err
	}
	if err := speak(out, model, rows); err != nil {
		return err
	}
	return compare(out, model, rows, *limit)
}

// speak prints the likeliest tokens after each prompt, and the true ones.
func speak(out io.Writer, m *gpt2.Model, rows []row) error {
	for _, r := range rows {
		got, err := next(m, r)
		if err != nil {
			return fmt.Errorf("%q: %w", r.Prompt, err)
		}
		fmt.Fprintf(out, "%q\n  model:%s\n", r.Prompt, top5(got))
		if r.logits != nil {
			fmt.Fprintf(out, "  true: %s\n", top5(r.logits))
		}
	}
	return nil
}

func compare(out io.Writer, m *gpt2.Model, rows []row, limit float64) error {
	var sum float64
	same := 0
	for _, r := range rows {
		got, err := next(m, r)
		if err != nil {
			return err
		}
		if len(got) != len(r.logits) {
			return fmt.Errorf("%q: %d logits, want %d", r.Prompt, len(r.logits), len(got))
		}
		kl, top := gpt2.Divergence(r.logits, got)
		sum += kl
		if top {
			same++
		}
	}
	mean := sum / float64(len(rows))
	fmt.Fprintf(out, "KL divergence from the true logits: %.2g nats, the same first choice in %d of %d\n", mean, same, len(rows))
	if !(mean <= limit) {
		return fmt.Errorf("KL divergence: %.3g nats, want at most %v: these are other weights, or they are broken", mean, limit)
	}
	return nil
}

// next are the model's logits after a prompt.
func next(m *gpt2.Model, r row) ([]float32, error) {
	ids := r.IDs
	if ids == nil {
		ids = tokenizer.GPT2().Encode(r.Prompt)
	}
	out, err := m.Forward(lm.Input{IDs: ids})
	if err != nil {
		return nil, err
	}
	return m.Head(out[0].Hidden[len(ids)-1])[0], nil
}

func top5(row []float32) (text string) {
	probs := logits.Softmax([]float32(nil), row)
	for _, id := range logits.Top(nil, row, min(5, len(row))) {
		text += fmt.Sprintf(" %q %.1f %%", tokenizer.GPT2().Piece(id), 100*probs[id])
	}
	return text
}
