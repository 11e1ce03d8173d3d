"""Sample programs that are written as changes of another one expand to whole programs."""

import ast

import pytest

from tests.tools.cells import ANSWERS, entries, read_cells

FILES = sorted(path for path in ANSWERS.rglob("*.py") if "# %% " in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ANSWERS)))
def test_every_sample_program_expands_to_valid_python(path):
    programs = list(read_cells(path))
    assert [name for name, *_ in programs] == [name for name, *_ in entries(path)]
    for *_, source in programs:
        ast.parse(source)
