# Decoding Playground. `make help` lists the targets.

SHELL = bash
.SHELLFLAGS = -eu -o pipefail -c

export GOTOOLCHAIN = go$(shell sed -n "s/^go //p" go.mod)
# What is built says nothing of the folder or the commit that it was built in.
export GOFLAGS += -buildvcs=false
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD = 1

ADDR     ?= 127.0.0.1:8080
FUZZTIME ?= 30
COUNT    ?= 6
BENCH    ?= .
BENCHMARK = -cpu 1 -run '^$$' -skip Cost -bench '$(BENCH)' -benchmem -benchtime 100ms -count $(COUNT)
QUALITY  ?= 11
PEERS    ?= bin/peers
ROUNDS   ?= 3
ONLY     ?= playground,ort-int8-t1,ort-fp32-t1,wllama-q8_0-t1,roofline

WASM_ENV  = GOOS=js GOARCH=wasm
WASM_PKGS = ./core/... ./tokenizer/... ./wasm/...
WASM_ONLY = ./core/kernel/... ./core/fmath/... ./core/rows/... ./wasm/...
WASM_EXEC = PATH="$$PATH:$$(go env GOROOT)/lib/wasm" $(WASM_ENV)
# Without the second version of encoding/json, on which the first is built since
# Go 1.26, the engine is a seventh smaller.
SMALL     = $(WASM_ENV) GOEXPERIMENT=nojsonv2
LEAN      = -trimpath -ldflags="-s -w" -modfile=bin/wasm.mod
PLATFORMS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
VENDOR    = web/vendor/echarts.esm.min.js web/vendor/wasm_exec.js
GO_DIRS   = core tokenizer wasm server weights tools

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOFUMPT     = mvdan.cc/gofumpt@v0.12.0
CYCLONEDX   = github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0
BENCHSTAT   = golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da

# The texts of dist/licences.txt.
LICENCES = THIRD_PARTY.md LICENSE $$(go env GOROOT)/LICENSE \
  $$(go list -m -f '{{.Dir}}/LICENSE' github.com/norunners/vert github.com/go-echarts/go-echarts/v2 github.com/andybalholm/brotli) \
  $(addprefix node_modules/,echarts/LICENSE echarts/NOTICE echarts/licenses/LICENSE-d3 zrender/LICENSE tslib/LICENSE.txt)

.PHONY: help run build site test test-go test-wasm test-js test-oracle e2e load-times small load-site screenshot lint lint-go lint-js fmt bench cost bench-peers fuzz soak webkit nightly hosting load release reproducible clean wasm

help: ## lists the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

# To try or test it, quick compression will do: a second, not forty.
run e2e screenshot: QUALITY = 5

run: build ## builds everything and serves it on ADDR
	bin/playground -addr $(ADDR)

build: site ## bin/playground: the server with the site inside, one file
	@find server/site -mindepth 1 ! -name .keep -delete
	cp -R dist/. server/site/
	go build -trimpath -ldflags="-s -w" -o bin/playground ./server

site: wasm $(VENDOR) ## dist/: a folder that any static host serves as it is
	go run ./tools/site -web web -wasm bin/wasm -models weights/default,weights/models \
	  -cache bin/brotli -quality $(QUALITY) -out dist $(LICENCES)

wasm: bin/wasm.mod
	@mkdir -p bin/wasm
	$(SMALL) go build $(LEAN) -o bin/wasm/engine.wasm ./wasm
	$(SMALL) go build $(LEAN) -tags purego -o bin/wasm/engine-nosimd.wasm ./wasm
	$(SMALL) go build $(LEAN) -o bin/wasm/pack.wasm ./wasm/pack
	$(WASM_ENV) go build $(LEAN) -o bin/wasm/unbrotli.wasm ./wasm/unbrotli

# Two libraries without a file of theirs that nothing here uses: brotli's helper
# for HTTP servers, which brings net/http along and would make unbrotli.wasm nearly
# twice as large, and go-echarts' functions of JavaScript, which bring regexp and the
# tables of Unicode along, a twentieth of the engine.
bin/wasm.mod: go.mod go.sum Makefile
	@rm -rf bin/.lib && mkdir -p bin/.lib
	@go mod download github.com/andybalholm/brotli github.com/go-echarts/go-echarts/v2
	@cp -R "$$(go list -m -f '{{.Dir}}' github.com/andybalholm/brotli)" bin/.lib/brotli
	@cp -R "$$(go list -m -f '{{.Dir}}' github.com/go-echarts/go-echarts/v2)" bin/.lib/go-echarts
	@chmod -R u+w bin/.lib
	@rm -r bin/.lib/brotli/{http.go,*_test.go,testdata,corpus-test} bin/.lib/go-echarts/opts/{js.go,*_test.go}
	@cp go.sum bin/wasm.sum
	@sed -e '$$a replace github.com/andybalholm/brotli => ./bin/.lib/brotli' \
	  -e '$$a replace github.com/go-echarts/go-echarts/v2 => ./bin/.lib/go-echarts' go.mod >$@

