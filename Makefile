# SPDX-License-Identifier: Apache-2.0
# Everything goes through here: `make help` lists it.

SIM    ?=
SEED   ?= 1
CYCLES ?= 300
PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
TB     := $(PY) -m tb
PIP    := $(PY) -m pip install --quiet --disable-pip-version-check -c constraints.txt
CHOICE  = --sim "$(SIM)" --seed "$(SEED)" --cycles "$(CYCLES)"
MUTATE  = $(PY) -m cocotb_mutants run $(if $(SIM),--simulator "$(SIM)") $(if $(MODULE),--target "$(MODULE)") $(if $(JOBS),--jobs "$(JOBS)")

# Verilator's library, compiled once for all campaigns.
export COCOTB_MUTANTS_CACHE := $(CURDIR)/sim_build/cache

# What a bench reads must come from the command that runs it, not from somebody's shell.
unexport TB_LEAVE_OUT TB_CYCLES TB_RECORD_DIR

.DEFAULT_GOAL := first-run
.PHONY: first-run new sim regress nightly coverage waves mutate mutate-plan mutate-weak test lint format list help clean distclean

first-run: regress ## Set up, run all modules with their checks, print the table (the default)

sim: $(VENV)/run.stamp ## Simulate one module: MODULE=name [SIM=] [SEED=] [CYCLES=] [WAVES=1] [ONLY=regex]
	@$(TB) sim "$(MODULE)" $(CHOICE) $(if $(filter-out 0,$(WAVES)),--waves) $(if $(ONLY),--only "$(ONLY)")

regress: $(VENV)/run.stamp ## Run every module: [SIM=icarus|verilator|all] [SEED=n|random] [CYCLES=n]
	@$(TB) regress $(CHOICE)

nightly: ## The regression with 10,000 random cycles a module and a new seed, which is printed
	@$(MAKE) --no-print-directory regress CYCLES=10000 SEED=random

coverage: $(VENV)/run.stamp ## Run under Verilator, merge functional and code coverage, check the goals
	@$(TB) coverage $(CHOICE)

waves: $(VENV)/run.stamp ## Draw the ten-cycle notice (rows W0 to W7) as a WaveDrom SVG
	@$(TB) wavedrom eviction_policy --rows W0-W7 --sim "$(SIM)"

mutate: $(VENV)/run.stamp ## Plant every fault there is an operator for: [MODULE=name] [SIM=] [JOBS=n]
	@$(MUTATE)

mutate-plan: $(VENV)/run.stamp ## The 47 named faults against the exact values alone: under Icarus all are found
	@$(MUTATE) --config tb/mutations/plan_campaign.toml

mutate-weak: $(VENV)/run.stamp ## The same against a plan with five rows less: six get away
	@$(MUTATE) --config tb/mutations/weak_campaign.toml

test: $(VENV)/dev.stamp ## Everything CI runs
	@$(PY) -m pytest -n auto --cov --cov-fail-under=100 --junitxml=sim_build/junit.xml

lint: $(VENV)/dev.stamp ## RTL through Verilator, Icarus and Yosys; Python through ruff and mypy
	@$(PY) -m pytest -q tests/lint

format: $(VENV)/dev.stamp ## Format the Python
	@$(VENV)/bin/ruff check --quiet --fix . && $(VENV)/bin/ruff format .

new: $(VENV)/run.stamp ## Start a module of your own: MODULE=name
	@$(TB) new "$(MODULE)"

list: $(VENV)/run.stamp ## List the modules
	@$(TB) list

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

clean: ## Remove everything that was generated, except .venv
	rm -rf sim_build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage

distclean: clean ## Remove .venv too
	rm -rf $(VENV)

$(VENV)/run.stamp: requirements.txt constraints.txt | $(VENV)/bin/pip
	@echo "installing the packages of requirements.txt into $(VENV)"
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/dev.stamp: requirements-dev.txt $(VENV)/run.stamp
	@echo "installing the packages of requirements-dev.txt into $(VENV)"
	@$(PIP) -r requirements-dev.txt
	@touch $@

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "error: $(PYTHON) is missing or older than Python 3.11; name another with PYTHON=..."; exit 3; }
	@echo "making $(VENV)"
	@$(PYTHON) -m venv $(VENV) \
	  || { rm -rf $(VENV); echo "error: no virtual environment can be made: apt-get install python3-venv"; exit 3; }
