# pixcert: everything here needs Go and make alone; image and certify-image need a container engine too.

GO       ?= go
# A number of inputs, not a time: the fuzzer that stops at a time now and then reports its own deadline as a failure.
FUZZTIME ?= 100000x
RACE     ?= $(if $(filter 1,$(shell $(GO) env CGO_ENABLED)),-race)
LISTEN   ?= 127.0.0.1:8080
CONTROLS ?= 127.0.0.1:8081
ENGINE   ?= docker
IMAGE    ?= pixcert:dev

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.DEFAULT_GOAL := help
.PHONY: help build certify test lint bench fuzz mutants serve image certify-image clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the command: ./pixcert
	$(GO) build -o pixcert .

certify: build ## certify the bundled reference gateway, with a report in report/
	./pixcert certify

# The command's own tests are whole runs, which wait rather than compute: more of them run
# than there are cores, and a few of them once more with the race detector, under which
# all of them would take half an hour.
RACED = TheBundledReferenceConforms|ARunCanBeInterrupted|ASecondRunOnAnAccountWaits|AFixedSetOfPaths

test: ## run every test, with the race detector where there is a C compiler for it
	$(GO) test $(RACE) $$($(GO) list ./... | grep -vx "$$($(GO) list .)")
	$(GO) test -parallel 8 -timeout 30m .
	$(if $(RACE),$(GO) test $(RACE) -parallel 8 -timeout 20m -run 'Test($(RACED))' .)

lint: ## gofmt, go vet, staticcheck, and a tidy go.mod
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "not formatted, run gofmt -w on: $$unformatted"; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	$(GO) mod tidy -diff

bench: ## the cost of a run beside a plain replay of its exchanges, and of the parts
	$(GO) test -run '^$$' -bench . -benchtime 5x .
	$(GO) test -run '^$$' -bench . ./steps/... ./features/... ./reference/...

fuzz: ## run every fuzz target on FUZZTIME inputs (100000x)
	@for package in $$($(GO) list ./...); do \
		targets=$$($(GO) test -list '^Fuzz' $$package) || exit 1; \
		for target in $$(echo "$$targets" | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
		done; \
	done

mutants: build ## prove the suite: every rule must fail on a gateway that breaks it
	./pixcert mutants

serve: build ## run the reference gateway with an example account
	./pixcert serve --listen $(LISTEN) --controls $(CONTROLS)

image: ## build the reference gateway's container image: pixcert:dev
	mkdir -p ci/image/root/data ci/image/root/tmp && chmod 1777 ci/image/root/tmp
	CGO_ENABLED=0 GOOS=linux $(GO) build -ldflags '-s -w' -o ci/image/root/pixcert .
	$(ENGINE) build --tag $(IMAGE) --build-arg VERSION=$$(git describe --always --dirty 2>/dev/null || echo dev) ci/image

certify-image: build image ## certify that image in a container, with a report in report/
	./pixcert certify --image $(IMAGE)

clean: ## remove what the targets made
	rm -rf pixcert report ci/image/root
