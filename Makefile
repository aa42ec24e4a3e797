# The two that most people want: `make play` and `make test`. `make help` lists the rest.

PYTHON ?= python3
VENV ?= .venv
ARGS ?=

BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input

.DEFAULT_GOAL := help
.PHONY: help setup play test check format bench lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "  PYTHON=python3.12 chooses the interpreter; ARGS='...' is passed on to play, test and bench."

setup: $(READY) ## create .venv with everything pinned and hash-checked

play: $(READY) ## play a game in this terminal
	@$(BIN)/tianhei play $(ARGS)

test: $(READY) ## run the tests
	$(BIN)/python -m pytest $(ARGS)

check: $(READY) ## lint, formatting, types, import layers, rule cases
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/tianhei check tests/cases

format: $(READY) ## put imports and formatting right
	$(BIN)/ruff check --select I --fix .
	$(BIN)/ruff format .

bench: $(READY) ## print the project's own numbers
	@$(BIN)/tianhei bench $(ARGS)

lock: ## renew constraints.txt after a change of dependencies (needs uv)
	uv pip compile pyproject.toml --extra dev --universal --generate-hashes --no-emit-index-url \
		--custom-compile-command 'make lock' --quiet --output-file constraints.txt

clean: ## remove .venv, caches and builds
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Tianhei needs Python 3.11 or newer, and '$(PYTHON)' is not that:" \
			"$$($(PYTHON) --version 2>/dev/null || echo not found)" >&2; \
		echo "Name another one, for example: make setup PYTHON=python3.12" >&2; \
		exit 1; }
	@echo "Setting up $(VENV) (once; about a minute)"
	@$(PYTHON) -m venv $(VENV) || { \
		echo "Could not create a virtual environment. On Debian and Ubuntu: apt install python3-venv" >&2; \
		exit 1; }
	@$(PIP) install -qq --require-hashes --requirement constraints.txt
	@$(PIP) install -qq --no-deps --no-build-isolation --editable .
	@touch $(READY)
