# pixcert: everything here needs Go and make alone.

GO       ?= go
# A number of inputs, not a time: the fuzzer that stops at a time now and then reports its own deadline as a failure.
FUZZTIME ?= 100000x
RACE     ?= $(if $(filter 1,$(shell $(GO) env CGO_ENABLED)),-race)
LISTEN   ?= 127.0.0.1:8080
CONTROLS ?= 127.0.0.1:8081

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.DEFAULT_GOAL := help
.PHONY: help build certify test lint bench fuzz mutants serve clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the command: ./pixcert
	$(GO) build -o pixcert .

certify: build ## certify the bundled reference gateway, with a report in report/
	./pixcert certify

test: ## run every test, with the race detector where there is a C compiler for it
	$(GO) test $(RACE) ./...

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

clean: ## remove what the targets made
	rm -rf pixcert report
