# Targets for people; `make` alone builds. Only Go and make are needed.
#
#   make run [LOGDIR=dir]     build and serve at http://127.0.0.1:6006; without
#                             LOGDIR a small training that writes while you look
#   make clouds [TAGS=s3]     the same with object stores: s3, gcs, azure
#   make test                 everything that must hold: vet, gofmt, all tests
#   make sabotage             that the tests would notice mistakes
#   make mutants              the same for what needs no browser
#   make wander               a hand that does anything, for what nobody thought of
#   make stores               object stores on servers that others have written
#   BROTLI=11                 build what is published; 5, the default, is quick

.DEFAULT_GOAL := build
.PHONY: build minimal clouds wasm run serve test testing test-python check-scripts sabotage mutants wander stores vet fuzz bench shots bench-server bench-parts size symbolize pages dist vendor clean

BROTLI ?= 5
LOGDIR ?=
OUT ?= bin/site
WANDER ?= -seeds 1-8
FUZZTIME ?= 10s
TESTFLAGS ?=
AGAIN ?=
BENCHFLAGS ?=
SABOTAGE ?=
MUTANTS ?= -n 10 ./shared/reader ./shared/runtable ./wasm/source/httprange ./shared/profiles ./shared/kind/scalars ./cmd/tensorbored-static
# Packages that drive browsers: one after the other, or they wait for each other.
BROWSER_TESTS := /wasm/(browsertest|e2e|source/conformance)$$
BIN := bin/tensorbored-static
GO ?= go
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null)

# Only in these the body of a function may stand in place of its call: what works per byte or
# point, and what that leans on. Elsewhere a call is a call, and the program is 5 % smaller.
OURS := github.com/tensorbored/tensorbored-static/shared
HOT := runtime internal/runtime/... internal/bytealg internal/sync internal/poll sync/... io os bufio bytes slices sort \
	unicode/utf8 math math/bits encoding/binary hash/... google.golang.org/protobuf/encoding/protowire \
	github.com/andybalholm/brotli/... github.com/klauspost/compress/flate \
	$(addprefix $(OURS)/,catalog/... chart/... event/... filter/... histogram/... inspect kind/scalars natural/... reader series/... \
	smooth/... source/... tfrecord/...)
SMALL := -gcflags=all=-l $(foreach p,$(HOT),-gcflags=$(p)=)
# Without HTTP/2, which is spoken over TLS alone: the server has none.
PLAIN := -tags nethttpomithttp2

# The program for the browser, packed with the page into static/dist.
wasm:
	$(GO) run ./static/pack -brotli $(BROTLI) -version "$(VERSION)"

build: wasm
	$(GO) build -trimpath $(PLAIN) $(SMALL) -ldflags="-s -w -X main.built=$(VERSION)" -o $(BIN) ./cmd/tensorbored-static

# The same, with a server that only hands out bytes: it can't read event files for the page.
minimal: wasm
	$(GO) build -trimpath $(PLAIN),noreader $(SMALL) -ldflags="-s -w -X main.built=$(VERSION)" -o $(BIN) ./cmd/tensorbored-static

# The same, and it reads logdirs in object stores: TAGS=s3 for one of them alone.
TAGS ?= s3,gcs,azure
clouds: wasm
	$(GO) build -trimpath -tags $(TAGS) $(SMALL) -ldflags="-s -w -X main.built=$(VERSION)" -o $(BIN) ./cmd/tensorbored-static

run: build
	$(BIN) serve $(if $(LOGDIR),--logdir "$(LOGDIR)",--demo)

serve: run

# The site is built first, so that no package is compiled while it changes, and
# browsers are installed where there are none. When all have passed, bin/tested holds
# the commit, if no file differs from it. AGAIN=1 runs a browser test that failed three
# times more, and says at the end what failed: see wasm/browsertest/again.
test: testing vet check-scripts build test-python
	.ci/install-browsers.sh
	.ci/install-slurm.sh
	$(if $(AGAIN),$(GO) run ./wasm/browsertest/again -strict,$(GO) test $(TESTFLAGS)) $$($(GO) list ./... | grep -vE '$(BROWSER_TESTS)')
	@# Their results are not cached: go does not see that the site has changed. On a
	@# machine that has ten times as much to do as it can they take half an hour.
	$(if $(AGAIN),$(GO) run ./wasm/browsertest/again -timeout 80m,$(GO) test -timeout 90m $(TESTFLAGS) -count=1 -p 1) $$($(GO) list ./... | grep -E '$(BROWSER_TESTS)')
	$(if $(AGAIN),,.ci/tested.sh end)

