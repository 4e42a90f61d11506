package main

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzRequest serves whatever arrives on a connection and parses as HTTP. Each
// answer is one of a few statuses and carries the policy; what it sends is a
// file of the site, whole or the part that it says, coded as it says.
func FuzzRequest(f *testing.F) {
	f.Add([]byte("GET / HTTP/1.1\r\nHost: h\r\n\r\n"))
	f.Add([]byte("GET /v-0123456789ab/app.js HTTP/1.1\r\nHost: h\r\nAccept-Encoding: br\r\nRange: bytes=1-3\r\n\r\n"))
	f.Add([]byte("GET /models/a/part-000.bin HTTP/1.1\r\nHost: h\r\nRange: bytes=0-1,5-6,-2\r\n\r\n"))
	f.Add([]byte("HEAD /index.html HTTP/1.1\r\nHost: h\r\nRange: bytes=-1\r\nIf-Range: \"x\"\r\n\r\n"))
	f.Add([]byte("GET http://other/..%2f..%2fetc/passwd HTTP/1.1\r\nHost: h\r\nIf-None-Match: *\r\n\r\n"))
	f.Add([]byte("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"))
	h := handlerOf(f, Options{FrameAncestors: "*"})
	bodies := map[string]bool{part: true}
	for _, file := range files {
		bodies[string(file.Data)] = true
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(string(raw))))
		if err != nil {
			return
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		got := w.Result()
		text := body(t, got)
		if got.Header.Get("Content-Security-Policy") == "" || got.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%q: headers %v", raw, got.Header)
		}
		if r.Method == http.MethodHead {
			return // net/http sends nothing of a body
		}
		switch got.StatusCode {
		case 200:
			if !bodies[text] {
				t.Errorf("%q: 200 with %d bytes of no file", raw, len(text))
			}
		case 206:
			checkPart(t, got, text, bodies)
		case 304, 404, 405, 412, 416, 500:
		default:
			t.Errorf("%q: status %d", raw, got.StatusCode)
		}
	})
}

// checkPart sees that a 206 is what its Content-Range says, of some file.
func checkPart(t *testing.T, got *http.Response, text string, bodies map[string]bool) {
	t.Helper()
	if got.Header.Get("Content-Encoding") != "" {
		t.Errorf("part of an encoding: %v", got.Header)
	}
	if strings.HasPrefix(got.Header.Get("Content-Type"), "multipart/byteranges") {
		return
	}
	var from, to, size int
	content := got.Header.Get("Content-Range")
	if _, err := fmt.Sscanf(content, "bytes %d-%d/%d", &from, &to, &size); err != nil {
		t.Fatalf("Content-Range %q: %v", content, err)
	}
	for whole := range bodies {
		if len(whole) == size && from >= 0 && to < size && from <= to && whole[from:to+1] == text {
			return
		}
	}
	t.Errorf("%s: %q is part of no file", content, text)
}
