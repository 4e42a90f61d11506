// Command site assembles the folder that any static host serves as it is. Its
// arguments are the licence texts of all that is inside.
//
//	dist/index.html                 from web/*.html, its references made to point into v-HASH
//	dist/embed.js, serviceworker.js scripts whose address stays, anywidget.js, too
//	dist/v-HASH/                    the rest of web/ and the wasm binaries; HASH is of their content
//	dist/licences.txt               the arguments, joined
//	dist/models/index.json          the list of models
//	dist/models/ID/manifest.json    a model, and its parts
//
// Nothing in v-HASH ever changes, so it may be cached for ever; scripts in it
// import one another by relative paths. Beside each text and wasm file that
// brotli makes smaller stands its .br.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	var s site
	var models string
	flag.StringVar(&s.web, "web", "web", "folder of the page")
	flag.StringVar(&s.wasm, "wasm", "bin/wasm", "folder of the wasm binaries")
	flag.StringVar(&models, "models", "weights/default", "folders of model folders, with commas; one that is missing is passed over")
	flag.StringVar(&s.cache, "cache", "", "folder that keeps compressed files from one run to the next")
	flag.IntVar(&s.quality, "quality", 11, "brotli quality, 0 to 11: 5 is quick and a sixth larger")
	flag.StringVar(&s.out, "out", "dist", "folder to write; what is in it goes")
	flag.Parse()
	s.models = strings.Split(models, ",")
	s.licences = flag.Args()
	if err := s.build(); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}
