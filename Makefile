# make check: about a minute on two idle cores, before every commit.  make test: everything CI tests.
PYTHON ?= .venv/bin/python
BIN := $(dir $(PYTHON))
.PHONY: catalogues picture audit-deps hashes check lint everyday test laws bench docs regen release-books long mutants torture fuzz work
SAMPLE ?= 600
SEED ?= 1
HANDS ?= 100000
FUZZ_MINUTES ?= 20
FUZZ_TARGET ?=
FUZZ_SEED ?= $(shell date +%s)
BYTES ?= 500000
FIND ?=
FORMAT ?=

# Both halves at once, each one's output in one piece. Bytecode is kept even where the environment
# says otherwise: without it every Python of every test compiles all that it imports.
check test bench: export PYTHONDONTWRITEBYTECODE =
check:
	@$(MAKE) --no-print-directory -j2 --output-sync=target lint everyday

lint:
	$(BIN)ruff check .
	$(BIN)ruff format --check .
	$(BIN)lint-imports --no-cache >/dev/null
	$(BIN)mypy

# A quarter of the examples of each property, and no laws: `make test` and CI draw them.
everyday: export HYPOTHESIS_PROFILE ?= everyday
everyday:
	$(BIN)pytest -n auto --dist worksteal -m "not slow and not law and not postgres and not data"

test:
	$(BIN)pytest -n auto --dist worksteal

# Every law at its full size; the suite draws a small part of each. Mark such a test with `law`.
laws: export HANDLEDGER_LAWS = full
laws:
	$(BIN)pytest -n auto --dist worksteal --timeout 0 -m law

bench:
	export HANDLEDGER_PEOPLE_KEY="$$(mktemp -d)/people.key"; for part in benchmarks/*.py; do echo "== $$part"; $(PYTHON) $$part || exit 1; done

# Random legal evenings, HANDS hands in each of twenty rooms: about half an hour on two idle cores.
long:
	HANDLEDGER_HANDS=$(HANDS) $(BIN)pytest -n auto -m "" tests/projections/test_evenings.py

# What no test would notice in detectors and obligations: SAMPLE small wrongs, 0 = every one.
mutants:
	$(PYTHON) -m tests.mutation.hunt --sample $(SAMPLE) --seed $(SEED)

# Coverage-guided fuzzing, FUZZ_MINUTES of processor time: of every target, or of FUZZ_TARGET (queries, pages, readers, phh).
# What is found is kept in tests/fuzz/samples; `python -m tests.fuzz.plants` shows that planted bugs are found.
fuzz:
	$(PYTHON) -m tests.fuzz --minutes $(FUZZ_MINUTES) --seed $(FUZZ_SEED) --target "$(FUZZ_TARGET)"

# How the work grows with what comes again and again in a source: a part of the law at BYTES, without the bound of events.
work:
	$(PYTHON) -m tests.security.proportion --bytes $(BYTES) --find "$(FIND)" --format "$(FORMAT)" >/dev/null

# Power cuts, faults, kills, flipped bits, cut lines, changed rows: the figures of docs/reliability.md, about two hours on two
# idle cores.
torture:
	HYPOTHESIS_PROFILE=fresh $(BIN)pytest -n auto -m "not postgres"
	HANDLEDGER_HANDS=26 $(BIN)pytest tests/web/test_keep_evening.py
	$(PYTHON) -m tests.torture.removed
	$(PYTHON) -m tests.torture.power --states 100000
	$(PYTHON) -m tests.torture.faults --runs 1000
	$(PYTHON) -m tests.torture.machine --steps 100000
	$(PYTHON) -m tests.torture.sizes --commits 1000000 --real 100000
	$(PYTHON) -m tests.torture.bundles
	$(PYTHON) -m tests.torture.bulk --megabytes 1000
	$(PYTHON) -m tests.torture.memory --hands 60000
	$(PYTHON) -m tests.torture.flips --flips 5000 --rewrites 1000
	$(PYTHON) -m tests.torture.kills --kills 1000
	$(PYTHON) -m tests.torture.recording --kills 100
	$(PYTHON) -m tests.torture.feeding --kills 100
	$(PYTHON) -m tests.torture.matrix
	$(PYTHON) -m tests.torture.tampering
	$(PYTHON) -m tests.torture.tampering --store postgres
	$(PYTHON) -m tests.torture.spoiled_lakes
	$(PYTHON) -m tests.torture.spoiled_lakes --kind straight
	$(PYTHON) -m tests.torture.server --appends 1000 --seconds 120
	$(PYTHON) -m tests.torture.room

docs:
	$(PYTHON) docs/generate.py
	$(PYTHON) schemas/generate.py

# The messages of all sentences, and their translations compiled: docs/translating.md.
catalogues:
	$(PYTHON) -m tests.wording.catalogues

picture:  # of a finding and of a page, for the README
	$(PYTHON) docs/picture.py
	$(PYTHON) -m tests.web.pictures

regen: docs
	$(BIN)pytest -n auto --regen -m "not slow and not postgres and not data"

# Keeps each rulebook's edition for good; a book that changed since needs another edition first.
release-books:
	PYTHONPATH=. $(PYTHON) docs/release_books.py

# Known flaws of what is installed; where no index of advisories can be reached, it fails and says so.
audit-deps:
	$(PYTHON) -m venv .venv-audit
	.venv-audit/bin/pip install --quiet pip-audit
	.venv-audit/bin/pip-audit --strict --no-deps --disable-pip -r constraints.txt

# The hashes of all that constraints.txt names, from the index that pip is set up with.
hashes:
	$(PYTHON) -m venv .venv-hashes
	.venv-hashes/bin/pip install --quiet uv
	.venv-hashes/bin/python .ci/hashes.py
