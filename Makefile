# Variables that the targets take, with what they are unless said otherwise.
FOR       ?= 60ms
RUNS      ?= 1
SEED      ?=
STORES    ?= all
PROFILES  ?= all
COUNT     ?= 10
MIXES     ?= upsert get mixed
BENCHTIME ?= 150ms
MACHINE   ?= $(shell uname -sm | tr 'A-Z ' 'a-z-')
BASELINE   = results/baseline/$(MACHINE)
FUZZTIME  ?= 10s
ORACLE    ?= 1000000
OLD       ?= results/bench/old.txt
NEW       ?= results/bench/new.txt
UNITS     ?= ops/sec p50-ns/op errors/op

# A pipe fails where any part of it does.
SHELL       := bash
.SHELLFLAGS := -eu -o pipefail -c

GO      := go
MEMRACE := bin/memrace
FUZZING := store/sqlite:FuzzParseVariant store/disk:FuzzParseFaults store/script:FuzzParse store/proc:FuzzAnswer store/proc:FuzzRequest \
	store/proc:FuzzUnicodeText \
	stress/fault:FuzzParse stress/workload:FuzzParseMix \
	stress/history:FuzzRead stress/history:FuzzReadRows stress/history:FuzzTag \
	stress/notation:FuzzRead stress/check:FuzzSlot bench:FuzzReadLatencies

