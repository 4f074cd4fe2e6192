# `make demo` and `make test` work from a fresh clone; see README.md.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TORCH ?= torch==2.13.0
# Extra options for installing PyTorch, such as the --index-url of a CPU or CUDA build.
TORCH_OPTIONS ?=

.PHONY: help setup demo test check clean

help:
	@echo "make setup   make $(VENV) with everything that is needed (about 3 minutes, 3 GB)"
	@echo "make demo    sample questions -> foils -> release -> scores -> report, in .demo/"
	@echo "make test    the tests"
	@echo "make check   format, lint, types and the order of folders"
	@echo "make clean   remove what make setup and make demo made"

setup: $(READY)

$(READY): pyproject.toml build/notebook_stub/notebook.py
	@echo "==> Making $(VENV)"
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet "setuptools<81" wheel
	@echo "==> Installing PyTorch ($(TORCH))"
	$(BIN)/pip install --quiet $(TORCH_OPTIONS) "$(TORCH)"
	@echo "==> Building CheckList, which is published as source only"
	PIP_DRY_RUN=1 PIP_NO_DEPS=1 PYTHONPATH="$(CURDIR)/build/notebook_stub" $(BIN)/pip wheel --quiet \
		--no-build-isolation --no-deps --wheel-dir build/wheels checklist==0.0.11
	@echo "==> Installing this project and the packages it needs"
	$(BIN)/pip install --quiet --find-links build/wheels --editable ".[checklist,dev]"
	@echo "==> Putting WordNet into $(VENV)/nltk_data"
	@$(BIN)/python -m pipeline.language.wordnet_files || echo "==> All works without, but for actions."
	touch $@

# CheckList's setup.py calls two functions of jupyter's notebook package; a stub spares that install.
build/notebook_stub/notebook.py:
	mkdir -p $(@D)
	printf '%s\n' 'class nbextensions:' \
		'    install_nbextension_python = staticmethod(lambda *_, **__: None)' \
		'    enable_nbextension_python = staticmethod(lambda *_, **__: None)' > $@

demo: $(READY)
	$(BIN)/foils demo --out .demo

test: $(READY)
	$(BIN)/pytest

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) build .demo
