# Every command anyone runs. `make` alone lists them; each does its own set-up.
CARGO ?= cargo
GO ?= go
PYTHON ?= python3
export CARGO_TARGET_DIR := $(CURDIR)/target
# The shell of an agent that runs the tests is not the shell that they are about.
unexport CLAUDECODE CLAUDE_CODE_SESSION_ID CODEX_THREAD_ID CODEX_SESSION_ID GEMINI_CLI OPENCODE COPILOT_CLI \
	COPILOT_AGENT_SESSION_ID CURSOR_AGENT AI_AGENT CODEX_SANDBOX CODEX_CI
export NUDGE_ANY_PARENT := 1
BUILT = target/release/libnudge.a -lm -ldl -lpthread
QUICKSTART = $(CARGO) run --quiet --package nudge-hints --example quickstart
# With the C library inside, a command of the CLI starts in two thirds of the time. At a fixed address
# none of 20,000 pointers has to be written first: the file is 1.3 MB smaller, and so is a server. Heap,
# stack and mappings are where the kernel puts them all the same.
STATIC = $(if $(wildcard $(shell $(CC) -print-file-name=libc.a)),-C target-feature=+crt-static -C relocation-model=static)
MACOS = aarch64-apple-darwin
WINDOWS = x86_64-pc-windows-gnu
# What is released, one a platform.
RELEASED = x86_64-unknown-linux-musl aarch64-unknown-linux-musl x86_64-apple-darwin $(MACOS) $(WINDOWS)
VENV = target/venv/bin
MSRV = $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
UV = $(VENV)/uv pip install --quiet --python $(VENV)/python
CREWAI = $(VENV)/uv pip install --quiet --python target/crewai/bin/python

.DEFAULT_GOAL := help
.PHONY: help quick run binary test lint deny fmt rust c go python clients crewai page documents hosts conformance generated header install-c bench soak coldrun cross wine msrv dist clean libnudge adapters venv tools release

help: ## list these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1\t\2/' | expand -t 20

# Built in two minutes and not ten; `make binary` builds the one to install.
run: ## show a hint, what an agent is told, and the page; stay until Ctrl-C
	$(CARGO) build --locked --package nudge-hints-server --bin nudge
	@examples/serve.sh

# Optimised as a whole, which takes minutes; the libraries gain nothing by it.
binary: ## build target/release/nudge as it is meant to be installed
	CARGO_PROFILE_RELEASE_LTO=fat $(CARGO) rustc --release --package nudge-hints-server --bin nudge -- $(STATIC)

# Lints of the tests and most of the random cases are left to `make test`, so that it takes seconds.
quick: tools ## check the library in seconds; CASE="…" runs only the vectors with that in their name, SERVER=1 also what the binary says
	$(CARGO) fmt --all --check
	$(CARGO) clippy --quiet --package nudge-hints -- -D warnings
	PROPTEST_CASES=8 $(CARGO) test --quiet --package nudge-hints --lib --test it --test vectors
	$(if $(SERVER),$(CARGO) test --quiet --package nudge-hints-server --lib)
	$(if $(SERVER),$(CARGO) test --quiet --package nudge-hints-server --test it -- $(SPOKEN))

# What a person or an agent reads, and the vectors over HTTP; the rest of the server's tests take minutes.
SPOKEN = conformance::http transcripts:: hooks:: mcp:: help:: docs:: reference:: hands::

# What is tested need not be as fast as what is released, which takes minutes longer to build.
TESTS = test rust c go python crewai clients documents conformance
$(TESTS): export CARGO_PROFILE_RELEASE_OPT_LEVEL = 0
$(TESTS): export CARGO_PROFILE_RELEASE_LTO = off
$(TESTS): export CARGO_PROFILE_RELEASE_CODEGEN_UNITS = 16

# The server and the packages for hosts. All targets, as in `make rust`: for fewer Cargo would build
# their dependencies again, with other features.
BUILD = $(CARGO) build --quiet --all-targets
PLUGINS = target/debug/examples/plugins target/plugins

# Those at the end have little to compile and wait a lot, for a browser or for valgrind: two at a time.
test: lint deny rust ## run every test
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target c go python clients page documents

