"""new-exercise and new-lesson add their texts at the right places, and refuse a bad name."""

import re
import shutil

import pytest
from typer.testing import CliRunner

from autograder import __main__ as command_line
from tests.autograder.publish.test_build import contents
from tests.conftest import ROOT

NEW_FILES = ("autograder/exercises/masks/pooled.py", "tests/programs/pooled.py")


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """The parts of a clone that the two commands read and write."""
    for place, unwanted in (
        ("solutions", "*.ipynb"),
        ("autograder/exercises", "[!_]*.py"),
        ("docs", "images"),
    ):
        shutil.copytree(
            ROOT / place, tmp_path / place, ignore=shutil.ignore_patterns(unwanted, "__pycache__")
        )
    shutil.copy(ROOT / "README.md", tmp_path)
    (tmp_path / "tests" / "programs").mkdir(parents=True)
    monkeypatch.setattr(command_line, "ROOT", tmp_path)
    return tmp_path


def run(*words):
    return CliRunner().invoke(command_line.app, [*words])


def test_a_new_exercise_is_added_after_the_lessons_last_one(tree):
    source = tree / "solutions" / "01_masks" / "01_masks.py"
    before = source.read_text(encoding="utf-8")
    result = run("new-exercise", "pooled", "--part", "01_masks")
    assert result.exit_code == 0, result.output
    text = source.read_text(encoding="utf-8")
    start = text.index("# %% [markdown]\n# ### Exercise: pooled")
    end = text.index("### END HIDDEN TESTS\n\n", start) + len("### END HIDDEN TESTS\n\n")
    assert text[:start] + text[end:] == before
    assert text.index('"test_create_causal_mask_with_cache"') < text.index('"pooled"') < len(before)
    assert before.count("\n# %%") + 3 == text.count("\n# %%")
    for path in NEW_FILES:
        assert "def pooled(mask):" in (tree / path).read_text(encoding="utf-8")
        assert f"  {path}\n" in result.output


def test_a_new_lesson_gets_a_row_in_the_readme_and_takes_exercises(tree):
    assert run("new-lesson", "42_mine").exit_code == 0
    assert run("new-exercise", "pooled", "--part", "42_mine").exit_code == 0
    rows = re.findall(r"^\| (\d\d .*) \|$", (tree / "README.md").read_text(encoding="utf-8"), re.M)
    assert rows[-1] == "42 mine | ? | what you build | what you can then explain"
    text = (tree / "solutions" / "42_mine" / "42_mine.py").read_text(encoding="utf-8")
    assert text.index('"test_double"') < text.index('"test_pooled"')
    assert (tree / "autograder" / "exercises" / "mine" / "pooled.py").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("new-exercise softmax --part 01_masks", "there is an exercise softmax already: "),
        *(
            (f"new-exercise {name} --part 01_masks", f"'{name}' cannot be an exercise's name: ")
            for name in ("class", "../pooled", "Pooled")
        ),
        ("new-exercise pooled --part masks", "there is no lesson masks: there are 00_start_here, "),
        ("new-lesson mine", "'mine' cannot be a lesson's name: two digits, _, and small letters: 09_mine"),
        ("new-lesson 01_mine", "the number 01 is taken by 01_masks: choose another one"),
    ],
)
def test_a_bad_name_is_refused_and_nothing_is_written(tree, words, sentence):
    before = contents(tree)
    result = run(*words.split())
    assert result.exit_code == 1
    assert result.output.startswith(sentence)
    assert contents(tree) == before
