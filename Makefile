# The commands that people expect. README.md's two need no make.

GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
TARGETS := windows/amd64 windows/arm64 darwin/amd64 darwin/arm64 linux/amd64 linux/arm64
TOOL    := $(GO) tool -modfile=tools/lint/go.mod
LDFLAGS := -s -w -X main.version=$(VERSION)

.PHONY: build learn play test thorough cups workers cluster race race-thorough sim sim-same sim-net \
	sim-faults browser steady deploy image clockjump frames seek pictures views lint fmt fuzz \
	bench benchmark soak attack figures strength evaluation calibrate targets release clean

build: ## bin/hexarena
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/ ./cmd/hexarena

PYTHON ?= python3
learn: build ## hexarena_env.py against the tests of PettingZoo and Gymnasium, which PYTHONPATH or pip has; a policy that learns
	cd bots/learn && HEXARENA=$(CURDIR)/bin/hexarena PYTHONDONTWRITEBYTECODE=1 $(PYTHON) test_env.py

play: ## a match of four built-in bots
	$(GO) run ./cmd/hexarena play

test: ## what the README says
	$(GO) test ./...

# sized finds the tests that the tag changes, so that the others are not run again; lint vets all
thorough: ## tests at full size, and those that take minutes: wrong rules, tools on a server
	sized=$$($(GO) run ./tools/sized) && $(GO) test -tags thorough -timeout 20m -vet=off $$sized

cups: ## the longest tests of cups: a million matches, and 2 000 of a bot in Python that are killed 20 times
	$(GO) test -count=1 -v -tags thorough -run TestMillion ./server/cup -args -rows 1000000
	$(GO) test -count=1 -v -tags thorough -timeout 30m -run TestCupKilled ./cmd/hexarena -args -killed 2000

workers: ## 100 000 matches by 8 workers; they, the coordinator and its broker are killed 20 times: half an hour
	$(GO) test -count=1 -v -tags thorough -timeout 2h -run TestWorkersAreKilled ./cmd/hexarena -args -leased 100000 -leased-workers 8 -leased-kills 20 -leased-turns 5

cluster: ## as many over three NATS servers, which are killed as well; then while the network is cut apart and healed: 15 minutes, wants Linux and root
	$(GO) test -count=1 -v -tags thorough -timeout 2h -run TestClusterIsKilled ./cmd/hexarena -args -clustered 100000 -clustered-workers 8 -clustered-kills 20 -clustered-turns 5
	$(GO) test -count=1 -v -tags thorough -timeout 2h -run TestClusterIsCut ./cmd/hexarena -args -cut 100000 -cut-workers 4 -cut-turns 5 -cut-rounds 2 -cut-time 20s

# Packages that compute on one goroutine. The detector makes them ten times slower, and sees in the first games
# what it sees in all; what calls them from many goroutines is tested elsewhere, at its usual size.
SERIAL := /hexarena/(bots/hextictactoe$$|config|engine|maps|server/contest)
# Packages whose tests are mostly processes, which the detector makes slow as well. RACE=-short leaves the longest out, as CI does.
PROCESSES := /hexarena/(cmd/hexarena|server/cup)$$
RACE      ?=
# COUNT=20 runs each test 20 times in one process, which links each program once.
COUNT     ?= 1
RACETEST  := $(GO) test -race -shuffle=on -vet=off -count=$(COUNT) -timeout $$((10 * $(COUNT)))m
# without the kits' tests: the bots are other programs, and what plays against them is tested elsewhere
race: ## the tests under the race detector, in random order; packages without goroutines with -short
	$(RACETEST) $$($(GO) list ./... | grep -vE '/bots/kits$$|$(SERIAL)|$(PROCESSES)')
	$(RACETEST) -short $$($(GO) list ./... | grep -E '$(SERIAL)')
	$(RACETEST) $(RACE) $$($(GO) list ./... | grep -E '$(PROCESSES)')

# What is left out runs in other processes, on one goroutine, or under the detector in sim-same.
race-thorough: ## as thorough, under the race detector, where there are many goroutines: four minutes
	sized=$$($(GO) run ./tools/sized | tr ' ' '\n' | grep -vE '^\./(cmd|config|engine|maps|tools|server/(contest|cup$$|sim$$)|bots($$|/kits|/hextictactoe$$))') \
		&& $(RACETEST) -tags thorough $$sized

