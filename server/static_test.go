package main

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
)

func br(text string) *fstest.MapFile {
	var b bytes.Buffer
	w := brotli.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return &fstest.MapFile{Data: b.Bytes()}
}

var (
	script = "export const answer = 42;" + strings.Repeat(" // on and on", 20)
	part   = strings.Repeat("weights ", 500)
	files  = fstest.MapFS{
		"index.html":                 {Data: []byte("<!doctype html><title>page</title>")},
		"v-0123456789ab/app.js":      {Data: []byte(script)},
		"v-0123456789ab/app.js.br":   br(script),
		"v-0123456789ab/engine.wasm": {Data: []byte("\x00asm")},
		"v-0123456789ab/style.css":   {Data: []byte("body{}")},
		"v-notahash/app.js":          {Data: []byte(script)},
		"models/a/manifest.json":     {Data: []byte("{}")},
		"models/a/part-000.bin.br":   br(part),
		"models/a/broken.bin.br":     {Data: []byte("this is not brotli at all")},
		"docs/index.html":            {Data: []byte("docs")},
		"<b>.txt":                    {Data: []byte("text")},
		".secret":                    {Data: []byte("secret")},
		".git/config":                {Data: []byte("secret")},
	}
	coded = map[string]string{
		"app.js": string(files["v-0123456789ab/app.js.br"].Data),
		"part":   string(files["models/a/part-000.bin.br"].Data),
	}
)