test: ## every check there is
	$(MAKE) --no-print-directory -j2 -O lint-go lint-js test-go test-wasm test-js
	$(MAKE) --no-print-directory e2e

test-go: ## native Go tests
	go test -timeout 20m ./...

test-wasm: ## the same tests as WebAssembly under Node, with and without SIMD
	$(WASM_EXEC) go test -timeout 20m $(WASM_PKGS)
	$(WASM_EXEC) go test -timeout 20m -tags purego ./core/kernel/... ./core/fmath/... ./core/rows/... ./core/gpt2/...

test-js: wasm web/vendor/wasm_exec.js ## what of the page runs without a browser
	node --test $(wildcard web/*.test.js web/*/*.test.js)

test-oracle: ## tests against another folder of recorded transformers results, ORACLE_DIR
	@test -d "$(ORACLE_DIR)" || { echo "ORACLE_DIR: \"$(ORACLE_DIR)\" is no folder" >&2; exit 1; }
	@mkdir -p bin
	@ORACLE_DIR="$(abspath $(ORACLE_DIR))" go test -count=1 -v ./core/... ./tokenizer/... >bin/oracle.log 2>&1 \
	  || { grep -vE '^ *(=== |--- PASS)' bin/oracle.log; exit 1; }
	@grep -oE 'oracle: .*|^ok .*' bin/oracle.log | sort

e2e: build node_modules/.package-lock.json ## drives a real browser against the built server
	npx playwright test -c e2e

load-times: load-site node_modules/.package-lock.json ## times and memory of loading a GPT-2 124M of random weights
	node e2e/loadtimes.js bin/load/site bin/load/checkpoint

small: load-site node_modules/.package-lock.json ## a GPT-2 124M on a device of 2 GB; Linux, as root
	sh e2e/small/inside.sh 2G npx playwright test -c e2e/small

load-site: build
	test -e bin/load/checkpoint || go run ./tools/random bin/load/checkpoint
	for b in 8 6; do test -e bin/load/models/random-$$b || \
	  go run ./weights/pack -bits $$b -name "Random 124M, $$b bits" bin/load/checkpoint bin/load/models/random-$$b; done
	go run ./tools/site -web web -wasm bin/wasm -models weights/default,bin/load/models \
	  -cache bin/brotli -quality $(QUALITY) -out bin/load/site $(LICENCES)

screenshot: build node_modules/.package-lock.json ## docs/screenshot.png, by the e2e run
	npx playwright test -c e2e --project chromium -g "picture of the README"
	@mkdir -p docs
	cp e2e/out/shots/screenshot.png docs/screenshot.png

lint: lint-go lint-js ## every check that runs nothing

lint-go: bin/staticcheck bin/gofumpt ## of Go and shell
	@out="$$(bin/gofumpt -l $(GO_DIRS))"; test -z "$$out" || { echo "not formatted (make fmt):"; echo "$$out"; exit 1; }
	@out="$$(go fix -diff ./... 2>&1)" && test -z "$$out" || { echo "$$out"; echo "old ways to say it (go fix ./...)"; exit 1; }
	go vet ./...
	@# What has files for WebAssembly alone.
	$(WASM_ENV) go vet $(WASM_ONLY)
	bin/staticcheck ./...
	$(WASM_ENV) bin/staticcheck $(WASM_ONLY)
	sh -n weights/fetch.sh
	sh -n e2e/small/inside.sh
	bash -n .ci/run

lint-js: $(VENDOR) ## of JavaScript, CSS and JSON
	npx biome check --error-on-warnings .
	npx tsc -p tsconfig.json
	npx tsc -p tsconfig.worker.json
	npx tsc -p tsconfig.test.json

fmt: bin/gofumpt node_modules/.package-lock.json ## formats Go, JavaScript, CSS and JSON
	bin/gofumpt -w $(GO_DIRS)
	npx biome check --write .

bench: bin/benchstat ## benchmarks, native and wasm, side by side; BENCH picks, COUNT repeats; all of them go to docs/bench
	go test $(BENCHMARK) $(WASM_PKGS) ./weights/... | tee bin/bench-native.txt
	$(WASM_EXEC) go test $(BENCHMARK) $(WASM_PKGS) | tee bin/bench-wasm.txt
	bin/benchstat -ignore goos,goarch,cpu native=bin/bench-native.txt wasm=bin/bench-wasm.txt | tee bin/bench.txt
	test '$(BENCH)' != . || cp bin/bench.txt docs/bench/benchstat.txt

cost: ## docs/cost.svg: what context, texts and vocabulary cost, as WebAssembly
	$(WASM_EXEC) go test -run '^$$' -bench Cost -count 12 -benchtime 5x ./core/gpt2 | go run ./tools/cost >bin/cost.svg
	mv bin/cost.svg docs/cost.svg

