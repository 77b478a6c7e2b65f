# Every target sets up what it needs in .venv; the first run installs, later ones do not.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Docker where an engine and the image answer, looked up when it is needed.
SANDBOX = $(shell $(BIN)/rubric-engine sandbox doctor >/dev/null 2>&1 && echo docker || echo local)

.PHONY: demo test test-slow lint types layers bench clean

demo: $(VENV)/.demo  ## Reproduce and grade a shipped submission, offline, no key; in Docker where it is up.
	$(BIN)/rubric-engine grade judgeeval/heavy-ball-full/submission --task heavy-ball --judge rules --sandbox $(SANDBOX)

test: $(VENV)/.dev  ## The tests, in a few minutes; WORKERS=0 runs them one by one.
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

test-slow: $(VENV)/.dev  ## The tests that take longer: wheels, large inputs, long fuzzing.
	$(BIN)/python -m pytest -m slow

lint: $(VENV)/.dev  ## Style and formatting.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev  ## Types, strictly.
	$(BIN)/mypy

layers: $(VENV)/.dev  ## Who may import whom.
	$(BIN)/lint-imports

bench: $(VENV)/.dev  ## Speed, as ratios measured side by side; see benchmarks/README.md.
	$(BIN)/python -m benchmarks.run

clean:  ## Remove what the other targets made.
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "rubric-engine needs Python 3.11 or newer: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[demo]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/.demo
