package main

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"decodingplayground/core/gpt2"
)

// The test binary is the packer that fetch.sh calls.
func TestMain(m *testing.M) {
	if os.Getenv("TEST_AS_PACK") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// hub serves a checkpoint under the paths of the Hugging Face hub, and fails
// as it is told to. Files are redirected to another path, as there.
type hub struct {
	*httptest.Server
	files map[string]string

	// fault may answer a request for a file in the place of the hub; n counts
	// the requests for that file from 0.
	fault func(w http.ResponseWriter, r *http.Request, name string, n int) (done bool)

	lock   sync.Mutex
	asked  map[string]int
	ranges []string
	tokens []string
}

// commit is what the hub calls its main branch at the moment.
const commit = "0123456789abcdef0123456789abcdef01234567"

var resolve = regexp.MustCompile(`^/someone/tiny/resolve/(abc123|main|` + commit + `)/`)

func newHub(t *testing.T, files map[string]string) *hub {
	h := &hub{files: files, asked: map[string]int{}}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.lock.Lock()
	defer h.lock.Unlock()
	if base := resolve.FindString(r.URL.Path); base != "" {
		h.tokens = append(h.tokens, r.Header.Get("Authorization"))
		h.redirect(w, r, strings.TrimPrefix(r.URL.Path, base))
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/cdn/")
	n := h.asked[name]
	h.asked[name]++
	h.ranges = append(h.ranges, r.Header.Get("Range"))
	if h.fault != nil && h.fault(w, r, name, n) {
		return
	}
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(h.files[name]))
}

// redirect tells what the hub tells: a large file's sha256, of a small one only
// git's name for it.
func (h *hub) redirect(w http.ResponseWriter, r *http.Request, name string) {
	text, ok := h.files[name]
	if !ok && r.Method == http.MethodHead {
		http.Error(w, "Entry not found", http.StatusNotFound)
		return
	}
	w.Header().Set("X-Repo-Commit", commit)
	if strings.HasSuffix(name, ".safetensors") {
		w.Header().Set("X-Linked-Size", fmt.Sprint(len(text)))
		w.Header().Set("X-Linked-ETag", `"`+sha(text)+`"`)
	} else {
		w.Header().Set("ETag", fmt.Sprintf(`W/"%x"`, sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))))
	}
	http.Redirect(w, r, "/cdn/"+name+"?signed=yes", http.StatusFound)
}

