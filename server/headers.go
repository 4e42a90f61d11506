package main

import (
	"strconv"
	"strings"

	"decodingplayground/server/policy"
)

// headers are those of every answer. The page needs nothing from elsewhere and
// sends nothing anywhere: the policy makes a browser hold it to that.
func headers(o Options) map[string]string {
	h := map[string]string{
		"Content-Security-Policy":      policy.Header(o.FrameAncestors),
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
		"Permissions-Policy":           "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
		"Cross-Origin-Resource-Policy": "cross-origin",
	}
	if o.Isolate {
		h["Cross-Origin-Opener-Policy"] = "same-origin"
		h["Cross-Origin-Embedder-Policy"] = "require-corp"
	}
	return h
}

// acceptsBrotli reads Accept-Encoding: br, or * where br is not named, with a
// weight above 0. What cannot be read as a list of codings accepts nothing.
func acceptsBrotli(fields []string) bool {
	star, named, br := false, false, false
	for item := range strings.SplitSeq(strings.Join(fields, ","), ",") {
		coding, params, _ := strings.Cut(item, ";")
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "br":
			named, br = true, weight(params) > 0
		case "*":
			star = weight(params) > 0
		}
	}
	if named {
		return br
	}
	return star
}

// weight is the q of a coding: 1 where none is given, 0 where it is not a
// number from 0 to 1.
func weight(params string) float64 {
	if strings.TrimSpace(params) == "" {
		return 1
	}
	name, value, ok := strings.Cut(params, "=")
	if !ok || !strings.EqualFold(strings.TrimSpace(name), "q") {
		return 0
	}
	value = strings.TrimSpace(value)
	if strings.Trim(value, "0123456789.") != "" {
		return 0
	}
	q, err := strconv.ParseFloat(value, 64)
	if err != nil || q > 1 {
		return 0
	}
	return q
}
