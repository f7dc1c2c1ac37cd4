# make check: under a minute, before every commit.  make test: everything CI tests.
PYTHON ?= .venv/bin/python
BIN := $(dir $(PYTHON))
.PHONY: check test bench docs regen

check:
	$(BIN)ruff check .
	$(BIN)ruff format --check .
	$(BIN)mypy
	$(BIN)lint-imports --no-cache >/dev/null
	$(BIN)pytest -n auto -m "not slow and not postgres and not data"

test:
	$(BIN)pytest -n auto

bench:
	for part in benchmarks/*.py; do echo "== $$part"; $(PYTHON) $$part || exit 1; done

docs:
	$(PYTHON) docs/generate.py
	$(PYTHON) schemas/generate.py

regen: docs
	$(BIN)pytest -n auto --regen -m "not slow and not postgres and not data"
