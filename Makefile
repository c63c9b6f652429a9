# Every command anyone runs. `make` alone lists them; each does its own set-up.
CARGO ?= cargo
QUICKSTART = $(CARGO) run --quiet --package nudge --example quickstart

.DEFAULT_GOAL := help
.PHONY: help run test lint fmt conformance bench clean

help: ## list these commands
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/make \1\t\2/' | expand -t 20

run: ## run the quickstart
	@$(QUICKSTART)

test: lint ## run every test
	$(CARGO) test --workspace --exclude nudge-bench --all-targets
	$(CARGO) test --workspace --exclude nudge-bench --doc
	$(QUICKSTART) | diff examples/quickstart.out -

lint: tools ## check format, lints and docs
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --exclude nudge-bench -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --exclude nudge-bench --no-deps --quiet

fmt: tools ## format everything
	$(CARGO) fmt --all

conformance: ## run the vectors that say what Nudge does
	$(CARGO) test --package nudge-server --test it -- --nocapture conformance

bench: ## measure, beside a floor and the peers, in one table
	$(CARGO) run --release --quiet --package nudge-bench $(if $(HINTS),-- $(HINTS))

clean: ## remove what was built
	$(CARGO) clean

# The formatter and the linter are parts of a toolchain that may be left out.
.PHONY: tools
tools:
	@$(CARGO) fmt --version >/dev/null 2>&1 || rustup component add rustfmt
	@$(CARGO) clippy --version >/dev/null 2>&1 || rustup component add clippy
