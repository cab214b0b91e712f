# Each target works as the first command in a fresh clone: it makes .venv and installs what it needs, once.

VENV := .venv
BIN := $(VENV)/bin
PYTHONS := python3 python3.14 python3.13 python3.12 python3.11 python /usr/bin/python3 /usr/local/bin/python3
SUITABLE := import sys; sys.exit(sys.version_info < (3, 11))
INSTALL := $(BIN)/python -m pip --disable-pip-version-check -qq install
# One lock for every platform and Python: hashes of all wheels, and no address of an index.
COMPILE := uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-config --no-annotate --no-header
GENERATED := README.md docs/reference/*.md
PYTEST := $(BIN)/python -m pytest -q -n auto --dist loadgroup
# What every run of the tests does on databases, too, where a PostgreSQL server answers; all of it by ENGINE=postgres.
ON_DATABASES := tests/composer tests/surfaces/test_cli_showing.py

.DEFAULT_GOAL := help
.PHONY: help demo test lint bench bench-data docs lock

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/base.stamp ## index the bundled project and ask it seven questions
	@rm -rf .demo
	@$(BIN)/cortex demo --db .demo/brain.db

test: $(VENV)/dev.stamp ## run the tests, in parallel; ENGINE=postgres on databases, TESTS="FOLDER …" a part
	@CORTEX_TEST_ENGINE=$(ENGINE) $(PYTEST) $(TESTS)
ifeq ($(ENGINE)$(TESTS),)
	@CORTEX_TEST_ENGINE=postgres $(PYTEST) $(ON_DATABASES)
endif

lint: $(VENV)/dev.stamp ## check style, types and that generated docs are fresh
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/cog --check --check-fail-msg="run: make docs" -I docs $(GENERATED)
	@$(BIN)/python docs/transcript.py --check
	@$(BIN)/python docs/llms.py --check

bench: bench-data $(VENV)/bench.stamp ## measure against peers: make bench DATA=FOLDER
	@set -e; for script in $$(grep -l __main__ bench/*.py); do echo "== $$script"; $(BIN)/python "$$script" "$(DATA)"; done
	@$(BIN)/python docs/benchmarks.py

bench-data:
	@test -d "$(DATA)" || { echo "make bench DATA=FOLDER: a folder of exported GitHub issues, pulls and comments" >&2; exit 2; }

docs: $(VENV)/dev.stamp ## write the generated docs anew
	@$(BIN)/cog -r -I docs $(GENERATED)
	@$(BIN)/python docs/transcript.py
	@$(BIN)/python docs/llms.py

lock: ## pin requirements/ to the newest releases (needs uv)
	@command -v uv >/dev/null || { echo "make lock needs uv: pip install uv" >&2; exit 2; }
	@$(COMPILE) --group build --output-file requirements/base.txt
	@$(COMPILE) --group dev --constraint requirements/base.txt --output-file requirements/dev.txt
	@$(COMPILE) --group bench --constraint requirements/dev.txt --output-file requirements/bench.txt

# The venv is made anew only when it is missing or its Python has gone.
$(VENV)/base.stamp: requirements/base.txt pyproject.toml
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
		for python in $(PYTHON) $(PYTHONS); do \
			"$$python" -c '$(SUITABLE)' 2>/dev/null && break; python=; \
		done; \
		test -n "$$python" || { echo "Cortex needs Python 3.11 or newer: install one, or name it with make PYTHON=PATH" >&2; exit 1; }; \
		"$$python" -c 'import ensurepip, venv' 2>/dev/null || { echo "$$python cannot make a venv: apt install python3-venv" >&2; exit 1; }; \
		"$$python" -m venv --clear $(VENV); }
	@echo "installing into $(VENV), once" >&2
	@$(INSTALL) --require-hashes -r requirements/base.txt
	@$(INSTALL) --no-deps --no-build-isolation --no-index -e .
	@touch $@

$(VENV)/dev.stamp: requirements/dev.txt $(VENV)/base.stamp
	@$(INSTALL) --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/bench.stamp: requirements/bench.txt $(VENV)/dev.stamp
	@$(INSTALL) --require-hashes -r requirements/bench.txt
	@touch $@
