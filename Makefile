# Every verb of a developer's day. `make help` lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUST_SOURCES := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)
PYTHON_SOURCES := $(shell find python -type f -not -name '*.so' -not -name '*.pyc')
REPORT := build/demo
PEERS := build/peers
BASE := build/base

.DEFAULT_GOAL := help
.PHONY: help demo test quick nightly lint fix bench docs fuzz torture decision clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.built ## Build, scan examples/news, write a report and say where it is
	@mkdir -p $(REPORT)
	@$(BIN)/twicetold scan examples/news --output $(REPORT)/pairs.jsonl --report $(REPORT)/report.html > $(REPORT)/report.txt
	@grep -v '^report: ' $(REPORT)/report.txt
	@echo
	@echo "report:   file://$(abspath $(REPORT))/report.html"
	@echo "as text:  $(REPORT)/report.txt"
	@echo "pairs:    $(REPORT)/pairs.jsonl"
	@echo "manifest: $(REPORT)/pairs.jsonl.manifest.json"

test: $(VENV)/.developer $(VENV)/.browser $(BASE)/.installed ## Run every test: kernel, library, command line, docs
	cargo test --release --quiet --workspace
	$(BIN)/pytest --quiet

quick: $(VENV)/.developer $(VENV)/.browser $(BASE)/.installed ## Run every test on few examples and all cores, for the usual loop
	cargo test --release --quiet --package twicetold-kernel
	TWICETOLD_TESTS=quick $(BIN)/pytest --quiet --exitfirst --numprocesses auto

nightly: $(VENV)/.developer $(VENV)/.browser $(BASE)/.installed ## Run every test on other random examples each time; build/hypothesis keeps those that failed
	TWICETOLD_TESTS=nightly $(BIN)/pytest --quiet --numprocesses auto

lint: $(VENV)/.developer ## Check style and types: ruff, mypy, rustfmt, clippy
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	cargo fmt --all --check
	cargo clippy --release --workspace --all-targets --quiet -- -D warnings

fix: $(VENV)/.developer ## Format everything and mend what can be mended by a tool
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	cargo fmt --all

bench: $(VENV)/.developer $(PEERS)/.installed ## Measure speed, memory and recall beside the peers; INPUT=FILE.jsonl for own text
	$(BIN)/python -m benchmarks all $(if $(INPUT),--input $(INPUT))

docs: $(VENV)/.developer ## Write the generated parts of docs/ anew
	$(BIN)/python -m docs.generate

fuzz: $(VENV)/.developer ## Throw a million hostile inputs at analysis and readers, at pages and at every command; INPUTS=N for more
	$(BIN)/python -m tests.fuzz --inputs $(or $(INPUTS),1000000)
	$(BIN)/python -m tests.fuzz_pages --inputs $(or $(INPUTS),1000000)
	$(BIN)/python -m tests.fuzz_commands --inputs $(or $(INPUTS),1000000)

torture: $(VENV)/.developer ## Kill whoever writes to an index 200 times in each way, flip bytes, fill disks; KILLS=N for more
	TWICETOLD_KILLS=$(or $(KILLS),200) $(BIN)/pytest --quiet tests/index

decision: $(VENV)/.developer ## Learn the decision anew from judged collections: DATA=FOLDER with judged_* in it
	@test -n "$(DATA)" || { echo "give the folder that holds judged_*: make decision DATA=FOLDER" >&2; exit 1; }
	$(BIN)/python -m twicetold.experiments.decision_training $(DATA)/judged_*_?/ python/twicetold/decision.json

clean: ## Remove everything that was built or installed here
	rm -rf $(VENV) target build .pytest_cache .mypy_cache .ruff_cache .hypothesis python/twicetold/*.so

# What the verbs need, each made once. Cargo decides for itself what to build anew.

$(VENV)/.created:
	@command -v cargo >/dev/null || { echo "Rust is needed to build the kernel: install it with rustup or your system's packages" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: set PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet 'maturin>=1.9,<2'
	@touch $@

$(VENV)/.built: $(VENV)/.created pyproject.toml $(RUST_SOURCES)
	VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --release --quiet
	@$(BIN)/python -m compileall -q python/twicetold # as pip does: else every start reads the sources, where Python may not write
	@touch $@

$(VENV)/.developer: $(VENV)/.built
	$(BIN)/python -m pip install --quiet --group dev 'wordfreq[cjk]>=3.1' 'matplotlib>=3.9' 'scikit-learn>=1.5' 'skops>=0.13' 'trafilatura>=2.0' 'wordllama>=0.4'
	@touch $@

# What `pip install .` gives: no extra, no tool of developers. The kernel is built already.
$(BASE)/.created: pyproject.toml
	rm -rf $(BASE)
	$(PYTHON) -m venv $(BASE)
	@touch $@

$(BASE)/.installed: $(VENV)/.built $(BASE)/.created $(PYTHON_SOURCES)
	rm -rf $(BASE)/wheel
	VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin build --release --quiet --interpreter $(BIN)/python --out $(BASE)/wheel
	$(BASE)/bin/python -m pip install --quiet --disable-pip-version-check $(BASE)/wheel/*.whl
	$(BASE)/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps $(BASE)/wheel/*.whl
	@touch $@

$(VENV)/.browser: $(VENV)/.created
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } \
	  || { sudo -n apt-get update -qq && sudo -n apt-get install -y -qq --no-install-recommends chromium; } \
	  || { echo "tests of pages need a browser: install the package chromium, or google-chrome" >&2; exit 1; }
	@touch $@

$(PEERS)/.installed: $(VENV)/.created
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --upgrade pip
	$(PEERS)/bin/python -m pip install --quiet --group bench
	@command -v sim_text >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq similarity-tester; } \
	  || { sudo -n apt-get update -qq && sudo -n apt-get install -y -qq similarity-tester; } \
	  || echo "sim_text is not measured: install the package similarity-tester to have it" >&2
	@touch $@