bench-peers: site $(PEERS)/models/playground/manifest.json ## the page beside other engines, by the harness in PEERS_DIR
	@test -f "$(PEERS_DIR)/run.mjs" || { echo "PEERS_DIR: \"$(PEERS_DIR)\" holds no run.mjs" >&2; exit 1; }
	node tools/peers/prepare.mjs "$(PEERS_DIR)" $(PEERS) dist
	test -d $(PEERS)/node_modules || sh $(PEERS)/out/setup.sh
	node $(PEERS)/out/run.mjs --rounds $(ROUNDS) --only $(ONLY) --out results/last.jsonl
	node $(PEERS)/out/summary.mjs results/last.jsonl

# GPT-2 124M's shapes: the values of the weights do not change the speed.
$(PEERS)/models/playground/manifest.json:
	go run ./tools/random bin/random
	go run ./weights/pack -id random-124m bin/random $(@D)
	rm -r bin/random

fuzz: web/vendor/wasm_exec.js ## runs every fuzz test for FUZZTIME, in seconds
	@set -e; for pkg in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "$$pkg $$f"; go test -run '^$$' -fuzz "^$$f\$$" -fuzzminimizetime 1s -fuzztime $(FUZZTIME)s $$pkg; \
	  done; done
	FUZZ_MS=$(FUZZTIME)000 node --test web/fuzz.test.js

soak: build node_modules/.package-lock.json ## a lesson of ninety minutes in SOAK_SECONDS, 600: what is held must not grow
	npx playwright test -c e2e/soak

webkit: build ## the page in WebKitGTK; wants webkit2gtk-driver, gir1.2-webkit2-4.1, python3-gi and xvfb
	node --test e2e/webkit/webkit.test.js

nightly: FUZZTIME = 60
nightly: fuzz soak ## what is too long for each change

hosting: site ## tries the configurations of docs/hosting with nginx and caddy, which have to be installed
	node tools/hosting/check.js nginx dist
	node tools/hosting/check.js caddy dist

load: ## 200 clients fetch a model of 120 MB at once; the figures of docs/HOSTING.md
	go test ./server -run TestMany -count 1 -v -model 120

release: build bin/cyclonedx-gomod ## release/: servers for six platforms, the site as a zip, lists of components, checksums
	rm -rf release && mkdir release
	@set -e; for p in $(PLATFORMS); do \
	  out=release/decoding-playground-$${p/\//-}; case $$p in windows/*) out=$$out.exe;; esac; echo $$out; \
	  CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} go build -trimpath -ldflags="-s -w" -o $$out ./server; \
	done
	bin/cyclonedx-gomod mod -json -licenses -type application -output release/go.cdx.json . 2>bin/cyclonedx.log
	npm sbom --omit dev --sbom-format cyclonedx >release/web.cdx.json
	go run ./tools/release -site dist -out release
	@cat release/SHA256SUMS

reproducible: ## makes a release twice, in folders and Go caches of their own: the bytes have to be the same
	@set -e; dir=$$(mktemp -d); rev=$$(git rev-parse HEAD); trap 'rm -rf "$$dir"' EXIT; \
	for n in one other/place/two; do \
	  mkdir -p $$dir/$$n && git archive $$rev | tar -x -C $$dir/$$n; \
	  GOCACHE=$$dir/cache-$${n##*/} $(MAKE) -C $$dir/$$n release QUALITY=$(QUALITY) >$$dir/log || { tail $$dir/log; exit 1; }; \
	done; \
	diff $$dir/one/release/SHA256SUMS $$dir/other/place/two/release/SHA256SUMS; \
	echo "twice the same bytes:"; cat $$dir/one/release/SHA256SUMS

clean: ## removes all that was built
	rm -rf bin dist release e2e/out web/vendor/*.js
	find server/site -mindepth 1 ! -name .keep -delete

node_modules/.package-lock.json: package.json package-lock.json
	npm ci
	@touch $@

web/vendor/echarts.esm.min.js: node_modules/.package-lock.json
	cp node_modules/echarts/dist/echarts.esm.min.js $@

web/vendor/wasm_exec.js: Makefile
	install -m 644 "$$(go env GOROOT)/lib/wasm/wasm_exec.js" $@

bin/staticcheck: Makefile
	GOBIN="$(CURDIR)/bin" go install $(STATICCHECK)
	@touch $@

bin/gofumpt: Makefile
	GOBIN="$(CURDIR)/bin" go install $(GOFUMPT)
	@touch $@

bin/cyclonedx-gomod: Makefile
	GOBIN="$(CURDIR)/bin" go install $(CYCLONEDX)
	@touch $@

bin/benchstat: Makefile
	GOBIN="$(CURDIR)/bin" go install $(BENCHSTAT)
	@touch $@