SIM ?= -fresh 2000
SIM_CUPS ?= -fresh 200
sim: ## the whole server, and events, in simulated worlds of fresh seeds, which are printed; SIM='-seeds 1..10000' for others
	$(GO) test -count=1 -v -timeout 2h -run 'TestSeeds|TestEvents' ./server/sim -args $(SIM)
	$(GO) test -count=1 -v -timeout 2h -run TestWorkers ./server/sim -args $(if $(filter -fresh,$(SIM)),$(SIM_CUPS),$(SIM)) # each is a cup

SAME ?= 1..100
SAME_EVENTS ?= 300
sim-same: ## worlds have the same histories on one processor and on two, with the race detector and without; and so have SAME_EVENTS events and cups of fresh seeds, without it
	@dir=$$(mktemp -d); first=$$(date +%s); last=$$((first + $(SAME_EVENTS) - 1)); echo "seeds $$first..$$last"; for processors in 1 2; do \
		GOMAXPROCS=$$processors $(GO) test -count=1 -timeout 1h -run 'TestEvents|TestCups' ./server/sim \
			-args -seeds $$first..$$last -digests $$dir/$$processors || exit 1; \
	done; diff $$dir/1 $$dir/2 && rm -r $$dir
	@dir=$$(mktemp -d); for race in '' -race; do for processors in 1 2; do \
		GOMAXPROCS=$$processors $(GO) test $$race -count=1 -timeout 1h -run TestSeeds ./server/sim \
			-args -seeds $(SAME) -digests $$dir/$$processors$$race || exit 1; \
	done; done; for other in 2 1-race 2-race; do cmp $$dir/1 $$dir/$$other || exit 1; done; rm -r $$dir

HISTORIES := server/sim/testdata/histories.txt
sim-net: ## 1 000 histories of each kind of world are as before: two minutes; UPDATE=1 writes them
	@dir=$$(mktemp -d); $(GO) test -count=1 -timeout 1h -run 'TestSeeds|TestEvents|TestCups|TestWorkers' \
		./server/sim -args -seeds 1..1000 -digests $$dir/all && \
	sort -k1,1 -k2,2n $$dir/all | split -l 50 - $$dir/block. && \
	grep '^#' $(HISTORIES) > $$dir/digests && for block in $$dir/block.*; do \
		echo "$$(head -n 1 $$block | cut -d ' ' -f 1,2) $$(sha256sum < $$block | cut -c 1-16)"; \
	done >> $$dir/digests && \
	{ [ -z '$(UPDATE)' ] || cp $$dir/digests $(HISTORIES); } && diff $(HISTORIES) $$dir/digests && rm -r $$dir

FAULT ?=
sim-faults: ## in how many seeds each planted fault is found, in ten ranges of seeds: hours; FAULT=grace for some
	$(GO) test -v -count=1 -timeout 0 -run '^TestFaults$$' ./server/sim -args -faults 10 -fault '$(FAULT)'

browser: ## the page in a real Chromium (its headless shell, if that is installed), which has to be there, and in a Firefox if there is one
	$(GO) test -count=1 -timeout 20m -parallel 4 -tags browser ./server/web/pagetest
	$(GO) test -count=1 -tags browser -run InABrowser ./bots/kits

RUNS ?= 20
BUSY ?= 0
STEADY ?= browser race
steady: ## the browser tests, and the others with the race detector, RUNS times in a row or until one fails: hours; BUSY=2 keeps two processors busy
	@busy=; trap '[ -z "$$busy" ] || kill $$busy' EXIT; trap 'exit 1' INT TERM; \
	for i in $$(seq $(BUSY)); do while :; do :; done & busy="$$busy $$!"; done; \
	for i in $$(seq $(RUNS)); do echo "== run $$i of $(RUNS)"; $(MAKE) $(STEADY) || exit 1; done

deploy: ## files in deploy/, the Dockerfile and workflows; a release, installed and played: wants pip
	$(GO) test -C tools/release ./...

image: ## builds the Dockerfile without a daemon, and plays a match in its image and in that of a release; wants root, buildah and busybox
	$(GO) test -C tools/release -count=1 -tags image -run Image ./deploy

clockjump: ## matches while the wall clock jumps; builds the standard library again, with another time.Now
	$(GO) test -count=1 -tags clockjump -run ClockJumps ./cmd/hexarena

