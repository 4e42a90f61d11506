package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFetch(t *testing.T) {
	files := readDir(t, writeCheckpoint(t))
	tensors := files["model.safetensors"]
	status := func(code, times int) func(*hub) {
		return func(h *hub) {
			h.fault = func(w http.ResponseWriter, _ *http.Request, _ string, n int) bool {
				if n < times {
					http.Error(w, "an error page, not to be kept", code)
				}
				return n < times
			}
		}
	}
	tests := []struct {
		name  string
		fault func(*hub)
		args  []string
		asked int    // requests for model.safetensors; 0: any number
		fails string // what the message has, empty where it goes well
	}{
		{name: "all well", asked: 1},
		{name: "at four bits", args: []string{"--bits", "4", "--group", "32", "tiny"}, asked: 1},
		{name: "429 twice", fault: status(429, 2), asked: 3},
		{name: "503 once", fault: status(503, 1), asked: 2},
		{name: "429 for ever", fault: status(429, 99), fails: "the host answered 429"},
		{name: "404", fault: status(404, 99), fails: "404: no such file"},
		{name: "401", fault: status(401, 99), fails: "set HF_TOKEN"},
		{name: "cut at half, then at half of the rest", asked: 3, fault: func(h *hub) {
			h.fault = func(w http.ResponseWriter, r *http.Request, name string, n int) bool {
				if name == "model.safetensors" && n < 2 {
					h.cut(w, r, name)
				}
				return false
			}
		}},
		{name: "cut at half, no ranges", fault: func(h *hub) {
			h.fault = func(w http.ResponseWriter, r *http.Request, name string, n int) bool {
				r.Header.Del("Range")
				if name == "model.safetensors" && n < 1 {
					h.cut(w, r, name)
				}
				_, _ = io.WriteString(w, h.files[name])
				return true
			}
		}},
		{name: "a byte is wrong", fails: "want " + sha(tensors), fault: func(h *hub) {
			h.files = map[string]string{"config.json": files["config.json"], "model.safetensors": "x" + tensors[1:]}
		}},
		{name: "a web page", fails: "want " + sha(files["config.json"]), fault: func(h *hub) {
			h.files = map[string]string{"config.json": "<html>" + strings.Repeat("sign in ", 50)}
		}},
		{name: "no such model", args: []string{"huge"}, fails: "huge: no such model"},
		{name: "bad bits", args: []string{"--bits", "9", "tiny"}, fails: "bits: 9, want 4 to 8"},
	}
	for _, client := range clients {
		for _, test := range tests {
			t.Run(client+"/"+test.name, func(t *testing.T) {
				t.Parallel()
				f := newFetcher(t, client, files)
				h := newHub(t, files)
				if test.fault != nil {
					test.fault(h)
				}
				args := test.args
				if args == nil {
					args = []string{"tiny"}
				}
				if test.fails != "" {
					f.fail(t, test.fails, h.URL, args...)
					f.empty(t, "tiny")
					return
				}
				output := f.succeed(t, h.URL, args...)
				h.lock.Lock()
				defer h.lock.Unlock()
				f.packed(t)
				if test.asked > 0 && h.asked["model.safetensors"] != test.asked {
					t.Errorf("asked %d times, want %d: %s", h.asked["model.safetensors"], test.asked, output)
				}
				if strings.HasPrefix(test.name, "cut at half, then") {
					half := len(tensors) / 2
					want := []string{fmt.Sprintf("bytes=%d-", half), fmt.Sprintf("bytes=%d-", half+(len(tensors)-half)/2)}
					if got := h.ranges[len(h.ranges)-2:]; got[0] != want[0] || got[1] != want[1] {
						t.Errorf("ranges %q, want %q", got, want)
					}
				}
			})
		}
	}
}

// A run that gave up leaves what it has to the next one, and what was packed
// before to the page.
func TestFetchGoesOn(t *testing.T) {
	files := readDir(t, writeCheckpoint(t))
	f := newFetcher(t, "curl", files)
	f.env = append(f.env, "TRIES=1")
	h := newHub(t, files)
	old := filepath.Join(f.out, "tiny")
	if err := os.Mkdir(old, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(old, "manifest.json"), []byte("old"))

	h.fault = func(w http.ResponseWriter, r *http.Request, name string, n int) bool {
		if name == "model.safetensors" && n == 0 {
			h.cut(w, r, name)
		}
		return false
	}
	f.fail(t, "the connection broke at byte", h.URL, "tiny")
	if readDir(t, old)["manifest.json"] != "old" {
		t.Error("a run that failed took the old model away")
	}
	f.succeed(t, h.URL, "tiny")
	f.packed(t)
	if h.asked["config.json"] != 1 {
		t.Errorf("config.json was fetched %d times", h.asked["config.json"])
	}
	if got, want := h.ranges[len(h.ranges)-1], fmt.Sprintf("bytes=%d-", len(files["model.safetensors"])/2); got != want {
		t.Errorf("range %q, want %q", got, want)
	}
}

