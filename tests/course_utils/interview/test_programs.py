"""Sample programs for the interview's topics are taken or refused as they say.

A file of tests/programs/interview has one topic's programs. A cell begins with `# %% NAME, part N: cause`;
its second line is `# taken`, `# taken: FAULT` (with one thing left), `# refused: MISTAKE`, `# refused: shown`
(no known mistake) or `# asked` (none of the part's forms). A cell hands in its last function or class, or
what it gives to `interview.check(...)`. They are judged as in a notebook, whose sheets are cut and rounded.
"""

import linecache
import re
from types import FunctionType, ModuleType

import pytest

from autograder.publish.topic_sheets import topic_sheets
from course_utils.model.sheet import ANSWERS
from course_utils.practice.interview.form import TABLES, form
from course_utils.practice.interview.judge import check
from course_utils.practice.interview.topics import tables, topic
from tests.conftest import ROOT

FILES = sorted((ROOT / "tests" / "programs" / "interview").glob("*.py"))
CELL = re.compile(
    r"^# %% (\w+), part (\d): (.+)\n# (taken(?:: \w+)?|asked|refused: \w+)\n((?:(?!# %%).*\n?)*)", re.M
)
PROGRAMS = [(file.stem, *cell) for file in FILES for cell in CELL.findall(file.read_text(encoding="utf-8"))]


class Interview:
    """Stands in for `interview` in a cell."""

    def check(self, obj, layers=None, load=None):
        self.program = obj, layers, load


def handed_in(name, source):
    """(object, layers, load) that a cell hands in."""
    module, place, interview = ModuleType("sample"), f"<{name}>", Interview()
    linecache.cache[place] = len(source), None, source.splitlines(keepends=True), place
    vars(module)["interview"] = interview
    exec(compile(source, place, "exec"), vars(module))
    own = [item for item in vars(module).values() if isinstance(item, (FunctionType, type))]
    last = [item for item in own if item.__module__ == "sample"][-1]
    return vars(interview).get("program", (last, None, None))


@pytest.fixture(scope="module", autouse=True)
def sheets_of_a_notebook(tmp_path_factory):
    folder, forms = tmp_path_factory.mktemp("answers"), [form(name) for name in TABLES]
    for name, sheet in topic_sheets(ANSWERS).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / f"{name}.json").write_bytes(sheet)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("course_utils.practice.interview.form.ANSWERS", folder)
        forget_sheets(forms)
        yield
    forget_sheets(forms)


def forget_sheets(forms):
    for own in forms:
        vars(own).pop("sheets", None)


@pytest.mark.parametrize(
    ("name", "cell", "part", "expected", "source"),
    [pytest.param(n, c, int(p) - 1, e, s, id=f"{n}-{c}") for n, c, p, _, e, s in PROGRAMS],
)
def test_a_program_is_taken_or_refused_as_its_second_line_says(name, cell, part, expected, source):
    outcome = check(topic(name), part, *handed_in(f"{name} {cell}", source))
    result = outcome.result
    word, _, mistake = expected.partition(": ")
    assert result.message
    assert bool(outcome.line) == (word == "asked")
    assert result.passed == (word == "taken"), result.message
    if word != "asked":
        assert (result.mistake or "shown" * (word == "refused")) == mistake, result.message


def test_every_cell_is_read_and_every_topic_has_right_and_wrong_programs():
    for file in FILES:
        assert file.read_text(encoding="utf-8").count("# %%") == sum(row[0] == file.stem for row in PROGRAMS)
    words = {(row[0], row[4].partition(":")[0]) for row in PROGRAMS}
    assert words >= {(name, word) for name in tables() for word in ("taken", "refused")}
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in FILES) <= 2500