# memrace needs cgo for SQLite. Without a C compiler Go would build it silently without.
CC_FOUND = $(shell command -v $$($(GO) env CC) 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help build stress test race mutants bench compare baseline pictures cloop ratios drivers lint fuzz oracle checker clean cc

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  variables: FOR=$(FOR) RUNS=$(RUNS) SEED=$(SEED) STORES=$(STORES) PROFILES=$(PROFILES)"

cc:
	@test -n "$(CC_FOUND)" || { echo "memrace: no C compiler ($$($(GO) env CC)) found; SQLite needs one. Debian, Ubuntu: apt-get install gcc libc6-dev; Fedora: dnf install gcc; macOS: xcode-select --install" >&2; exit 2; }

build: cc ## build bin/memrace (the first build of SQLite takes a minute)
	@test -x $(MEMRACE) || echo "building memrace; the first time SQLite is compiled too"
	@CGO_ENABLED=1 $(GO) build -o $(MEMRACE) ./cmd/memrace

stress: build ## hammer and judge every store variant, then see every mutant caught
	$(MEMRACE) stress $(STORES:%=--store %) $(PROFILES:%=--profile %) --for $(FOR) --runs $(RUNS) $(if $(SEED),--seed $(SEED))
	$(MEMRACE) stress $(STORES:%=--store %) --instances 2 --profile updates --for $(FOR) --runs $(RUNS) $(if $(SEED),--seed $(SEED))
	$(MEMRACE) mutants

test: cc ## the project's own tests
	CGO_ENABLED=1 $(GO) test ./...

race: cc ## the same under the race detector
	CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 $(GO) test -race -timeout 20m ./...

mutants: cc ## the mutant matrix over many seeds, written to results/mutants.txt
	CGO_ENABLED=1 MEMRACE_SEEDS=20 $(GO) test ./stress/mutant -run Matrix -count=1 -v -update

bench: build ## how fast all variants are, side by side, written to NEW (COUNT, MIXES, BENCHTIME)
	@mkdir -p $(dir $(NEW))
	$(MEMRACE) bench $(STORES:%=--store %) $(MIXES:%=--mix %) --rounds $(COUNT) --for $(BENCHTIME) --warm-up 50ms --out $(NEW) --force
	$(GO) tool benchstat -col /store -filter '.unit:ops/sec' $(NEW)

compare: build ## what changed from OLD to NEW, files of benchmarks (UNITS)
	@for f in $(OLD) $(NEW); do test -r $$f || { echo "there is no $$f; make it with: make bench NEW=$$f" >&2; exit 2; }; done
	$(MEMRACE) compare $(UNITS:%=--unit %) $(OLD) $(NEW)

baseline: build ## the same at two levels of synchronous, kept in results/baseline/MACHINE with pictures
	@test -n "$(MACHINE)" || { echo "MACHINE is empty; name one, as in make baseline MACHINE=mine" >&2; exit 2; }
	@mkdir -p $(BASELINE)
	$(MEMRACE) bench $(STORES:%=--store %) $(MIXES:%=--mix %) --sync full,normal --rounds $(COUNT) --for $(BENCHTIME) --warm-up 50ms \
		--out $(BASELINE)/bench.txt --force
	$(MEMRACE) report $(BASELINE)/bench.txt results/mutants.txt -o $(BASELINE)/report.html --force
	@rm $(BASELINE)/bench.hlog # too large to be kept
	$(MEMRACE) report --svg $(BASELINE) --force $(BASELINE)/bench.txt

pictures: build ## draw the pictures of results/baseline/MACHINE again, and its table
	$(MEMRACE) report --svg $(BASELINE) --force $(BASELINE)/bench.txt

# The C loop is linked with the SQLite that the driver ships, compiled as the driver has it compiled.
DRIVER    := github.com/mattn/go-sqlite3
SQLITE     = $(shell $(GO) list -f '{{.Dir}}' $(DRIVER))
SQLITE_AS  = -g -O2 $(shell $(GO) list -f '{{join .CgoCFLAGS " "}}' $(DRIVER))

bin/sqlite3.o: go.mod
	@mkdir -p bin
	@echo "compiling SQLite, which takes a minute"
	@$$($(GO) env CC) $(SQLITE_AS) -c -o $@ $(SQLITE)/sqlite3-binding.c

bin/cloop: bin/sqlite3.o $(wildcard bench/cloop/*)
	@$$($(GO) env CC) -Wall -Wextra $(SQLITE_AS) -o $@ bench/cloop/*.c bin/sqlite3.o -lpthread -ldl -lm

cloop: cc bin/cloop ## build bin/cloop: what one thread of C does with SQLite (bin/cloop --help)

ratios: build cloop ## what is to be reached, and whether it is, written to results/ratios.txt (COUNT)
	@CGO_ENABLED=1 $(GO) build -race -o bin/memrace-race ./cmd/memrace
	CGO_ENABLED=1 $(GO) test ./bench -run '^TestRatios$$' -count=1 -v -timeout 30m -ratios $(COUNT)

drivers: cc ## build bin/memrace-drivers with every driver for SQLite; judge and measure each briefly
	@echo "building memrace with every driver; the first time that takes a minute or two"
	@cd bench/drivers && CGO_ENABLED=1 $(GO) build -o ../../bin/memrace-drivers .
	cd bench/drivers && CGO_ENABLED=1 $(GO) test -short ./...
	bin/memrace-drivers bench --store memory --store wal --driver mattn,modernc,ncruces,zombiezen --mix upsert --mix get \
		--clients 1,64 --rounds 6 --for 50ms --warm-up 20ms

lint: ## gofmt, vet, staticcheck and the rules of the house
	@test -z "$$(gofmt -l .)" || { gofmt -l . ; echo "run gofmt -w on these" >&2; exit 1; }
	$(GO) mod tidy -diff
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	cd bench/drivers && $(GO) mod tidy -diff && $(GO) vet ./... && $$(cd ../.. && $(GO) tool -n staticcheck) ./...
	$(GO) test ./scripts

fuzz: cc ## every fuzz target for FUZZTIME
	@for f in $(FUZZING); do \
		echo "fuzzing $$f"; \
		$(GO) test ./$${f%%:*} -run '^$$' -fuzz "^$${f##*:}$$" -fuzztime $(FUZZTIME) || exit 1; \
	done

oracle: cc ## the near-linear check against brute force on ORACLE random histories
	MEMRACE_ORACLE=$(ORACLE) $(GO) test ./stress/search ./stress/check -run Oracle -count=1 -v -timeout 60m

checker: cc ## how fast histories are judged, beside porcupine, written to results/checker.txt
	$(GO) test ./stress/check -run '^TestTable$$' -count=1 -v -timeout 30m -update

clean: ## remove what was built and what runs left
	rm -rf bin results/runs
