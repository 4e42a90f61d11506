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

var clients = []string{"curl", "wget"}

// noHost answers nobody.
const noHost = "http://127.0.0.1:1"

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

// succeed runs it and gives what it said.
func (f *fetcher) succeed(t *testing.T, endpoint string, args ...string) string {
	t.Helper()
	output, err := f.run(t, endpoint, args...)
	if err != nil {
		t.Fatalf("%v: %v: %s", args, err, output)
	}
	return output
}

// fail runs it and gives what it said: it must end badly and say want.
func (f *fetcher) fail(t *testing.T, want, endpoint string, args ...string) string {
	t.Helper()
	output, err := f.run(t, endpoint, args...)
	if err == nil || !strings.Contains(output, want) {
		t.Errorf("%v: error %v, want %q in %s", args, err, want, output)
	}
	return output
}

// empty checks that there is no folder of the model, whole or not.
func (f *fetcher) empty(t *testing.T, model string) {
	t.Helper()
	if left := glob(t, filepath.Join(f.out, model+"*")); len(left) != 0 {
		t.Errorf("a model folder in spite of it: %v", left)
	}
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
