package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
)

// Options are what differs from host to host.
type Options struct {
	Isolate        bool   // send COOP and COEP
	NoEncoding     bool   // never send Content-Encoding
	FrameAncestors string // who may embed the page; empty is nobody
}

// New is a handler that serves the files of site, and nothing else.
//
// Of x and x.br it sends whichever the client accepts, as x. A request for
// x.br itself is the same as one for x where the client accepts brotli, else
// the coded bytes as they lie there: so a page can ask for x.br on this host
// and on one that knows nothing of encodings.
func New(site fs.FS, o Options) (http.Handler, error) {
	if _, err := fs.Stat(site, "index.html"); err != nil {
		return nil, errors.New("there is no site: no index.html (make build puts it into the binary, -dir names another folder)")
	}
	if strings.ContainsAny(o.FrameAncestors, ";,\r\n") {
		return nil, fmt.Errorf("frame-ancestors: %q, want a list of sources separated by spaces", o.FrameAncestors)
	}
	return &handler{site: site, noEncoding: o.NoEncoding, headers: headers(o), tags: map[string]tagged{}}, nil
}

type handler struct {
	site       fs.FS
	noEncoding bool
	headers    map[string]string

	lock sync.Mutex
	tags map[string]tagged
}

// choice is a representation of a file: which file holds it, and how.
type choice struct {
	file   string // what is opened
	kind   string // Content-Type
	coded  bool   // send with Content-Encoding: br
	decode bool   // file is coded, send it decoded
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	allow(w, 0)
	head := w.Header()
	for name, value := range h.headers {
		head.Set(name, value)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		head.Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed)
		return
	}
	name, ok := clean(r.URL.Path)
	if !ok {
		refuse(w, http.StatusNotFound)
		return
	}
	c, ok := h.choose(name, r)
	if !ok {
		refuse(w, http.StatusNotFound)
		return
	}
	head.Set("Vary", "Accept-Encoding")
	head.Set("Cache-Control", caching(name))
	head.Set("Content-Type", c.kind)
	if err := h.send(w, r, c); err != nil {
		for _, name := range []string{"Content-Encoding", "Content-Length", "Etag", "Accept-Ranges"} {
			head.Del(name)
		}
		refuse(w, http.StatusInternalServerError)
	}
}

// allow gives the client a minute, and what size bytes take at 1 kB/s: a slow
// reader has time, one that has stopped reading is let go.
func allow(w http.ResponseWriter, size int64) {
	// A response without a connection, as in a test, has no deadline to set.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute + time.Duration(size/1024)*time.Second))
}

// clean turns the path of a URL into the name of a file. Only a path that is
// its own shortest form has one, and no part of it begins with a dot.
func clean(urlPath string) (name string, ok bool) {
	name, ok = strings.CutPrefix(urlPath, "/")
	if !ok {
		return "", false
	}
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") {
		return "", false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return "", false
		}
	}
	return name, true
}

// choose picks the representation of name that r is to get.
func (h *handler) choose(name string, r *http.Request) (choice, bool) {
	br := !h.noEncoding && acceptsBrotli(r.Header.Values("Accept-Encoding"))
	if inner, ok := strings.CutSuffix(name, ".br"); ok && inner != "" {
		if !h.isFile(name) {
			return choice{}, false
		}
		if br {
			return choice{file: name, kind: contentType(inner), coded: true}, true
		}
		return choice{file: name, kind: "application/octet-stream"}, true
	}
	plain, coded := h.isFile(name), h.isFile(name+".br")
	// A part of a file is a part of the plain one.
	if plain && r.Header.Get("Range") != "" {
		br = false
	}
	switch {
	case coded && br:
		return choice{file: name + ".br", kind: contentType(name), coded: true}, true
	case plain:
		return choice{file: name, kind: contentType(name)}, true
	case coded && !h.noEncoding:
		return choice{file: name + ".br", kind: contentType(name), decode: true}, true
	}
	return choice{}, false
}

func (h *handler) isFile(name string) bool {
	info, err := fs.Stat(h.site, name)
	return err == nil && info.Mode().IsRegular()
}

