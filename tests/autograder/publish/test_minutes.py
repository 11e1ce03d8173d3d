"""Estimated minutes follow the stated formula, and are the same in the lessons and in the README."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell as code
from nbformat.v4 import new_markdown_cell as text

from autograder.author import all_times, with_minutes
from autograder.publish.minutes import CORE_ENDS, HOW, LONGEST_SITTING, add_minutes, times_of
from tests.conftest import ROOT


def words(n):
    return "word " * n


def exercise(lines):
    answer = "\n    x = 1\n" * lines  # with an empty line before each line
    source = f"def f():\n    ### BEGIN SOLUTION\n{answer}    ### END SOLUTION"
    return [code(source, **marks(grade=False)), code("check('f', f).points", **marks(solution=False))]


def marks(**changes):
    return {"metadata": {"nbgrader": {"solution": True, "grade": True, "points": 2} | changes}}


def notebook(*cells):
    return nbformat.v4.new_notebook(cells=list(cells))


@pytest.mark.parametrize(
    ("cells", "minutes"),
    [
        ([text(words(90))], 2),
        ([text(words(90) + "<!-- " + words(1000) + "-->")], 2),
        ([code("x = 1\n\nprint(x)\n" * 3)], 2),
        ([code("import torch\n" * 5, metadata={"tags": ["setup"]})], 0),
        ([code('predict("q")')], 1.5),
        ([text("<details><summary>Answer</summary>\n</details>")], 1.5 + 1 / 45),
        (exercise(0), 3),
        (exercise(4), 6),
        ([text("Write.", **marks())], 3),
    ],
)
def test_estimated_minutes_follow_the_stated_formula(cells, minutes):
    assert sum(times_of(notebook(*cells)).sittings) == pytest.approx(minutes)


def test_minutes_are_added_below_headings_and_at_the_top_for_both_ways():
    optional = f"{words(110)}\n\n## 1.2 Two (optional)\n\n{{}}Text.\n\n### No section"
    nb = notebook(
        *(text("# Lesson\n\n<!-- minutes -->"), text("## 1.1 One\n\nText."), *exercise(16)),
        *(text("<!-- end of a sitting -->"), text(optional.format("")), *exercise(20)),
        *(text("## 1.3 Three"), *exercise(24), text("## Next")),
    )
    add_minutes(nb)
    core = "*Core: 1.1, 1.3; about 40 minutes."
    whole_line = f"{core} The whole lesson: about 55 minutes, in 2 sittings of 15 and 40 minutes."
    top, first, stop, *other_texts = [cell.source for cell in nb.cells if cell.cell_type == "markdown"]
    assert top == f"# Lesson\n\n{whole_line} {HOW}*"
    assert first == "## 1.1 One\n\n*18 min*\n\nText."
    assert "**A good place to stop.** Next: about 40 minutes, 25 of them core." in stop
    assert other_texts == [optional.format("*18 min*\n\n"), "## 1.3 Three\n\n*21 min*", "## Next"]
    nb = notebook(text("# Lesson"), code("print(1)"))
    add_minutes(nb)
    assert [cell.source for cell in nb.cells] == ["# Lesson", "print(1)"], "it asks for nothing"


def test_a_line_says_where_the_core_ends_and_a_stop_whether_more_of_it_follows():
    stops = [text("<!-- end of a sitting -->") for _ in range(2)]
    ends = "## 1.3 Three (optional)"
    nb = notebook(
        *(text("## 1.1 One (optional)"), *exercise(4), stops[0], text("## 1.2 Two"), *exercise(4)),
        *(stops[1], text(ends), *exercise(4), text("## 1.4 Four (optional)"), text("## Next")),
    )
    add_minutes(nb)
    texts = [cell.source for cell in nb.cells if cell.cell_type == "markdown"]
    assert [CORE_ENDS in text for text in texts] == [False] * 4 + [True, False, False]
    assert texts[4] == f"{CORE_ENDS}{ends}\n\n*6 min*"
    assert ["minutes." in texts[1], "minutes, all optional." in texts[3]] == [True, True]


def test_the_readme_has_the_lessons_minutes_and_no_sitting_is_too_long():
    times, readme = all_times(), (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme == with_minutes(readme, times), "python -m autograder author --renew brings it up to date"
    for lesson, lesson_times in times.items():
        assert f"{lesson_times.total} |" in readme
        assert max(lesson_times.sittings) <= LONGEST_SITTING, lesson
    assert HOW in (ROOT / "notebooks/00_start_here/00_start_here.ipynb").read_text(encoding="utf-8")
