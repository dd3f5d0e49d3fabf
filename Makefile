# pixcert: needs only Go and make; image and certify-image also need a container engine.

GO       ?= go
# A number of inputs, not a duration: a fuzzer with a duration sometimes reports its own deadline as a failure.
FUZZTIME ?= 100000x
# The same for packages whose targets run whole commands or write reports.
FEW      ?= 500x
SLOW      = ./cmd/pixcert ./steps/report
RACE     ?= $(if $(filter 1,$(shell env -u CGO_ENABLED $(GO) env CGO_ENABLED)),-race)
LISTEN   ?= 127.0.0.1:8080
CONTROLS ?= 127.0.0.1:8081
ENGINE   ?= docker
IMAGE    ?= pixcert:dev

# Arguments of bench-load; MEASURE="-rounds 1 -day 5s -memory 15s -runs 5" takes six minutes instead of fifty.
MEASURE  ?=

COMMAND     = ./cmd/pixcert
K6VERSION   = v2.2.0
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Only the race detector needs C. The rest does without, as the image and k6 do: what several targets need is
# compiled once.
export CGO_ENABLED = 0

.DEFAULT_GOAL := help
.PHONY: help build check nightly certify test test-parts test-command test-load lint lint-load bench bench-load fuzz mutants soak serve k6 load image package-files release-snapshot certify-image corpus corpus-diff spec-coverage clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the command: ./pixcert
	$(GO) build -o pixcert $(COMMAND)

certify: build ## certify the bundled reference gateway, with a report in report/
	./pixcert certify --reference

# Tests that take minutes are left out; of the packages that start goroutines, so are the raced tests of the command, of
# ci/mutants and of load. make nightly runs them. The tests of load run first and alone: they measure, and a generator or a
# gateway that shares two cores with other tests does not reach their rates.
test: ## run the tests that take seconds, with the race detector if a C compiler is available
	$(MAKE) test-load
	$(MAKE) test-parts
	$(MAKE) test-command

# go test's default limit of 10 minutes is too short for a package whose tests compute for minutes, if others use the
# processors. A test that hangs has a deadline of its own.
TIMEOUT ?= 60m

# go test would run part of go vet on everything that it imports, with and without the race detector: make lint
# runs all of it, once.
TEST = $(GO) test -vet=off -timeout $(TIMEOUT) $(SHORT)
SHORT ?= -short

# No race detection inside SQLite: it is C translated to Go, not our code, and takes three
# quarters of the time of the reference's tests. Its callers and locks are covered.
RACETEST = $(if $(RACE),env CGO_ENABLED=1 $(TEST) $(RACE),$(TEST))
WATCHED  = $(RACETEST) $(if $(RACE),-gcflags=modernc.org/sqlite/lib=-race=false)

# The packages in which the code or a test starts a goroutine or a server, except those of whole runs and mutants. In the
# others, only what runs call concurrently could race, and runs are raced.
CONCURRENT = $$(grep -rlE '^\s*go (func|[a-z])|\.Go\(|AfterFunc\(|\.Serve(TLS)?\(|httptest\.New(Unstarted|TLS)?Server|\.StartTLS\(|fake\.New\(' --include='*.go' certs ci/corpus ci/hostile features reference steps | xargs -n 1 dirname | sort -u | grep -v testdata | sed 's|^|./|')

# Tests of those packages that compute and start nothing take ten times as long with the race detector.
SEQUENTIAL = EveryMeaningIsActedOnOrJudged|ResendsOfAllAccounts|WrittenEvidenceIsBounded|SecretsAreFoundInEncodings|HostileTexts|HTMLStaysSmall

# Packages and tests that wait run next to others: more of them at a time than there are cores.
test-parts:
	$(TEST) -p 4 $$($(GO) list ./... | grep -vxF "$$($(GO) list $(COMMAND))")
	$(if $(RACE),$(WATCHED) -p 4 -skip '$(SEQUENTIAL)' $(CONCURRENT))
	$(if $(RACE),$(if $(SHORT),,$(WATCHED) -short ./ci/mutants))

# The command's own tests are whole runs, which wait rather than compute: more of them run
# than there are cores, and a few of them once more with the race detector, under which
# all of them would take half an hour. The command limits its own heap to 256 MiB, within which
# eight of them in one process would do little but collect garbage.
RACED = TheBundledReferenceConforms|ExploreFindsNothingInTheReference|ARunCanBeInterrupted|ASecondRunOnAnAccountWaits|AFixedSetOfPaths