lint: tools ## check format, lints and docs, and the server also for macOS and Windows
	$(CARGO) fmt --all --check
	$(CARGO) clippy --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps --quiet
	@$(ELSEWHERE)

# Compiled to its types, which needs no such system, nor a C compiler for one: SQLite is left out
# by `true`. What it does on macOS runs here too, under NUDGE_PORTABLE. Both at once, so that no core idles.
define ELSEWHERE
	systems=; \
	for each in $(MACOS) $(WINDOWS); do \
		if test -d "$$(rustc --print target-libdir --target $$each)" || rustup target add $$each; then \
			systems="$$systems --target $$each"; \
			export "CC_$$(echo $$each | tr - _)=true" "AR_$$(echo $$each | tr - _)=true"; \
		else \
			echo "NOT CHECKED: the server on $$each; this needs \`rustup target add $$each\`" >&2; \
			test "$$CI" != true || ! command -v rustup >/dev/null || exit 1; \
		fi; \
	done; \
	test -z "$$systems" || $(CARGO) clippy --package nudge-hints-server --package nudge-hints-client $$systems -- -D warnings
endef

# The tool takes minutes to build, and what is known of flaws is on the internet, so that what
# cannot be had is no failure.
deny: ## check the licenses and sources of dependencies, and whether flaws of them are known
	@if ! $(CARGO) deny --version >/dev/null 2>&1; then \
		echo "NOT CHECKED: dependencies; this needs \`cargo install --locked cargo-deny\`" >&2; \
	elif $(CARGO) deny check licenses sources; then \
		if $(CARGO) deny fetch db; then $(CARGO) deny check --disable-fetch advisories; \
		else echo "NOT CHECKED: known flaws of dependencies; their database cannot be had" >&2; fi; \
	else exit 1; fi

fmt: tools venv ## format everything
	$(CARGO) fmt --all
	gofmt -w nudge-go examples/go tests/conformance/adapters/go
	$(VENV)/ruff format .

rust: adapters ## test the library, and every language against the vectors
	$(CARGO) test --all-targets
	$(CARGO) test --doc --package nudge-hints
	$(QUICKSTART) | diff examples/quickstart.out -

c: libnudge ## test what only C can do wrong
	tests/c/run

go: libnudge ## test the Go package
	tests/go/run

python: venv ## test the Python package
	$(BUILD)
	tests/python/run

# It brings 800 MB of databases, and wants other versions than its peers. All of it is of one day.
crewai: venv ## let CrewAI use the tools of the Python package; not a part of `make test`
	$(VENV)/uv venv --quiet --allow-existing target/crewai
	$(CREWAI) --exclude-newer 2026-11-16 -r tests/python/requirements-crewai.txt
	PATH="$(CURDIR)/target/crewai/bin:$$PATH" $(CREWAI) --no-build-isolation --no-deps --reinstall-package nudge-hints .
	cd tests/python && $(CURDIR)/target/crewai/bin/python -m pytest --quiet test_crewai.py

clients: venv ## let the MCP clients that people use talk to the server
	$(BUILD)
	NUDGE_BIN=$(CURDIR)/target/debug/nudge tests/clients/run

page: ## open the page in a real browser, and use it
	$(BUILD)
	NUDGE_BIN=$(CURDIR)/target/debug/nudge tests/page/run

documents: venv ## hold docs/openrpc.json, server.json and bundles against the schemas of those who read them
	$(BUILD)
	$(PLUGINS)
	tests/documents/run

hosts: export NUDGE_BIN = $(CURDIR)/target/$(if $(DIST),release,debug)/nudge
hosts: ## let the real agents work with it; DIST=1 with what `make dist` built; not a part of `make test`
	$(if $(DIST),rm -rf target/plugins && mkdir -p target/plugins/opencode,$(BUILD))
	$(if $(DIST),tar -xzf target/dist/nudge-plugins-*.tar.gz --strip-components=1 -C target/plugins,$(PLUGINS))
	$(if $(DIST),tar -xzf target/dist/nudge-hints-opencode-*.tgz --strip-components=1 -C target/plugins/opencode)
	tests/hosts/run
	tests/hosts/sessions
	tests/hosts/monorepo
	tests/hosts/plugins
	tests/hooks/run
	tests/hooks/gone
	tests/hooks/held

