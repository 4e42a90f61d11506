package main

import (
	"fmt"
	"math"
	"strings"
)

// line is a model's divergence by bitsTried.
type line struct {
	name string
	kl   []float64
}

const (
	width, height = 640, 360
	left, right   = 60, 150
	top, bottom   = 20, 40
	lowest        = -5 // powers of ten of the axis
	highest       = 0
)

var colours = []string{"#0b6e99", "#c2410c", "#15803d", "#7c3aed", "#b45309", "#be185d", "#4d7c0f", "#334155"}

// plot draws the divergence over the bits, on a logarithmic axis.
func plot(lines []line) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n", width, height)
	fmt.Fprintf(&b, "<title>KL divergence from float32 by bits of a weight</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height)
	for p := lowest; p <= highest; p++ {
		at := y(math.Pow(10, float64(p)))
		fmt.Fprintf(&b, "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">1e%d</text>\n", left, at, width-right, left-6, at+4, p)
	}
	for _, bits := range bitsTried {
		fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d bits</text>\n", x(bits), height-bottom+18, bits)
	}
	fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\">nats a token</text>\n", left, top-6)
	for i, l := range lines {
		colour := colours[i%len(colours)]
		var points []string
		for j, kl := range l.kl {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(bitsTried[j]), y(kl)))
		}
		fmt.Fprintf(&b, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", strings.Join(points, " "), colour)
		key := top + 10 + 18*i
		fmt.Fprintf(&b, "<path d=\"M%d %dh14\" stroke=\"%s\" stroke-width=\"2\"/><text x=\"%d\" y=\"%d\">%s</text>\n", width-right+12, key-4, colour, width-right+32, key, l.name)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func x(bits int) float64 {
	first, last := bitsTried[0], bitsTried[len(bitsTried)-1]
	return left + 30 + float64(first-bits)/float64(first-last)*(width-left-right-60)
}

func y(kl float64) float64 {
	power := min(max(math.Log10(kl), lowest), highest)
	return top + (highest-power)/(highest-lowest)*(height-top-bottom)
}