func handlerOf(t testing.TB, o Options) http.Handler {
	t.Helper()
	h, err := New(files, o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// ask sends a request with headers "Name: value".
func ask(h http.Handler, method, url string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, "http://host/", nil)
	r.URL.Path = url // as it is: NewRequest would refuse some of the tests' paths
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t testing.TB, r *http.Response) string {
	t.Helper()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRepresentations(t *testing.T) {
	const (
		js   = "text/javascript; charset=utf-8"
		bin  = "application/octet-stream"
		app  = "/v-0123456789ab/app.js"
		ppp  = "/models/a/part-000.bin"
		ever = "public, max-age=31536000, immutable"
		ask1 = "no-cache"
	)
	tests := []struct {
		name     string
		options  Options
		path     string
		accept   string
		encoding string
		kind     string
		cache    string
		body     string
	}{
		{"the page", Options{}, "/", "br", "", "text/html; charset=utf-8", ask1, "<!doctype html><title>page</title>"},
		{"the page by name", Options{}, "/index.html", "br", "", "text/html; charset=utf-8", ask1, "<!doctype html><title>page</title>"},
		{"a folder", Options{}, "/docs/", "", "", "text/html; charset=utf-8", ask1, "docs"},
		{"a name with markup", Options{}, "/<b>.txt", "", "", "text/plain; charset=utf-8", ask1, "text"},
		{"coded", Options{}, app, "gzip, deflate, br, zstd", "br", js, ever, coded["app.js"]},
		{"plain", Options{}, app, "", "", js, ever, script},
		{"br;q=0", Options{}, app, "br;q=0, *", "", js, ever, script},
		{"only br, identity refused", Options{}, app, "br, identity;q=0", "br", js, ever, coded["app.js"]},
		{"a folder like a hash", Options{}, "/v-notahash/app.js", "br", "", js, ask1, script},
		{"wasm", Options{}, "/v-0123456789ab/engine.wasm", "br", "", "application/wasm", ever, "\x00asm"},
		{"css", Options{}, "/v-0123456789ab/style.css", "br", "", "text/css; charset=utf-8", ever, "body{}"},
		{"json", Options{}, "/models/a/manifest.json", "br", "", "application/json", ask1, "{}"},
		{"a part", Options{}, ppp, "br", "br", bin, ask1, coded["part"]},
		{"a part, decoded here", Options{}, ppp, "gzip", "", bin, ask1, part},
		{"a coded part by name", Options{}, ppp + ".br", "br", "br", bin, ask1, coded["part"]},
		{"a coded part as it is", Options{}, ppp + ".br", "gzip", "", bin, ask1, coded["part"]},
		{"a coded script by name", Options{}, app + ".br", "br", "br", js, ever, coded["app.js"]},
		{"a plain host", Options{NoEncoding: true}, app, "br", "", js, ever, script},
		{"a plain host, a coded part", Options{NoEncoding: true}, ppp + ".br", "br", "", bin, ask1, coded["part"]},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := handlerOf(t, test.options)
			got := ask(h, "GET", test.path, "Accept-Encoding: "+test.accept)
			if got.StatusCode != 200 {
				t.Fatalf("status %d", got.StatusCode)
			}
			for name, want := range map[string]string{
				"Content-Encoding": test.encoding, "Content-Type": test.kind, "Cache-Control": test.cache, "Vary": "Accept-Encoding",
			} {
				if value := got.Header.Get(name); value != want {
					t.Errorf("%s: %q, want %q", name, value, want)
				}
			}
			if text := body(t, got); text != test.body {
				t.Errorf("body of %d bytes, want %d", len(text), len(test.body))
			}
			decodedHere := test.name == "a part, decoded here"
			if want := strconv.Itoa(len(test.body)); !decodedHere && got.Header.Get("Content-Length") != want {
				t.Errorf("Content-Length %q, want %s", got.Header.Get("Content-Length"), want)
			}

			head := ask(h, "HEAD", test.path, "Accept-Encoding: "+test.accept)
			if text := body(t, head); text != "" {
				t.Errorf("HEAD has a body of %d bytes", len(text))
			}
			for _, name := range []string{"Content-Encoding", "Content-Type", "Content-Length", "Etag"} {
				if head.Header.Get(name) != got.Header.Get(name) {
					t.Errorf("HEAD has %s %q, GET %q", name, head.Header.Get(name), got.Header.Get(name))
				}
			}

			again := ask(h, "GET", test.path, "Accept-Encoding: "+test.accept, "If-None-Match: \"x\", "+got.Header.Get("Etag"))
			if again.StatusCode != 304 || body(t, again) != "" || again.Header.Get("Content-Encoding") != "" {
				t.Errorf("If-None-Match: status %d, %v", again.StatusCode, again.Header)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	tests := []struct {
		name, method, path string
		options            Options
		want               int
	}{
		{"nothing there", "GET", "/nothing", Options{}, 404},
		{"nothing there, coded", "GET", "/nothing.br", Options{}, 404},
		{"a folder without a page", "GET", "/models/", Options{}, 404},
		{"a folder as a file", "GET", "/models", Options{}, 404},
		{"a file as a folder", "GET", "/index.html/", Options{}, 404},
		{"dot dot", "GET", "/../static.go", Options{}, 404},
		{"dot dot inside", "GET", "/models/../index.html", Options{}, 404},
		{"dot dot at the end", "GET", "/models/..", Options{}, 404},
		{"a dot", "GET", "/./index.html", Options{}, 404},
		{"two slashes", "GET", "//index.html", Options{}, 404},
		{"a hidden file", "GET", "/.secret", Options{}, 404},
		{"a hidden folder", "GET", "/.git/config", Options{}, 404},
		{"a backslash", "GET", `/..\index.html`, Options{}, 404},
		{"a NUL", "GET", "/index.html\x00", Options{}, 404},
		{"not UTF-8", "GET", "/\xff", Options{}, 404},
		{"no slash", "GET", "index.html", Options{}, 404},
		{"no path", "GET", "", Options{}, 404},
		{"just .br", "GET", "/.br", Options{}, 404},
		{"a plain host decodes nothing", "GET", "/models/a/part-000.bin", Options{NoEncoding: true}, 404},
		{"broken brotli", "GET", "/models/a/broken.bin", Options{}, 500},
		{"post", "POST", "/", Options{}, 405},
		{"options", "OPTIONS", "*", Options{}, 405},
		{"delete", "DELETE", "/index.html", Options{}, 405},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ask(handlerOf(t, test.options), test.method, test.path)
			if got.StatusCode != test.want {
				t.Errorf("status %d, want %d", got.StatusCode, test.want)
			}
			if allow := got.Header.Get("Allow"); (allow == "GET, HEAD") != (test.want == 405) {
				t.Errorf("Allow: %q", allow)
			}
			if got.Header.Get("Cache-Control") != "no-store" || got.Header.Get("Etag") != "" {
				t.Errorf("a refusal that could be kept: %v", got.Header)
			}
			if text := body(t, got); strings.Contains(text, "secret") || strings.Contains(text, "models") {
				t.Errorf("body %q", text)
			}
		})
	}
}

func TestTagsDiffer(t *testing.T) {
	h := handlerOf(t, Options{})
	seen := map[string]string{}
	for _, c := range [][2]string{
		{"/v-0123456789ab/app.js", "br"},
		{"/v-0123456789ab/app.js", ""},
		{"/v-0123456789ab/app.js.br", ""},
		{"/models/a/part-000.bin", ""},
		{"/models/a/part-000.bin.br", ""},
		{"/models/a/part-000.bin.br", "br"},
	} {
		tag := ask(h, "GET", c[0], "Accept-Encoding: "+c[1]).Header.Get("Etag")
		if !strings.HasPrefix(tag, `"`) {
			t.Errorf("%v: tag %q is not a strong one", c, tag)
		}
		if other, ok := seen[tag]; ok {
			t.Errorf("%v has the tag of %s", c, other)
		}
		seen[tag] = c[0] + " " + c[1]
	}
}

func TestTagFollowsContent(t *testing.T) {
	site := fstest.MapFS{"index.html": {Data: []byte("one")}}
	h, err := New(site, Options{})
	if err != nil {
		t.Fatal(err)
	}
	before := ask(h, "GET", "/").Header.Get("Etag")
	site["index.html"] = &fstest.MapFile{Data: []byte("another")}
	got := ask(h, "GET", "/", "If-None-Match: "+before)
	if got.StatusCode != 200 || body(t, got) != "another" {
		t.Errorf("a changed file is answered %d", got.StatusCode)
	}
}

func TestRange(t *testing.T) {
	h := handlerOf(t, Options{})
	const app = "/v-0123456789ab/app.js"
	tag := ask(h, "GET", app).Header.Get("Etag")
	tests := []struct {
		name, path, rng, more string
		status                int
		body, content         string
	}{
		{"first", app, "bytes=0-5", "", 206, script[:6], "bytes 0-5/" + strconv.Itoa(len(script))},
		{"first, though br is accepted", app, "bytes=0-5", "Accept-Encoding: br", 206, script[:6], "bytes 0-5/" + strconv.Itoa(len(script))},
		{"last", app, "bytes=-4", "", 206, script[len(script)-4:], ""},
		{"same file", app, "bytes=0-0", "If-Range: " + tag, 206, script[:1], ""},
		{"another file", app, "bytes=0-0", `If-Range: "other"`, 200, script, ""},
		{"behind the end", app, "bytes=9999-", "", 416, "invalid range: failed to overlap\n", "bytes */" + strconv.Itoa(len(script))},
		{"nonsense", app, "bytes=x", "", 416, "invalid range\n", ""},
		{"of the coded file", "/models/a/part-000.bin.br", "bytes=1-3", "", 206, coded["part"][1:4], ""},
		{"of an encoding", "/models/a/part-000.bin.br", "bytes=1-3", "Accept-Encoding: br", 200, coded["part"], ""},
		{"of what is decoded here", "/models/a/part-000.bin", "bytes=1-3", "", 200, part, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ask(h, "GET", test.path, "Range: "+test.rng, test.more)
			if got.StatusCode != test.status {
				t.Fatalf("status %d, want %d", got.StatusCode, test.status)
			}
			if text := body(t, got); text != test.body {
				t.Errorf("body %q", text)
			}
			if test.content != "" && got.Header.Get("Content-Range") != test.content {
				t.Errorf("Content-Range %q, want %q", got.Header.Get("Content-Range"), test.content)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	plain := handlerOf(t, Options{FrameAncestors: "*"})
	for _, path := range []string{"/", "/nothing", "/v-0123456789ab/app.js"} {
		h := ask(plain, "GET", path).Header
		policy := h.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "base-uri 'none'", "require-trusted-types-for 'script'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: policy %q lacks %s", path, policy, want)
			}
		}
		if strings.Contains(policy, "'unsafe-inline'") || strings.Contains(policy, "'unsafe-eval'") {
			t.Errorf("%s: policy %q", path, policy)
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options":       "nosniff",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Resource-Policy": "cross-origin",
			"Cross-Origin-Opener-Policy":   "",
			"Cross-Origin-Embedder-Policy": "",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s %q, want %q", path, name, got, want)
			}
		}
	}

	h := ask(handlerOf(t, Options{Isolate: true}), "GET", "/").Header
	if h.Get("Cross-Origin-Opener-Policy") != "same-origin" || h.Get("Cross-Origin-Embedder-Policy") != "require-corp" {
		t.Errorf("isolated: %v", h)
	}
	if !strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("no ancestors: %q", h.Get("Content-Security-Policy"))
	}
	if _, err := New(files, Options{FrameAncestors: "a; script-src *"}); err == nil {
		t.Error("frame-ancestors that ends the directive is taken")
	}
}