# What is tested is what stands at the beginning.
testing:
	.ci/tested.sh begin

# The package for training scripts.
test-python:
	.ci/install-python.sh
	cd python && python3 -m unittest

# Puts mistakes into copies of the page, one at a time, and fails when the tests do not
# notice one. SABOTAGE="-only wheel -jobs 2" chooses; takes some 15 s for each.
sabotage:
	.ci/install-browsers.sh
	$(GO) run ./wasm/browsertest/sabotage $(SABOTAGE)

# The same for packages that need no browser, with mistakes that are drawn:
# MUTANTS="-n 30 ./shared/reader ./shared/runtable".
mutants:
	$(GO) run ./wasm/browsertest/mutants $(MUTANTS)

# Does what a user may do, at random, and looks whether the page bears it:
# WANDER="-seeds 1-20 -acts 300 -keys 60 -grows 30 -tabs 30 -logdir DIR -firefox". See wasm/browsertest/wander.
wander: build
	.ci/install-browsers.sh
	$(GO) test -tags wander -v -count=1 -timeout 90m -parallel 2 ./wasm/browsertest/wander -args $(WANDER)

# What make test tries on fakes of our own, on servers that speak S3, as Google's and as
# Azure's: they are fetched into bin/stores. Takes half a minute.
stores:
	.ci/install-stores.sh
	$(GO) test -tags stores -count=1 -run TestRealStores $(TESTFLAGS) ./server/objects

# Types and names in our scripts, and what a linter finds there; see static/check/README.md.
check-scripts:
	.ci/check-scripts.sh

# gofmt, vet for both platforms. The browser's packages need not exist natively.
vet:
	@out="$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go'))"; \
	if [ -n "$$out" ]; then echo "gofmt -w these files:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags stores ./server/objects
	$(GO) vet -tags wander ./wasm/browsertest/wander
	GOOS=js GOARCH=wasm $(GO) vet $$(GOOS=js GOARCH=wasm $(GO) list ./... | grep -E '/(shared|wasm)(/|$$)')

# Every fuzz target of every package, FUZZTIME each.
fuzz:
	@set -e; for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' "$$pkg" | grep '^Fuzz' || true); do \
			echo "$$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$pkg"; \
		done; \
	done

# What a user waits for, in a real browser, beside TensorBoard's own loader; then the
# event writer beside those of others. BENCHFLAGS=-quick for a short one.
bench: build
	.ci/install-browsers.sh
	$(GO) run ./wasm/browsertest/bench $(BENCHFLAGS)
	$(MAKE) bench-server
	@if command -v python3 >/dev/null; then $(MAKE) bench-peers; else echo "the writers of others are left out: there is no python3"; fi

# Pictures of every dashboard, with 0 to 1000 runs, in all sizes and both themes, to be looked
# at; ONLY=100-runs-390 makes some of them.
shots: build
	.ci/install-browsers.sh
	$(GO) run ./wasm/browsertest/bench -shots bin/shots $(if $(ONLY),-only $(ONLY))

# The server and the command line, beside Go's file server and tensorboard --inspect.
bench-server:
	$(GO) build -trimpath $(PLAIN) $(SMALL) -ldflags="-s -w -X main.built=$(VERSION)" -o $(BIN) ./cmd/tensorbored-static
	$(GO) run ./cmd/benchserver -program $(BIN)
	.ci/install-slurm.sh
	$(GO) test -run '^$$' -bench Slurm -benchtime 5x ./server/hub

# The parts alone: time and memory of single functions.
bench-parts:
	$(GO) test -run '^$$' -bench . -benchmem ./shared/...

# What a visitor downloads; fails over the budget.
size:
	$(GO) run ./static/pack -brotli 11 -version "$(VERSION)" -size

# A stack that a user reported, with names and lines: make symbolize <stack.txt
SYMBOLS ?= bin/app.symbols
symbolize:
	@$(GO) run ./static/pack -resolve $(SYMBOLS)

# The whole site for a static host, with LOGDIR's files if given.
pages:
	$(MAKE) build BROTLI=11
	$(BIN) pages $(OUT) $(if $(LOGDIR),--logdir "$(LOGDIR)")

# What is published: the program for all platforms, Python wheels, checksums, tried as
# far as this machine can run them.
dist:
	$(MAKE) wasm BROTLI=11
	$(GO) run ./cmd/dist -out bin/dist -flags "$(SMALL)"

