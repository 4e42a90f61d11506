// Command server serves the built site. The site is inside the binary, so one
// file is all that a host needs; -dir serves a folder instead.
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// The site is put here by make build; a clean clone has only .keep.
//
//go:embed all:site
var embedded embed.FS

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends. It prints the address once it listens.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("playground", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8080", "address to listen on; port 0 picks a free one")
	dir := flags.String("dir", "", "serve this folder, not the site in the binary")
	var o Options
	flags.BoolVar(&o.Isolate, "isolate", false, "send COOP and COEP: the page is cross-origin isolated")
	flags.BoolVar(&o.NoEncoding, "no-encoding", false, "never send Content-Encoding, as a plain static host")
	flags.StringVar(&o.FrameAncestors, "frame-ancestors", "*", "who may embed the page, as in Content-Security-Policy")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q: no such argument; see -help", flags.Arg(0))
	}
	site, err := open(*dir)
	if err != nil {
		return err
	}
	handler, err := New(site, o)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", *addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s is in use; choose another address with -addr (make run ADDR=…), or -addr 127.0.0.1:0 for any free port", *addr)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Decoding Playground at http://%s/\n", l.Addr())
	return serve(ctx, l, handler)
}

// open is the folder to serve. A folder is opened as a root: a link in it
// that points outside is not followed.
func open(dir string) (fs.FS, error) {
	if dir == "" {
		return fs.Sub(embedded, "site")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return root.FS(), nil
}

// serve answers until ctx ends, then lets running answers finish for a while.
func serve(ctx context.Context, l net.Listener, handler http.Handler) error {
	s := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		// No WriteTimeout: the handler sets a deadline by the size of the file.
	}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := s.Shutdown(grace); err != nil {
		return s.Close()
	}
	return nil
}