func TestNewWithoutSite(t *testing.T) {
	if _, err := New(fstest.MapFS{".keep": {}}, Options{}); err == nil || !strings.Contains(err.Error(), "make build") {
		t.Errorf("error %v, want one that says make build", err)
	}
}

func TestAcceptsBrotli(t *testing.T) {
	tests := map[string]bool{
		"": false, "br": true, "BR": true, " br ": true, "gzip, br": true, "gzip": false, "*": true, "*;q=0": false,
		"br;q=0": false, "br;q=0.000": false, "br; q=0.001": true, "br;q=1": true, "br ; Q = 0.5": true, "br;q=2": false,
		"br;q=-1": false, "br;q=x": false, "br;q=": false, "br;x=1": false, "br;q=NaN": false, "br;q=1e-3": false,
		"*;q=0, br": true, "*, br;q=0": false, "identity;q=0": false, "brotli": false, "x-br": false, ",,br,,": true,
	}
	for header, want := range tests {
		if got := acceptsBrotli([]string{header}); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
	if !acceptsBrotli([]string{"gzip", "br"}) {
		t.Error("the second of two fields is not read")
	}
}

func FuzzAcceptEncoding(f *testing.F) {
	for _, seed := range []string{"", "br", "gzip, br;q=0.5", "*;q=0, br", "br;q=0", "br;;q=1", ";q=1", "br;q=1;q=0"} {
		f.Add(seed)
	}
	h := handlerOf(f, Options{})
	f.Fuzz(func(t *testing.T, header string) {
		got := ask(h, "GET", "/v-0123456789ab/app.js", "Accept-Encoding: "+header)
		text := body(t, got)
		switch got.Header.Get("Content-Encoding") {
		case "br":
			if lower := strings.ToLower(header); !strings.Contains(lower, "br") && !strings.Contains(lower, "*") {
				t.Errorf("%q is sent br", header)
			}
			if text != coded["app.js"] {
				t.Errorf("%q: body of %d bytes", header, len(text))
			}
		case "":
			if text != script {
				t.Errorf("%q: body of %d bytes", header, len(text))
			}
		default:
			t.Errorf("%q: Content-Encoding %q", header, got.Header.Get("Content-Encoding"))
		}
	})
}

func FuzzPath(f *testing.F) {
	for name := range files {
		f.Add("/" + name)
	}
	for _, seed := range []string{"/", "/docs/", "/../x", "//", "/.", "/.br", "/a\\b", "/\x00", "/%2e%2e/"} {
		f.Add(seed)
	}
	h := handlerOf(f, Options{})
	f.Fuzz(func(t *testing.T, path string) {
		got := ask(h, "GET", path)
		text := body(t, got)
		if got.StatusCode != 200 {
			return
		}
		name, ok := strings.CutPrefix(path, "/")
		if !ok || strings.Contains("/"+name, "/.") {
			t.Fatalf("%q is served", path)
		}
		if name == "" || strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		if want, err := fs.ReadFile(files, name); err == nil {
			if text != string(want) {
				t.Errorf("%q: not the file", path)
			}
		} else if _, err := fs.Stat(files, name+".br"); err != nil {
			t.Errorf("%q is served, but is not there", path)
		}
	})
}