# Fetches the JavaScript libraries anew. Only for changing a version; needs npm.
UPLOT := 1.6.32
MARKED := 18.2.1
AXE := 4.14.1
DOMPURIFY := 3.4.18
CLIENTZIP := 2.5.1
UNZIPIT := 2.1.1
MODERNTAR := 0.8.6
ESBUILD := 0.25.12
FFT := 4.0.4
PRISM := 1.30.0
DIFF := 9.0.0
DAGRE := 3.1.3
# In the order in which they need each other.
PRISM_LANGUAGES := 1-core 2-clike 2-markup $(addprefix 3-,bash c css diff go ini java javascript json julia latex lua python r rust sql toml yaml) 4-cpp 4-markdown 4-typescript
vendor:
	@set -e; tmp="$$(mktemp -d)"; trap 'rm -rf "$$tmp"' EXIT; cd "$$tmp"; \
	fetch() { npm pack --silent "$$1@$$2"; rm -rf package; tar xf "$$1-$$2.tgz"; }; \
	fetch axe-core $(AXE); cp package/axe.min.js package/LICENSE "$(CURDIR)/wasm/e2e/testdata/axe/"; \
	to="$(CURDIR)/static/lazy/markdown"; mkdir -p "$$to"; \
	fetch marked $(MARKED); cp package/lib/marked.umd.js "$$to/"; cp package/LICENSE "$$to/marked.LICENSE"; \
	zip="$(CURDIR)/static/lazy/zip"; mkdir -p "$$zip"; fetch client-zip $(CLIENTZIP); cp package/LICENSE.txt "$$zip/client-zip.LICENSE"; \
	{ printf '(() => {'; sed 's/export{A as downloadZip,N as makeZip,S as predictLength};$$/globalThis.clientZip={makeZip:N};/' package/index.js; printf '})();\n'; } >"$$zip/client-zip.js"; \
	fetch dompurify $(DOMPURIFY); cp package/dist/purify.min.js "$$to/"; cp package/LICENSE "$$to/purify.LICENSE"; \
	sed -i '/^\/\/# sourceMappingURL=/d' "$$to"/marked.umd.js "$$to"/purify.min.js; \
	to="$(CURDIR)/static/lazy/unpack"; fetch unzipit $(UNZIPIT); cp package/dist/unzipit.min.js "$$to/0-unzipit.min.js"; cp package/LICENSE.md "$$to/unzipit.LICENSE"; \
	fetch modern-tar $(MODERNTAR); cp package/LICENSE "$$to/modern-tar.LICENSE"; echo 'export {createTarDecoder} from "./package/dist/web/index.js"' >tar.mjs; \
	npx --yes esbuild@$(ESBUILD) tar.mjs --log-level=warning --bundle --minify --format=iife --global-name=modernTar --target=es2022 --outfile="$$to/1-modern-tar.min.js"; \
	to="$(CURDIR)/static/lazy/sound"; fetch fft.js $(FFT); cp package/lib/fft.js "$$to/"; sed -n '/^#### LICENSE/,$$p' package/README.md >"$$to/fft.LICENSE"; \
	to="$(CURDIR)/static/lazy/code"; fetch prismjs $(PRISM); cp package/LICENSE "$$to/prism.LICENSE"; \
	for l in $(PRISM_LANGUAGES); do cp "package/components/prism-$${l#?-}.min.js" "$$to/$${l%%-*}-prism-$${l#?-}.min.js"; done; \
	to="$(CURDIR)/static/lazy/diff"; fetch diff $(DIFF); cp package/dist/diff.min.js "$$to/"; cp package/LICENSE "$$to/diff.LICENSE"; \
	sed -i '/^\/\/# sourceMappingURL=/d' "$$to/diff.min.js"; \
	to="$(CURDIR)/static/lazy/graphwork"; rm -rf package; npm pack --silent @dagrejs/dagre@$(DAGRE); tar xf dagrejs-dagre-$(DAGRE).tgz; \
	cp package/dist/dagre.min.js "$$to/0-dagre.min.js"; cp package/LICENSE "$$to/dagre.LICENSE"; \
	sed -i '/^\/\/# sourceMappingURL=/d' "$$to/0-dagre.min.js"; rm -rf package; \
	npm pack --silent uplot@$(UPLOT); tar xf uplot-$(UPLOT).tgz; mkdir -p "$(CURDIR)/static/vendor"; \
	cp package/dist/uPlot.iife.min.js package/dist/uPlot.min.css "$(CURDIR)/static/vendor/"; \
	cp package/LICENSE "$(CURDIR)/static/vendor/uPlot.LICENSE"

include shared/summary/peers.mk

clean:
	rm -rf bin
	find static/dist -mindepth 1 ! -name .keep -delete