test-command soak: export GOGC = 400
test-command soak: export GOMEMLIMIT = 4GiB
test-command:
	$(TEST) -parallel 8 $(COMMAND)
	$(if $(RACE),$(if $(SHORT),,$(WATCHED) -short -parallel 8 -run 'Test($(RACED))' $(COMMAND)))

# What links k6 takes minutes to build with the race detector, and k6 runs as a process of
# its own there: what many share is raced below it.
RACEDLOAD = ./internal/gateway ./internal/ledger ./internal/sink ./internal/run ./internal/test/faulty

test-load: ## run the tests of the load module
	cd load && $(TEST) -p 2 -parallel 4 ./...
	$(if $(RACE),$(if $(SHORT),,cd load && $(RACETEST) -short $(RACEDLOAD)))
	cd load/tools && $(TEST) .

lint: ## run gofmt, go vet, staticcheck and go mod tidy
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "not formatted, run gofmt -w on: $$unformatted"; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	$(GO) mod tidy -diff

lint-load: ## the same in the load module, which links k6: minutes
	cd load && $(GO) vet ./... && $(GO) run $(STATICCHECK) ./... && $(GO) mod tidy -diff
	cd load/tools && $(GO) vet . && $(GO) run $(STATICCHECK) . && $(GO) mod tidy -diff

bench: ## compare the cost of a run with a plain client, and measure the parts
	$(GO) test -run '^$$' -bench . -benchtime 5x $(COMMAND)
	$(GO) test -run '^$$' -bench . ./steps/... ./features/... ./reference/...

bench-load: ## measure the load generator and this machine: 50 minutes
	cd load/bench && $(GO) test -count=1 -timeout 90m -measure $(MEASURE)

# Builds each package with fuzz targets once, including those of load. Everything that it imports is compiled for it, with
# instrumentation: such a package imports little.
fuzz: ## run every fuzz target on FUZZTIME inputs (100000x), slow ones on FEW (500x)
	@binary=$$(mktemp) && trap 'rm -f "$$binary"' EXIT && \
	for package in $$(grep -rl --include '*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u); do \
		$(GO) -C $$package test -c -fuzz . -o "$$binary" . || exit 1; \
		inputs=$(FUZZTIME); case " $(SLOW) " in *" $$package "*) inputs=$(FEW);; esac; \
		found="$$($(GO) env GOCACHE)/fuzz/$$($(GO) -C $$package list .)"; \
		for target in $$(cd $$package && "$$binary" -test.list '^Fuzz'); do \
			echo "$$package $$target"; \
			(cd $$package && "$$binary" -test.run '^$$' -test.fuzz "^$$target$$" -test.fuzztime $$inputs -test.fuzzcachedir "$$found") || exit 1; \
		done; \
	done

# SHARD=2/10 runs a tenth of the mutants.
mutants: build ## test the suite: every rule must fail on a gateway that breaks it
	./pixcert mutants $(if $(SHARD),--shard $(SHARD))
	$(if $(SHARD),,./pixcert mutants --deep)

CORPUS ?= corpus
# Flags of the collection; RECORD="-seeds 1 -walks 64 -mutants 20" takes minutes instead of an hour.
RECORD ?=

# What is there already is kept, so that an interrupted collection goes on, and new runs are judged by the judge of today.
corpus: ## record runs against the reference, mutants, permitted differences and walks in corpus/, and keep what the judge says: 30 minutes
	$(GO) run ./ci/corpus collect $(RECORD) $(CORPUS)
	$(GO) run ./ci/corpus judge -new $(CORPUS)

corpus-diff: ## judge the recorded runs of corpus/ again, and print what the judge says differently, entry by entry
	$(GO) run ./ci/corpus diff $(CORPUS)

# Tests that shrink walks of explore, fill records, or start a browser: half of what the tests of check would compute.
# .ci/run runs them for every change.
COSTLY = Shrunk|IsShortened|NoSmallerOne|AlwaysShowsStaysOne|AlternateWithOthers|WalksAvoid|WalksDoAgain|WrittenEvidenceIsBounded|InTheBrowser|BrowserNames

spec-coverage: ## print the rows of steps/spec that none of the recorded runs of corpus/ shows
	$(GO) run ./ci/corpus coverage $(CORPUS)

check: build ## what to run before a commit: format, vet, the tests that compute, a run on the reference
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "not formatted, run gofmt -w on: $$unformatted"; exit 1; }
	$(GO) vet ./...
	$(TEST) -skip '$(COSTLY)' $$($(GO) list ./... | grep -vxF "$$($(GO) list $(COMMAND) ./ci/mutants)")
	./pixcert certify --reference

