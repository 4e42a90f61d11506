package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func siteDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("page"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRun(t *testing.T) {
	dir := siteDir(t)
	outside := filepath.Join(t.TempDir(), "outside.txt")
	if err := os.WriteFile(outside, []byte("outside"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"-addr", "127.0.0.1:0", "-dir", dir}, in) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "Decoding Playground at ")
	if !ok || strings.HasSuffix(url, ":0/") {
		t.Fatalf("printed %q", line)
	}

	get := func(url string) (int, string) {
		r, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		return r.StatusCode, body(t, r)
	}
	if code, text := get(url); code != 200 || text != "page" {
		t.Errorf("the page: %d %q", code, text)
	}
	if code, text := get(url + "link.txt"); code != 404 {
		t.Errorf("a link that leads outside: %d %q", code, text)
	}
	if code, _ := get(url + "%2e%2e/x"); code != 404 {
		t.Errorf("%%2e%%2e: %d", code)
	}

	addr := strings.Trim(strings.TrimPrefix(url, "http://"), "/")
	err = run(t.Context(), []string{"-addr", addr, "-dir", dir}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), addr+" is in use") {
		t.Errorf("a busy port: %v", err)
	}

	stop()
	if err := <-ended; err != nil {
		t.Errorf("stopped: %v", err)
	}
	if c, err := net.Dial("tcp", addr); err == nil {
		c.Close()
		t.Error("still listening after the end")
	}
}

// An answer under way is finished before the server ends.
func TestGracefulStop(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		stop()
		<-ctx.Done()
		_, _ = io.WriteString(w, "whole")
	})
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, l, handler) }()
	r, err := http.Get("http://" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if text := body(t, r); text != "whole" {
		t.Errorf("body %q", text)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestRunErrors(t *testing.T) {
	dir := siteDir(t)
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no folder", []string{"-dir", filepath.Join(dir, "none")}, "none"},
		{"an empty folder", []string{"-dir", t.TempDir()}, "no index.html"},
		{"an address", []string{"-dir", dir, "-addr", "nowhere"}, "nowhere"},
		{"an argument", []string{"-dir", dir, "start"}, `"start"`},
		{"a flag", []string{"-port", "1"}, "-port"},
		{"ancestors", []string{"-dir", dir, "-frame-ancestors", "a;b"}, "frame-ancestors"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := run(t.Context(), test.args, io.Discard)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}
