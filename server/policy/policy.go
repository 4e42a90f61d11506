// Package policy is what browsers are told that the page may do. The server
// sends it with every answer; the tool that assembles the site writes it into
// the pages, too, for hosts that send no headers of their own.
package policy

import "strings"

// Page is the Content-Security-Policy of a page: everything from where it came
// from, nothing inline, no text that becomes code or markup. The policies that
// may make addresses of workers are those of web/trusted.js.
var Page = strings.Join([]string{
	"default-src 'none'",
	"script-src 'self' 'wasm-unsafe-eval'",
	"style-src 'self'",
	"img-src 'self' data: blob:",
	"connect-src 'self'",
	"worker-src 'self'",
	"frame-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"require-trusted-types-for 'script'",
	"trusted-types playground default",
}, "; ")

// Header is the policy for the header of an answer, which can also say who may
// show the page in a frame: ancestors is a list of sources, empty is nobody, "*"
// anybody. That is said by silence: to a browser * is what came over a network, which
// leaves out notes that are opened from a disk or in an editor.
func Header(ancestors string) string {
	switch strings.TrimSpace(ancestors) {
	case "*":
		return Page
	case "":
		ancestors = "'none'"
	}
	return Page + "; frame-ancestors " + ancestors
}