frames: ## how fast the page draws the largest board, and one of 2 000 cells with 16 players, in a Chromium with the machine to itself
	$(GO) run -tags browser ./tools/browser/measure frames
	$(GO) run -tags browser ./tools/browser/measure frames -cells 2000 -players 16

seek: ## how long the page takes to open a long recording, and to go to a turn of it
	$(GO) run -tags browser ./tools/browser/measure seek

pictures: build ## the pictures of the page in docs/img, with a Chromium; the tests' matches are seeded
	$(GO) test -count=1 -tags browser,pictures -run TestPictures ./server/web/pagetest -pictures $(CURDIR)/docs/img -program $(CURDIR)/bin/hexarena

VIEWS ?= /tmp/views
views: ## every view of the page in three windows and both themes, in the folder VIEWS, to be looked at
	@[ -n "$$(fc-list :lang=zh 2>/dev/null)" ] || echo "no font has Chinese letters, which become boxes: apt-get install fonts-noto-cjk" >&2
	HEXARENA_SCREENSHOTS=$(VIEWS) $(GO) test -count=1 -timeout 60m -tags browser,pictures -run TestViews ./server/web/pagetest

lint: ## vet, staticcheck, format
	$(GO) vet -tags browser,pictures,thorough ./...
	$(TOOL) staticcheck -tags browser,pictures,thorough ./...
	@files=$$($(TOOL) gofumpt -l .); if [ -n "$$files" ]; then echo "not formatted; run make fmt:"; echo "$$files"; exit 1; fi

fmt:
	$(TOOL) gofumpt -w .
	npm --prefix server/web/page run format

FUZZTIME ?= 20s
fuzz: ## every fuzz target, FUZZTIME each: a table
	@printf '%-52s %-18s %8s %12s  %s\n' package target time executions result; failed=0; \
	for pkg in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			if out=$$($(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x $$pkg 2>&1); \
			then result=ok; else result=FOUND; failed=1; fi; \
			runs=$$(echo "$$out" | sed -n 's/.*execs: \([0-9]*\).*/\1/p' | tail -1); \
			printf '%-52s %-18s %8s %12s  %s\n' $${pkg#github.com/hexarena/} $$f $(FUZZTIME) "$$runs" $$result; \
			[ $$result = ok ] || echo "$$out"; \
		done; \
	done; exit $$failed

bench: ## turns per second of hexabomb, what a piece of hextictactoe costs, and matches of a cup
	$(GO) test -run '^$$' -bench . -benchmem ./engine/hexabomb ./engine/hextictactoe ./server/cup

benchmark: build ## matches over TCP, jitter, memory, viewers: a table; BENCHMARK=-quick for a short one
	$(GO) run ./tools/benchmark $(BENCHMARK)

soak: ## 10 000 matches in one process, whose memory and goroutines must not grow: two minutes, on Linux
	$(GO) test -count=1 -v -tags thorough -timeout 30m -run TestSoak ./cmd/hexarena -args -soaked 10000

attack: ## known attacks on a server with 512 MiB, on events and exams, on Linux, in eight minutes: a table; ATTACK='-only downloads,answers' for some
	$(GO) run ./tools/attack $(ATTACK)

figures: ## how strong the built-in bots are, by cups of two: a minute
	tools/figures.sh

strength: ## threat against the threat of the commit AGAINST, 100 ms and 1 s a move, with the machine to itself; STRENGTH='--count 20' for less
	tools/strength.sh $(STRENGTH)

evaluation: ## learns the evaluation of threat from 5000 games, and shows that threat is stronger with it: three minutes
	$(GO) run ./tools/evaluation -o bots/hextictactoe/evaluation.bin
	$(GO) run ./tools/evaluation -without evaluation -nodes 1000

calibrate: ## whether intervals and sequential tests of contests err as often as they say: half an hour; CALIBRATE=-quick for a look
	$(GO) run ./tools/calibrate $(CALIBRATE)

targets: ## compiles and vets for every system that is released, as make release compiles: what is compiled is compiled once
	@for t in $(TARGETS); do echo "vet $$t"; \
		CGO_ENABLED=0 GOOS=$${t%/*} GOARCH=$${t#*/} $(GO) vet -trimpath ./... || exit 1; done

release: ## dist/: archives, wheels, image, bills of materials, licenses and checksums, for every system
	@rm -rf dist
	@$(GO) run -C tools/release . -out ../../dist -version '$(VERSION)' -targets '$(TARGETS)'

clean:
	rm -rf bin dist
