// Command random writes a GPT-2 checkpoint of random weights, to measure packing
// and loading at true size.
//
//	go run ./tools/random OUT
//
// The same flags give the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"decodingplayground/weights/random"
)

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "random:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("random [flags] OUT", flag.ContinueOnError)
	var s random.Shape
	flags.IntVar(&s.Layers, "layers", 12, "n_layer")
	flags.IntVar(&s.Heads, "heads", 12, "n_head")
	flags.IntVar(&s.Embd, "embd", 768, "n_embd")
	flags.IntVar(&s.Positions, "positions", 1024, "n_positions")
	flags.IntVar(&s.Vocab, "vocab", 50257, "vocab_size")
	seed := flags.Uint64("seed", 1, "another seed, other weights")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("%d arguments, want OUT", flags.NArg())
	}
	return s.Write(flags.Arg(0), *seed)
}