// cut sends the first half of what is asked for and breaks the connection.
func (h *hub) cut(w http.ResponseWriter, r *http.Request, name string) {
	rest := h.files[name]
	var from int
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(rest)-1, len(rest)))
		rest = rest[from:]
		w.Header().Set("Content-Length", fmt.Sprint(len(rest)))
		w.WriteHeader(http.StatusPartialContent)
	} else {
		w.Header().Set("Content-Length", fmt.Sprint(len(rest)))
	}
	_, _ = io.WriteString(w, rest[:len(rest)/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// fetcher runs fetch.sh with a PATH in which client is the only one.
type fetcher struct {
	client  string
	bin     string
	sources string
	out     string
	env     []string
}

func newFetcher(t *testing.T, client string, files map[string]string) *fetcher {
	t.Helper()
	bin := t.TempDir()
	for _, tool := range []string{
		"sh", "sed", "awk", "cut", "wc", "tr", "df", "mv", "rm", "mkdir", "sleep", "tail", "head", "dirname", "cat", "grep", "sort",
		"sha256sum", "sha1sum", client,
	} {
		link(t, bin, tool)
	}
	table := "model tiny someone/tiny abc123 MIT Tiny One\n"
	for _, name := range []string{"config.json", "model.safetensors"} {
		table += fmt.Sprintf("file tiny %s %d %s\n", name, len(files[name]), sha(files[name]))
	}
	table += "model free someone/tiny main MIT Free One\n"
	f := &fetcher{client: client, bin: bin, sources: filepath.Join(t.TempDir(), "sources"), out: t.TempDir()}
	write(t, f.sources, []byte(table))
	f.env = []string{"PATH=" + bin, "SOURCES=" + f.sources, "PACK=" + os.Args[0], "TEST_AS_PACK=1", "CHECK=true", "TRIES=4", "WAIT=0"}
	return f
}

// link puts a tool of this machine into bin.
func link(t *testing.T, bin, tool string) {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err != nil {
		t.Skipf("%s is not installed here", tool)
	}
	if err := os.Symlink(path, filepath.Join(bin, tool)); err != nil {
		t.Fatal(err)
	}
}

// unlink takes tools away again.
func (f *fetcher) unlink(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if err := os.Remove(filepath.Join(f.bin, tool)); err != nil {
			t.Fatal(err)
		}
	}
}

func (f *fetcher) run(t *testing.T, endpoint string, args ...string) (output string, err error) {
	t.Helper()
	cmd := f.command(endpoint, args...)
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	err = cmd.Run()
	return b.String(), err
}

func (f *fetcher) command(endpoint string, args ...string) *exec.Cmd {
	cmd := exec.Command("sh", append([]string{"../fetch.sh", "--out", f.out}, args...)...)
	cmd.Env = append(f.env, "HF_ENDPOINT="+endpoint+"/")
	return cmd
}

// packed checks that the model folder is whole and nothing else is left.
func (f *fetcher) packed(t *testing.T) {
	t.Helper()
	files := readDir(t, filepath.Join(f.out, "tiny"))
	m, err := gpt2.ParseManifest([]byte(files["manifest.json"]))
	if err != nil {
		t.Fatal(err)
	}
	if m.ID != "tiny" || m.Name != "Tiny One" || m.Licence != "MIT" || m.Source.Repo != "someone/tiny" || m.Source.Revision != "abc123" {
		t.Errorf("manifest %+v", m)
	}
	if left := glob(t, f.out+"/.*"); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

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
	for _, client := range []string{"curl", "wget"} {
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
				output, err := f.run(t, h.URL, args...)
				h.lock.Lock()
				defer h.lock.Unlock()
				if test.fails != "" {
					if err == nil || !strings.Contains(output, test.fails) {
						t.Errorf("error %v, output %s", err, output)
					}
					if len(glob(t, f.out+"/tiny*")) != 0 {
						t.Errorf("a model folder in spite of it: %s", output)
					}
					return
				}
				if err != nil {
					t.Fatalf("%v: %s", err, output)
				}
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
	if output, err := f.run(t, h.URL, "tiny"); err == nil || !strings.Contains(output, "the connection broke at byte") {
		t.Fatalf("error %v, output %s", err, output)
	}
	if readDir(t, old)["manifest.json"] != "old" {
		t.Error("a run that failed took the old model away")
	}
	if output, err := f.run(t, h.URL, "tiny"); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
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
	output, err := f.run(t, h.URL, "tiny")
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	if strings.Contains(output, "secret") || len(h.tokens) == 0 || h.tokens[0] != "Bearer secret" {
		t.Errorf("tokens %q, output %s", h.tokens, output)
	}
	f = newFetcher(t, "wget", files)
	f.env = append(f.env, "HF_TOKEN=secret")
	if output, err := f.run(t, h.URL, "tiny"); err == nil || !strings.Contains(output, "needs curl") {
		t.Errorf("wget with a token: %v, %s", err, output)
	}
}

func TestFetchFromFolder(t *testing.T) {
	dir := writeCheckpoint(t)
	files := readDir(t, dir)
	f := newFetcher(t, "curl", files)
	if output, err := f.run(t, "http://127.0.0.1:1", "--from", dir, "tiny"); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	f.packed(t)
	write(t, filepath.Join(dir, "config.json"), []byte(files["config.json"]+"\n"))
	if output, err := f.run(t, "http://127.0.0.1:1", "--from", dir, "tiny"); err == nil || !strings.Contains(output, "want "+sha(files["config.json"])) {
		t.Errorf("a changed file: %v, %s", err, output)
	}
}

// Without pinned hashes the script takes the hub's, says so, and fetches that
// very revision.
func TestFetchUnpinned(t *testing.T) {
	files := readDir(t, writeCheckpoint(t))
	weightMap := `{"weight_map":{"a":"model-1.safetensors","b":"model-2.safetensors"}}`
	sharded := map[string]string{
		"config.json": files["config.json"], "model.safetensors.index.json": weightMap,
		"model-1.safetensors": string(safetensors(t, func(name string) bool { return strings.HasPrefix(name, "h.") })),
		"model-2.safetensors": string(safetensors(t, func(name string) bool { return !strings.HasPrefix(name, "h.") })),
	}
	for _, client := range []string{"curl", "wget"} {
		for name, files := range map[string]map[string]string{"whole": files, "sharded": sharded} {
			t.Run(client+"/"+name, func(t *testing.T) {
				f := newFetcher(t, client, files)
				h := newHub(t, files)
				output, err := f.run(t, h.URL, "free")
				if err != nil {
					t.Fatalf("%v: %s", err, output)
				}
				if !strings.Contains(output, "revision "+commit+" and these hashes are what the hub says") {
					t.Errorf("output %s", output)
				}
				m, err := gpt2.ParseManifest([]byte(readDir(t, filepath.Join(f.out, "free"))["manifest.json"]))
				if err != nil || m.Source.Revision != commit {
					t.Errorf("manifest %+v, %v", m, err)
				}
				if left := glob(t, f.out+"/.*"); len(left) != 0 {
					t.Errorf("left behind: %v", left)
				}
			})
		}
		t.Run(client+"/wrong", func(t *testing.T) {
			f := newFetcher(t, client, files)
			h := newHub(t, files)
			h.fault = func(w http.ResponseWriter, _ *http.Request, name string, _ int) bool {
				_, _ = io.WriteString(w, "x"+h.files[name][1:])
				return true
			}
			if output, err := f.run(t, h.URL, "free"); err == nil || !strings.Contains(output, "config.json: hash ") {
				t.Errorf("error %v, output %s", err, output)
			}
		})
	}
}

func TestFetchFromMirror(t *testing.T) {
	files := readDir(t, writeCheckpoint(t))
	h := newHub(t, files)
	f := newFetcher(t, "curl", files)
	f.env = append(f.env, "HF_TOKEN=secret")
	if output, err := f.run(t, "http://127.0.0.1:1", "--from", h.URL+"/cdn/", "tiny"); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	f.packed(t)
	if len(h.tokens) != 0 {
		t.Errorf("the mirror was given a token: %q", h.tokens)
	}
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
		if output, err := f.run(t, h.URL, args...); err == nil || !strings.Contains(output, "MB are needed") {
			t.Errorf("%v: error %v, output %s", args, err, output)
		}
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
	if output, err := f.run(t, h.URL, "tiny"); err == nil || !strings.Contains(output, "neither sha256sum nor shasum") {
		t.Errorf("no hash: %v, %s", err, output)
	}
	link(t, f.bin, "shasum")
	for _, model := range []string{"tiny", "free"} { // free: git's hash of config.json, too
		if output, err := f.run(t, h.URL, model); err != nil {
			t.Errorf("%v: %s", err, output)
		}
	}
	f.packed(t)
	f.unlink(t, "curl")
	if output, err := f.run(t, h.URL, "tiny"); err == nil || !strings.Contains(output, "neither curl nor wget") {
		t.Errorf("no client: %v, %s", err, output)
	}
}

func TestFetchHelp(t *testing.T) {
	f := newFetcher(t, "curl", readDir(t, writeCheckpoint(t)))
	output, err := f.run(t, "http://127.0.0.1:1", "--help")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"--bits", "--group", "--from", "--out", "--keep", "--list", "HF_ENDPOINT", "HF_TOKEN"} {
		if !strings.Contains(output, word) {
			t.Errorf("--help does not say %s", word)
		}
	}
	if output, err := f.run(t, "http://127.0.0.1:1", "--list"); err != nil || output != "tiny\nfree\n" {
		t.Errorf("--list: %v, %q", err, output)
	}
	if output, err := f.run(t, "http://127.0.0.1:1", "--bit"); err == nil || !strings.Contains(output, "--bit: no such option") {
		t.Errorf("--bit: %v, %s", err, output)
	}
	for _, bad := range [][]string{{"--bits", "9"}, {"--bits", "08"}, {"--bits", ""}, {"--group", "33"}, {"--group", "288"}} {
		want := bad[0] + ": " + bad[1] + ", want"
		if output, err := f.run(t, "http://127.0.0.1:1", bad...); err == nil || !strings.Contains(output, want) {
			t.Errorf("%v: %v, %s, want %q", bad, err, output, want)
		}
	}
}

// The hub sends half and waits until the script has said so.
func TestFetchProgress(t *testing.T) {
	files := readDir(t, writeCheckpoint(t))
	for _, client := range []string{"curl", "wget"} {
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
	if output, err := f.run(t, h.URL, "tiny"); err == nil || !strings.Contains(output, "does not speak") {
		t.Errorf("error %v, output %s", err, output)
	}
	if readDir(t, old)["manifest.json"] != "old" || len(glob(t, f.out+"/tiny*")) != 1 {
		t.Error("a model that failed the check is left, or took the old one's place")
	}
}
