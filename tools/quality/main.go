// Command quality measures what fewer bits cost: it packs checkpoints at 8, 6, 5
// and 4 bits and compares the packed models with the float32 ones, on texts
// that these write themselves.
//
//	go run ./tools/quality -svg docs/quality.svg CHECKPOINT...
//
// A checkpoint is a folder with config.json and model.safetensors, or these as
// .gz. The table is printed, as Markdown; the plot goes to the file.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("quality [flags] CHECKPOINT...", flag.ContinueOnError)
	svg := flags.String("svg", "", "file for the plot")
	group := flags.Int("group", 64, "weights that share a scale")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("no CHECKPOINT")
	}
	fmt.Fprintln(out, "| model | bits | relative error | KL, nats a token | same first choice |\n|---|--:|--:|--:|--:|")
	var lines []line
	for _, dir := range flags.Args() {
		l := line{name: filepath.Base(dir)}
		for _, bits := range bitsTried {
			e, err := measure(dir, bits, *group)
			if err != nil {
				return fmt.Errorf("%s: %w", dir, err)
			}
			l.kl = append(l.kl, e.KL)
			fmt.Fprintf(out, "| %s | %d | %.2f %% | %.2g | %.1f %% |\n", l.name, bits, 100*e.RelativeRMSE, e.KL, 100*e.Top1)
		}
		lines = append(lines, l)
	}
	if *svg == "" {
		return nil
	}
	return os.WriteFile(*svg, plot(lines), 0o644)
}
