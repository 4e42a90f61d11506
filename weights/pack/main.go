// Command pack turns a GPT-2 checkpoint (config.json and model.safetensors in
// a folder) into a model folder for the page: manifest.json and parts that are
// stored ready for the kernel and compressed with brotli.
//
//	go run ./weights/pack -id gpt2 -name "GPT-2 124M" CHECKPOINT OUT
//
// The same checkpoint and flags give the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	var o options
	flags := flag.NewFlagSet("pack", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: pack [flags] CHECKPOINT OUT\n\n"+
			"CHECKPOINT holds config.json and model.safetensors, or the files that model.safetensors.index.json\n"+
			"names. OUT is replaced when all went well.")
		flags.PrintDefaults()
	}
	flags.IntVar(&o.bits, "bits", 8, "bits of a weight, 4 to 8")
	flags.IntVar(&o.group, "group", 64, "weights that share a scale: a multiple of 32, up to 256")
	flags.BoolVar(&o.float32, "float32", false, "keep weights as float32 (four times as large, for comparisons)")
	flags.Func("tensor", "`NAME=BITS:GROUP` of one matrix, as wte.weight=8:32; 32 bits are float32; may be repeated", o.setTensor)
	flags.StringVar(&o.texts, "texts", "", "file with texts, blank lines between them: measures KL divergence and top-1 agreement on them")
	flags.IntVar(&o.quality, "quality", 5, "brotli quality, 0 to 11; 11 takes thirty times as long for 0 to 6 % less")
	flags.StringVar(&o.id, "id", "", "short and stable name, for links (the name of OUT)")
	flags.StringVar(&o.name, "name", "", "name for people (the id)")
	flags.StringVar(&o.licence, "licence", "", "licence of the weights")
	flags.StringVar(&o.source, "source", "", "where the checkpoint is from: a repository or a web address")
	flags.StringVar(&o.revision, "revision", "", "revision of the source")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 2 {
		flags.Usage()
		return fmt.Errorf("%d arguments, want CHECKPOINT and OUT", flags.NArg())
	}
	o.checkpoint, o.out = flags.Arg(0), flags.Arg(1)
	return pack(o, out)
}