// send writes a representation. An error means that nothing was written yet.
func (h *handler) send(w http.ResponseWriter, r *http.Request, c choice) error {
	f, err := h.site.Open(c.file)
	if err != nil {
		return err
	}
	defer f.Close()
	content, err := seeker(f)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	tag, err := h.tag(c.file, info, content)
	if err != nil {
		return err
	}
	allow(w, info.Size())
	head := w.Header()
	switch {
	case c.decode:
		head.Set("Etag", `"`+tag+`-decoded"`)
		return sendDecoded(w, r, content)
	case c.coded:
		head.Set("Etag", `"`+tag+`-br"`)
		head.Set("Content-Encoding", "br")
		// net/http leaves the length out of coded answers.
		head.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
		r = r.Clone(r.Context())
		r.Header.Del("Range")
	default:
		head.Set("Etag", `"`+tag+`"`)
	}
	http.ServeContent(w, r, "", time.Time{}, content)
	return nil
}

// sendDecoded is for a client without brotli where only the .br is there. The
// length is not known, so there are no ranges.
func sendDecoded(w http.ResponseWriter, r *http.Request, coded io.Reader) error {
	if matches(r.Header.Get("If-None-Match"), w.Header().Get("Etag")) {
		w.Header().Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	if r.Method == http.MethodHead {
		return nil
	}
	// The first bytes show whether it is brotli at all, while an error can
	// still be told.
	decoded := brotli.NewReader(coded)
	first := make([]byte, 512)
	n, err := io.ReadFull(decoded, first)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if _, err := io.Copy(w, io.MultiReader(bytes.NewReader(first[:n]), decoded)); err != nil {
		panic(http.ErrAbortHandler) // cut the connection: half a file must not look whole
	}
	return nil
}

// matches is If-None-Match: a list of tags, compared weakly.
func matches(list, tag string) bool {
	for item := range strings.SplitSeq(list, ",") {
		if item = strings.TrimSpace(item); item == "*" || strings.TrimPrefix(item, "W/") == tag {
			return true
		}
	}
	return false
}

// seeker is f itself where it can seek, else its bytes.
func seeker(f fs.File) (io.ReadSeeker, error) {
	if s, ok := f.(io.ReadSeeker); ok {
		return s, nil
	}
	data, err := io.ReadAll(f)
	return bytes.NewReader(data), err
}

// tagged is a tag and the file it was made from.
type tagged struct {
	size     int64
	modified time.Time
	tag      string
}

// tag is the hash of a file's content, kept until the file changes.
func (h *handler) tag(name string, info fs.FileInfo, content io.ReadSeeker) (string, error) {
	h.lock.Lock()
	t, ok := h.tags[name]
	h.lock.Unlock()
	if ok && t.size == info.Size() && t.modified.Equal(info.ModTime()) {
		return t.tag, nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return "", err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	t = tagged{info.Size(), info.ModTime(), fmt.Sprintf("%x", sum.Sum(nil)[:16])}
	h.lock.Lock()
	h.tags[name] = t
	h.lock.Unlock()
	return t.tag, nil
}

var hashed = regexp.MustCompile(`^v-[0-9a-f]{8,64}/`)

// caching is for ever where the folder's name is a hash of what is in it;
// elsewhere a cache asks each time, and is answered 304.
func caching(name string) string {
	if hashed.MatchString(name) {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
}

func refuse(w http.ResponseWriter, code int) {
	head := w.Header()
	head.Set("Content-Type", "text/plain; charset=utf-8")
	head.Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	fmt.Fprintln(w, strings.ToLower(http.StatusText(code)))
}

// types are fixed here: what a machine's own table says does not matter.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".mjs":  "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".json": "application/json",
	".wasm": "application/wasm",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".ico":  "image/x-icon",
	".txt":  "text/plain; charset=utf-8",
	".md":   "text/plain; charset=utf-8",
	".csv":  "text/csv; charset=utf-8",
}

func contentType(name string) string {
	if t, ok := types[strings.ToLower(path.Ext(name))]; ok {
		return t
	}
	return "application/octet-stream"
}