func TestFetchToken(t *testing.T) {
	files := readDir(t, writeCheckpoint(t))
	h := newHub(t, files)
	f := newFetcher(t, "curl", files)
	f.env = append(f.env, "HF_TOKEN=secret")
	output := f.succeed(t, h.URL, "tiny")
	if strings.Contains(output, "secret") || len(h.tokens) == 0 || h.tokens[0] != "Bearer secret" {
		t.Errorf("tokens %q, output %s", h.tokens, output)
	}
	f = newFetcher(t, "wget", files)
	f.env = append(f.env, "HF_TOKEN=secret")
	f.fail(t, "needs curl", h.URL, "tiny")
}

func TestFetchNeedsRoom(t *testing.T) {
	dir := writeCheckpoint(t)
	files := readDir(t, dir)
	f := newFetcher(t, "curl", files)
	f.unlink(t, "df")
	write(t, filepath.Join(f.bin, "df"), []byte("#!/bin/sh\necho head\necho disk 9 5 4 50% /\n"))
	if err := os.Chmod(filepath.Join(f.bin, "df"), 0o755); err != nil {
		t.Fatal(err)
	}
	h := newHub(t, files)
	for _, args := range [][]string{{"tiny"}, {"--from", dir, "tiny"}} {
		f.fail(t, "MB are needed", h.URL, args...)
	}
	if len(h.asked) != 0 {
		t.Errorf("asked for %v all the same", h.asked)
	}
}

// With shasum in the place of sha256sum everything goes the same way; without a
// tool there is a word on which is missing.
func TestFetchTools(t *testing.T) {
	files := readDir(t, writeCheckpoint(t))
	h := newHub(t, files)
	f := newFetcher(t, "curl", files)
	f.unlink(t, "sha256sum", "sha1sum")
	f.fail(t, "neither sha256sum nor shasum", h.URL, "tiny")
	link(t, f.bin, "shasum")
	for _, model := range []string{"tiny", "free"} { // free: git's hash of config.json, too
		f.succeed(t, h.URL, model)
	}
	f.packed(t)
	f.unlink(t, "curl")
	f.fail(t, "neither curl nor wget", h.URL, "tiny")
}

func TestFetchHelp(t *testing.T) {
	f := newFetcher(t, "curl", readDir(t, writeCheckpoint(t)))
	output := f.succeed(t, noHost, "--help")
	for _, word := range []string{"--bits", "--group", "--from", "--out", "--keep", "--list", "HF_ENDPOINT", "HF_TOKEN"} {
		if !strings.Contains(output, word) {
			t.Errorf("--help does not say %s", word)
		}
	}
	if output := f.succeed(t, noHost, "--list"); output != "tiny\nfree\n" {
		t.Errorf("--list: %q", output)
	}
	f.fail(t, "--bit: no such option", noHost, "--bit")
	for _, bad := range [][]string{{"--bits", "9"}, {"--bits", "08"}, {"--bits", ""}, {"--group", "33"}, {"--group", "288"}} {
		want := bad[0] + ": " + bad[1] + ", want"
		f.fail(t, want, noHost, bad...)
	}
}

// The hub sends half and waits until the script has said so.
func TestFetchProgress(t *testing.T) {
	files := readDir(t, writeCheckpoint(t))
	for _, client := range clients {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			f := newFetcher(t, client, files)
			h := newHub(t, files)
			said := &notice{of: "model.safetensors: 0 of 0 MB, 4", seen: make(chan struct{})}
			h.fault = func(w http.ResponseWriter, _ *http.Request, name string, _ int) bool {
				if name != "model.safetensors" {
					return false
				}
				text := h.files[name]
				w.Header().Set("Content-Length", fmt.Sprint(len(text)))
				_, _ = io.WriteString(w, text[:len(text)*49/100])
				_ = http.NewResponseController(w).Flush()
				select {
				case <-said.seen:
				case <-time.After(time.Minute):
					t.Error("nothing was said of progress")
				}
				_, _ = io.WriteString(w, text[len(text)*49/100:])
				return true
			}
			cmd := f.command(h.URL, "tiny")
			cmd.Stdout, cmd.Stderr = said, said
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v: %s", err, said.text.String())
			}
			f.packed(t)
		})
	}
}

// notice closes seen when what is written to it contains of.
type notice struct {
	of   string
	seen chan struct{}
	text bytes.Buffer
}

func (n *notice) Write(p []byte) (int, error) {
	before := strings.Contains(n.text.String(), n.of)
	n.text.Write(p)
	if !before && strings.Contains(n.text.String(), n.of) {
		close(n.seen)
	}
	return len(p), nil
}

// A packed model that does not speak as it should takes no other's place.
func TestFetchChecks(t *testing.T) {
	files := readDir(t, writeCheckpoint(t))
	f := newFetcher(t, "curl", files)
	f.env = append(f.env, "CHECK=false")
	h := newHub(t, files)
	old := filepath.Join(f.out, "tiny")
	if err := os.Mkdir(old, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(old, "manifest.json"), []byte("old"))
	f.fail(t, "does not speak", h.URL, "tiny")
	if readDir(t, old)["manifest.json"] != "old" || len(glob(t, f.out+"/tiny*")) != 1 {
		t.Error("a model that failed the check is left, or took the old one's place")
	}
}
