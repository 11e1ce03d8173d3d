# Every target installs what it needs in .venv, and nothing outside this folder. `make` alone lists the targets.

# The Python to create .venv with, if not `python3`: make test PYTHON=/path/to/python3.12
PYTHON ?=
# PyTorch's builds without CUDA: used on Linux machines without an NVIDIA GPU.
TORCH_CPU_INDEX ?= https://download.pytorch.org/whl/cpu
# Extra options for JupyterLab, the grader, pytest and others: make lab LAB_FLAGS=--no-browser
LAB_FLAGS ?=
GRADE_FLAGS ?=
REPORT_FLAGS ?=
BUNDLE_FLAGS ?=
PYTEST_FLAGS ?=
RELEASE_FLAGS ?=
# A commit's hash, which chooses the tenth of the release tests that make test-release runs
COMMIT ?=

# The venv comes first in PATH, for programs that are called by name (nbgrader calls alembic).
VENV = PATH="$(CURDIR)/.venv/bin:$$PATH" .venv/bin/python
RUN_TESTS = $(VENV) -m pytest -n auto --maxprocesses 4 --dist loadgroup
unexport PYTHONHOME PYTHONPATH

.PHONY: help lab test test-all test-release notebooks demo grade report bundle anki site lines ready ready-all ready-site
.DEFAULT_GOAL := help

help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s  %s\n", $$1, $$2}' Makefile

lab: ready  ## open JupyterLab on your copy of the lessons, in work/
	@$(VENV) -m autograder.setup.lab $(LAB_FLAGS)

test: ready  ## run the tests that need nothing but Python
	@$(RUN_TESTS) $(PYTEST_FLAGS)

test-all: ready-all  ## also run the tests with a browser, the sandbox (see .ci/run) and other libraries
	@$(RUN_TESTS) -m 'not release' $(PYTEST_FLAGS)

test-release: ready-all  ## before a release: every seed, lesson and submission; a tenth of it with COMMIT=hash
	@$(RUN_TESTS) -m release $(if $(COMMIT),--tenth $(COMMIT))
	@$(VENV) -m tests.release compare $(if $(COMMIT),--commit $(COMMIT)) $(RELEASE_FLAGS)

notebooks: ready  ## rebuild notebooks/ and course_utils/answers/ from solutions/ and autograder/exercises/
	@$(VENV) -m autograder build

demo: ready  ## grade a small sample class: scores, recognised mistakes, feedback pages, grades.csv
	@$(VENV) -m autograder demo

grade: ready  ## grade what is new in submitted/ into nbgrader's gradebook, on all cores, and write grades.csv
	@$(VENV) -m autograder grade $(GRADE_FLAGS)

report: ready  ## write pages on what the class misunderstood, from the gradebook: report/index.html
	@$(VENV) -m autograder report $(REPORT_FLAGS)

bundle: ready  ## make the zip to hand to a class, without answers
	@$(VENV) -m autograder bundle $(BUNDLE_FLAGS)

anki: ready  ## make attention.apkg, the flashcards as a deck for Anki
	@$(VENV) -m autograder anki

site: ready-site  ## make site/, all lessons and pages to read in a browser, without a network
	@$(VENV) -m autograder site

lines:  ## count the lines of Python of each room, next to its aim
	@python3 -m tools.lines

# Extras of pyproject.toml that a target also needs
EXTRAS_ready-all = wild scale site
EXTRAS_ready-site = site
NAMED = $(if $(PYTHON),"$(PYTHON)")

ready ready-all ready-site:
	@for python in $(or $(NAMED),python3 python3.13 python3.12 python3.11); do \
	  if "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then \
	    exec "$$python" -I autograder/setup/install.py $(and $(NAMED),--exactly) "$(TORCH_CPU_INDEX)" $(EXTRAS_$@); \
	  fi; \
	done; \
	echo "The course needs Python 3.11, 3.12 or 3.13 and $(or $(and $(NAMED),PYTHON=$(PYTHON) is none of them),none was found): install one, or pass its path: make PYTHON=/path/to/python3.12 ..." >&2; \
	exit 1
