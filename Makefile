PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install -qq -c packaging/constraints.txt
SOURCES := helm_sdk helm_desktop resources/examples packaging tests

.PHONY: help demo app test coverage check format docs bench soak picture wheel clean libraries
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: libraries $(VENV)/.stamp-run ## train the example for a minute and show it live (a picture where there is no display)
	$(BIN)/python packaging/demo.py

app: libraries $(VENV)/.stamp-run ## open the app
	$(BIN)/helm-desktop

test: libraries $(VENV)/.stamp-dev ## every test but the long ones, what failed once more alone; more arguments in ARGS="…"
	$(BIN)/python packaging/run_tests.py $(ARGS)

coverage: libraries $(VENV)/.stamp-dev ## how much of each package the tests run, child processes included; into build/coverage
	$(BIN)/python packaging/measure_coverage.py $(ARGS)

check: $(VENV)/.stamp-dev ## style, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python packaging/walls.py

format: $(VENV)/.stamp-dev ## put the style right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.stamp-docs ## the documentation site, in build/docs
	$(BIN)/python packaging/keys_page.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict --config-file packaging/mkdocs.yml

bench: libraries $(VENV)/.stamp-bench ## speed, beside the peers
	QT_QPA_PLATFORM=offscreen $(BIN)/python tests/bench/run.py $(ARGS)

soak: libraries $(VENV)/.stamp-dev ## the tests that run for minutes
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest tests/soak -m soak --timeout 3600 $(ARGS)

picture: libraries $(VENV)/.stamp-run ## draw the README's picture anew
	$(BIN)/python packaging/picture.py

wheel: $(VENV)/.stamp-run ## build the wheel into dist
	$(BIN)/python -m pip --disable-pip-version-check wheel -q --no-deps --no-build-isolation -w dist .

clean: ## remove what was built, not the environment
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

libraries:
	@bash packaging/system_libraries.sh

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# hatchling first and from the constraints, so that the build takes nothing of its own choosing.
$(VENV)/.stamp-run: pyproject.toml packaging/constraints.txt | $(BIN)/python
	$(PIP) hatchling editables
	$(PIP) --no-build-isolation -e ".[app,torch,system]"
	@touch $@

$(VENV)/.stamp-dev: $(VENV)/.stamp-run
	$(PIP) --no-build-isolation -e ".[app,torch,system,hf,lightning,dev]"
	@touch $@

$(VENV)/.stamp-docs: $(VENV)/.stamp-run
	$(PIP) --no-build-isolation -e ".[app,torch,system,docs]"
	@touch $@

# The peers that the bench runs beside.
$(VENV)/.stamp-bench: $(VENV)/.stamp-dev
	$(PIP) trackio wandb tensorboard
	@touch $@
