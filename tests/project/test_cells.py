"""Sample programs that are written as changes of others: what they say is what is run."""

import ast

import pytest

from tests.tools import cells
from tests.tools.cells import ANSWERS, BadChange, entries, read_cells

FILES = sorted(path for path in ANSWERS.rglob("*.py") if "# %% " in path.read_text(encoding="utf-8"))
BASE = "# %% whole: as it is\ndef f(x):\n    y = x + 1\n    z = x + 2\n    return y * z\n"


@pytest.fixture
def expand(tmp_path, monkeypatch):
    """A function: the source of the cell `part`, which is a change of `whole` or of another base."""
    monkeypatch.setattr(cells, "ANSWERS", tmp_path)

    def expanded(change, base):
        for folder in ("right", "wrong"):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / "f.py").write_text(f"{BASE}# %% part < {base}: changed\n{change}")
        return list(read_cells(tmp_path / "wrong" / "f.py"))[-1]

    return expanded


@pytest.mark.parametrize(
    ("change", "body"),
    [
        ("~ x + 1 => x - 1\n", ["y = x - 1", "z = x + 2", "return y * z"]),
        ("-     z = x + 2\n~ y * z => y\n", ["y = x + 1", "return y"]),
        ("-     y = x + 1\n-     z = x + 2\n+     y = z = x\n", ["y = z = x", "return y * z"]),
        (
            "  def f(x):\n+     x = x.clone()\n\n-     z = x + 2\n+     z = 3\n",
            ["x = x.clone()", "y = x + 1", "z = 3", "return y * z"],
        ),
    ],
)
def test_a_change_of_a_base_is_a_whole_program(expand, change, body):
    source = "\n    ".join(["def f(x):", *body]) + "\n"
    assert expand(change, "whole") == expand(change, "right/whole") == ("part", "changed", source)


@pytest.mark.parametrize(
    ("change", "base", "says"),
    [
        ("~ x + => x -\n", "whole", "line 7: its base has this 2 times"),
        ("~ y * z => y\n-     w = 1\n", "whole", "line 8: its base has this 0 times"),
        ("y = 1\n", "whole", "line 7: a change begins with"),
        ("~ x + 1 => x\n~ y = x => y = z\n", "whole", "two changes of the same line"),
        ("~ y * z => y\n", "another", "line 6: another is no whole program"),
    ],
)
def test_a_change_that_does_not_fit_says_where(expand, change, base, says):
    with pytest.raises(BadChange, match=says) as error:
        expand(change, base)
    assert "wrong/f.py, part, " in str(error.value)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ANSWERS)))
def test_every_sample_program_is_whole(path):
    programs = list(read_cells(path))
    assert [name for name, *_ in programs] == [name for name, *_ in entries(path)]
    for *_, source in programs:
        ast.parse(source)