nightly: lint lint-load k6 ## run what .ci/run leaves out: every test, mutant and fuzz target: 80 minutes
	$(MAKE) fuzz
	$(MAKE) mutants
	$(MAKE) test SHORT= RACE=-race

SOAK     ?= 1000
KILLS    ?= 200

soak: ## certify correct gateways in SOAK runs (1000) with random seeds, latencies and variants, kill one KILLS times (200), break its controls in all ways, and measure hostile targets (hostile-table.txt): hours
	PIXCERT_KILLS=$(KILLS) $(GO) test -count=1 -timeout 0 -v -run '^TestKilledGatewayKeepsItsBooks$$' ./reference
	PIXCERT_SOAK=$(SOAK) PIXCERT_SWEEP=1 $(GO) test -count=1 -timeout 0 -v -parallel 12 -run '^Test(Soak|ControlsThatBreak)$$' $(COMMAND)
	PIXCERT_HOSTILE_TABLE=hostile-table.txt $(GO) test -count=1 -timeout 0 -v -parallel 4 -run '^TestHostileTable$$' $(COMMAND)

serve: build ## run the reference gateway with an example account
	./pixcert serve --listen $(LISTEN) --controls $(CONTROLS)

# Without -trimpath, which xk6 sets by default: k6 is then linked from the packages that vet and the tests of load
# have compiled, instead of compiling them all a second time. Releases keep it.
XK6 = cd load && $(GO) tool -modfile=tools/go.mod xk6 build $(K6VERSION) --with github.com/pixcert/pixcert/load=. --build-flags '-ldflags=-s -w' --output

k6: ## build k6 with the extension k6/x/pix: ./k6
	$(XK6) ../k6

load: build k6 ## run the load smoke profile against the bundled reference, with its result in report/load/
	load/smoke.sh

# The certificate authorities that the image trusts.
AUTHORITIES ?= $(firstword $(wildcard /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/cert.pem))
ROOT = ci/image/root

image: ## build the container image with the whole tool: pixcert:dev
	rm -rf $(ROOT)
	mkdir -p $(addprefix $(ROOT)/,bin data tmp work etc/ssl/certs licenses/load)
	cp $(AUTHORITIES) $(ROOT)/etc/ssl/certs/ca-certificates.crt
	cp LICENSE $(ROOT)/licenses && cp load/LICENSE $(ROOT)/licenses/load
	GOOS=linux $(GO) build -ldflags '-s -w' -o $(ROOT)/bin/pixcert $(COMMAND)
	GOOS=linux && export GOOS && $(XK6) ../$(ROOT)/bin/k6
	chmod -R a+rX $(ROOT) && chmod 1777 $(ROOT)/data $(ROOT)/tmp $(ROOT)/work
	$(ENGINE) build --tag $(IMAGE) --build-arg VERSION=$$(git describe --always --dirty 2>/dev/null || echo dev) ci/image

# The manual page and the completions, with the version that the programs of the release have.
package-files:
	mkdir -p ci/package/completions
	$(GO) build -trimpath -buildvcs=true -ldflags '-s -w' -o ci/package/pixcert $(COMMAND)
	ci/package/pixcert man | gzip -9n >ci/package/pixcert.1.gz
	ci/package/pixcert completion bash >ci/package/completions/pixcert.bash
	ci/package/pixcert completion zsh >ci/package/completions/_pixcert
	ci/package/pixcert completion fish >ci/package/completions/pixcert.fish

GORELEASER ?= goreleaser

release-snapshot: ## build all packages of a release in dist/, without publishing: ci/PACKAGES.md
	$(GORELEASER) check
	$(GORELEASER) release --snapshot --clean $(if $(shell command -v cyclonedx-gomod),,--skip=sbom)

certify-image: build image ## certify that image in a container, with a report in report/
	PIXCERT_CONTROL_TOKEN=$$(od -An -N16 -tx1 /dev/urandom | tr -d " ") ./pixcert certify ci/image/pixcert.yaml --image $(IMAGE)

clean: ## remove build results and reports
	rm -rf pixcert k6 report dist ci/image/root ci/package
