// Command cost draws what BenchmarkCost of core/gpt2 measured:
//
//	go test -run '^$' -bench Cost -count 5 ./core/gpt2 | go run ./tools/cost >docs/cost.svg
//
// Each point is the fastest of its runs: what else the machine does only adds.
package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
	os.Stdout.WriteString(draw(parse(string(text))))
}

// point is milliseconds over a count.
type point struct {
	x  int
	ms float64
}

var result = regexp.MustCompile(`(?m)^BenchmarkCost/(\w+)=(\d+)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`)

// parse is the fastest run of each point, by what was counted, in order.
func parse(text string) map[string][]point {
	best := map[string]map[int]float64{}
	for _, m := range result.FindAllStringSubmatch(text, -1) {
		x, _ := strconv.Atoi(m[2])
		ns, _ := strconv.ParseFloat(m[3], 64)
		if best[m[1]] == nil {
			best[m[1]] = map[int]float64{}
		}
		if old, ok := best[m[1]][x]; !ok || ns < old {
			best[m[1]][x] = ns
		}
	}
	lines := map[string][]point{}
	for name, points := range best {
		for x, ns := range points {
			lines[name] = append(lines[name], point{x, ns / 1e6})
		}
		slices.SortFunc(lines[name], func(a, b point) int { return a.x - b.x })
	}
	return lines
}

const (
	width, height = 300, 220 // of a panel
	left, bottom  = 40, 40
	right, top    = 14, 26
)

var panels = []struct{ name, title string }{
	{"context", "a step over tokens of context"},
	{"texts", "a step over texts at once"},
	{"vocabulary", "the head over tokens of vocabulary"},
}

// draw is three panels side by side, in milliseconds from 0.
func draw(lines map[string][]point) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">\n", len(panels)*width, height)
	b.WriteString("<title>What a token costs</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n")
	for i, p := range panels {
		panel(&b, i*width, p.title, lines[p.name])
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func panel(b *strings.Builder, at int, title string, points []point) {
	most, far := 1.0, 1
	for _, p := range points {
		most, far = max(most, p.ms), max(far, p.x)
	}
	step := 1.0
	for most/step > 5 {
		step *= 2
	}
	x := func(v int) float64 { return float64(at+left) + float64(v)/float64(far)*(width-left-right) }
	y := func(ms float64) float64 { return height - bottom - ms/(most*1.05)*(height-top-bottom) }
	fmt.Fprintf(b, "<text x=\"%d\" y=\"14\">ms: %s</text>\n", at+8, title)
	for v := 0.0; v <= most*1.05; v += step {
		fmt.Fprintf(b, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", x(0), y(v), x(far), at+left-5, y(v)+4, v)
	}
	var path []string
	for i, p := range points {
		path = append(path, fmt.Sprintf("%.1f,%.1f", x(p.x), y(p.ms)))
		fmt.Fprintf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"#0b6e99\"/>\n", x(p.x), y(p.ms))
		if i == 0 || i == len(points)-1 || i == len(points)/2 {
			fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", x(p.x), height-bottom+16, p.x)
		}
	}
	fmt.Fprintf(b, "<polyline points=\"%s\" fill=\"none\" stroke=\"#0b6e99\" stroke-width=\"2\"/>\n", strings.Join(path, " "))
}
