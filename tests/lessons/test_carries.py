"""solutions/carries.toml lists all files of course_utils that a notebook needs, and no missing ones."""

import ast
import re
from functools import cache
from importlib.util import resolve_name

import pytest

from autograder.exercises import names
from autograder.publish.embed import LISTS, lines_for, lists_for
from autograder.publish.lesson import current, lesson_sources
from autograder.publish.own_answers import without_magics
from course_utils import LATER
from tests.conftest import ROOT
from tests.tools.imports import file_of, imported_by

PACKAGE = ROOT / "course_utils"
LESSONS = {py.stem: py for py in lesson_sources(ROOT)}
DATA = [path for path in PACKAGE.rglob("*.*") if path.suffix in (".js", ".css", ".npz", ".toml")]
NOT_CARRIED = "course_utils/models/large/decoder.npz"  # lesson 06 trains the model if this file is missing
CALLS = re.compile(r"""\b(?:yours|check|hint)\(\s*["'](\w+)""")


@cache
def copy_of(lesson):
    """{path: bytes} of the files that the lesson would carry if it were built now."""
    lines = lines_for(current(LESSONS[lesson]), ROOT, lesson)
    return {path: data for line in lines for path, data in line.items()}


def code_of(lesson):
    cells = current(LESSONS[lesson]).cells
    return "\n".join(without_magics(cell.source) for cell in cells if cell.cell_type == "code")


@cache
def names_in(path, text):
    """(the modules that a program may import, its string constants)."""
    nodes, module = list(ast.walk(ast.parse(text))), path.removesuffix(".py").replace("/", ".")
    modules = {name for node in nodes for name in imported_by(node, module.removesuffix(".__init__"))}
    return modules, {node.value for node in nodes if isinstance(node, ast.Constant)}


def missing_files(code, files):
    """The files of course_utils that a lesson or a carried module refers to, but that are not in `files`."""
    texts = {path: data.decode() for path, data in files.items() if path.endswith(".py")}
    parts = [names_in("course_utils/check.py", code), *(names_in(*item) for item in texts.items())]
    modules, strings = (set().union(*sets) for sets in zip(*parts, strict=True))
    modules |= {
        resolve_name(LATER[name][0], "course_utils") for name in LATER if f"course_utils.{name}" in modules
    }
    needed = {file_of(name) for name in modules if name.startswith("course_utils")} - {None}
    needed |= {path for path in DATA if path.name in strings}
    return {path.relative_to(ROOT).as_posix() for path in needed} - {*files, NOT_CARRIED}


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_carries_all_files_that_it_uses_and_lists_no_missing_ones(lesson):
    code, files, lists = code_of(lesson), copy_of(lesson), lists_for(ROOT, lesson)
    assert not missing_files(code, files), f"{LISTS}: add it to [{lesson}], or to [every]"
    assert NOT_CARRIED not in files
    needs = {f"course_utils/answers/{name}.json" for name in {*CALLS.findall(code)} & {*names()}}
    assert not needs - {*files}, f"{LISTS}, [{lesson}]: add it to its exercises"
    lists.pop("exercises", None)
    entries = [entry for line in lists.values() for entry in line]
    assert [entry for entry in entries if not any(PACKAGE.glob(entry))] == [], f"{LISTS} lists what is gone"
    assert len(entries) == len({*entries})


@pytest.mark.parametrize("path", ["touch/paint.py", "touch/paint.js", "figures/masks.py", "model/case.py"])
def test_a_needed_file_that_is_not_carried_is_reported(path):
    files = {**copy_of("01_masks")}
    files.pop(f"course_utils/{path}")
    assert missing_files(code_of("01_masks"), files) == {f"course_utils/{path}"}


def test_a_change_in_one_folder_changes_one_line_of_the_notebook(tree):
    notebook = current(LESSONS["01_masks"])
    before = lines_for(notebook, tree, "01_masks")
    with (tree / "course_utils" / "diagnose" / "axes.py").open("a") as file:
        file.write("\n# one more line\n")
    after = lines_for(notebook, tree, "01_masks")
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 1


CALLS_IN_DOCS = "check", "hint", "predict", "progress", "yours", "due", "save_progress", "load_progress"


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_imports_what_docs_tell_a_learner_to_call(lesson):
    modules, _ = names_in("lesson.py", code_of(lesson))
    assert {f"course_utils.{name}" for name in CALLS_IN_DOCS} <= modules
