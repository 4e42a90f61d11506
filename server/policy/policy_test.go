package policy

import (
	"os"
	"strings"
	"testing"
)

// What other servers are told to send, and what the page is told of its own
// policies, is what stands here.
func TestTheSameElsewhere(t *testing.T) {
	for name, want := range map[string]string{
		"../../docs/hosting/nginx.conf": Header("*"),
		"../../docs/hosting/Caddyfile":  Header("*"),
		"../../web/trusted.js":          `createPolicy("playground"`,
	} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %s", name, want)
		}
	}
}

func TestAncestors(t *testing.T) {
	for ancestors, want := range map[string]string{
		"":                       "; frame-ancestors 'none'",
		" ":                      "; frame-ancestors 'none'",
		"*":                      "",
		" * ":                    "",
		"https://course.example": "; frame-ancestors https://course.example",
		"* file:":                "; frame-ancestors * file:",
	} {
		if got := Header(ancestors); got != Page+want {
			t.Errorf("%q: %s, want %q at the end", ancestors, got, want)
		}
	}
}