conformance: adapters ## run the vectors that say what Nudge does through every surface
	$(CARGO) test --quiet --package nudge-hints --test vectors
	$(CARGO) test --quiet --package nudge-hints-server --test it conformance

generated: ## write docs/operations.json, and what Go and Python have of it, from the operation table
	UPDATE=1 $(CARGO) test --quiet --package nudge-hints --test it operations
	cd nudge-go && $(GO) run ./internal/generate
	$(PYTHON) nudge-py/generate

header: ## write include/nudge.h from the source
	UPDATE=1 $(CARGO) test --quiet --package nudge-ffi --test header

install-c: libnudge ## install the C library, header and nudge.pc below PREFIX=/usr/local
	@PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) sh nudge-ffi/install.sh

bench: libnudge venv ## measure, beside a floor, in one table a language and one for the server
	$(CARGO) run --release --quiet --package nudge-bench $(if $(HINTS),-- $(HINTS))
	nudge-ffi/benches/run
	cd nudge-go && $(GO) run ./internal/bench
	nudge-py/benches/run
	nudge-server/benches/run

soak: binary ## kill the PRIMARY ROUNDS=200 times under load, then load it for MINUTES=10; prints what was lost
	NUDGE_BIN=$(CURDIR)/target/release/nudge ROUNDS=$(ROUNDS) MINUTES=$(MINUTES) \
		$(CARGO) test --package nudge-hints-server --test it faults::soak -- --ignored --nocapture
	$(CARGO) test --package nudge-hints-server --test it sync::interleaved -- --ignored

coldrun: binary ## run what is told in 20 packages of the registries, which takes a quarter of an hour; not a part of `make test`
	NUDGE_BIN=$(CURDIR)/target/release/nudge tests/coldrun/run

cross: ## build the binary for Linux, macOS and Windows, look at each, run what can run here; takes half an hour
	TARGETS="$(or $(TARGETS),$(RELEASED))" tests/cross/run

wine: ## run the library's tests and the vectors as Windows has them, under wine; not a part of `make test`
	tests/cross/library

# The server needs a compiler no older than its dependencies do; parking_lot is the youngest of them.
msrv: ## check everything with the oldest compiler that is promised
	rustup run $(MSRV) rustc --version || rustup toolchain install --profile minimal $(MSRV)
	rustup run $(MSRV) $(CARGO) check --locked --all-targets

# A released file does not tell where it was built, so that it is the same wherever that was.
dist: export RUSTFLAGS = --remap-path-prefix=$(CURDIR)=nudge --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)=cargo
dist: binary libnudge venv ## build what is released into target/dist and try it out, which takes minutes
	TARGETS="$(if $(filter all,$(TARGETS)),$(RELEASED),$(TARGETS))" nudge-server/dist.sh
	tests/dist/run

release: ## write VERSION=0.2.0 everywhere, move the changelog, print the steps that need an account
	nudge-server/release.sh $(VERSION)

clean: ## remove what was built
	$(CARGO) clean

libnudge:
	$(CARGO) build --release --package nudge-ffi

adapters: libnudge venv
	mkdir -p target/adapters
	$(CC) -std=c99 -D_POSIX_C_SOURCE=200809L -Iinclude tests/conformance/adapters/adapter.c $(BUILT) -o target/adapters/c
	rm -f target/adapters/go # Go does not notice that the library it links is another one.
	cd tests/conformance/adapters/go && $(GO) build -o $(CURDIR)/target/adapters/go .

# What comes from PyPI, and the package itself as a user installs it.
venv:
	test -x $(VENV)/uv || { $(PYTHON) -m venv target/venv && $(VENV)/pip install --quiet uv==0.13.7; }
	$(UV) -r tests/python/requirements.txt -r tests/python/requirements-frameworks.txt
	PATH="$(CURDIR)/$(VENV):$$PATH" $(UV) --no-build-isolation --no-deps --reinstall-package nudge-hints .

# The formatter and the linter are parts of a toolchain that may be left out.
tools:
	@$(CARGO) fmt --version >/dev/null 2>&1 || rustup component add rustfmt
	@$(CARGO) clippy --version >/dev/null 2>&1 || rustup component add clippy
