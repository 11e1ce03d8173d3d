"""solutions/carries.toml lists all that a notebook needs of course_utils, and nothing that is not there."""

import ast
import re
import tomllib
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

import nbformat
import pytest

from autograder.exercises import names
from autograder.publish.build import make_notebooks
from autograder.publish.embed import LISTS, lines_for, lists_for, without_docstrings
from autograder.publish.lesson import current, lesson_sources
from autograder.publish.own_answers import plain
from autograder.releases.course_copy import is_course_copy
from course_utils import LATER

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "course_utils"
LESSONS = {py.stem: py for py in lesson_sources(ROOT)}
DATA = {".js", ".css", ".npz", ".toml"}
NOT_CARRIED = {"course_utils/models/large/decoder.npz"}  # lesson 06 trains it where it is not installed
ASKED = re.compile(r"""\b(?:yours|check|hint)\(\s*["'](\w+)""")


@cache
def carried(lesson):
    """{path: bytes} of what the lesson would carry now."""
    lines = lines_for(current(LESSONS[lesson]), ROOT, lesson)
    return {path: data for line in lines for path, data in line.items()}


def code_of(lesson):
    cells = current(LESSONS[lesson]).cells
    return "\n".join(plain(cell.source) for cell in cells if cell.cell_type == "code")


def missing_modules(code, files):
    """The modules of course_utils that the code or a carried module imports, and that are not carried."""
    texts = {path: data.decode() for path, data in files.items() if path.endswith(".py")}
    texts["lesson.py"] = code
    names = {name for path, text in texts.items() for name in imported(text, Path(path).parent)}
    names |= {resolve_name(module, "course_utils") for module in map(LATER.get, last_parts(names)) if module}
    wanted = {path for name in names for path in files_named(name) if (ROOT / path).is_file()}
    return wanted - {*files}


@cache
def nodes(text):
    return list(ast.walk(ast.parse(text)))


def imported(text, folder):
    """The full names in the import statements of a module in this folder, wherever in it they stand."""
    for node in nodes(text):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), ".".join(folder.parts))
            yield from (base, *(f"{base}.{alias.name}" for alias in node.names))


def last_parts(names):
    return {name.removeprefix("course_utils.") for name in names}


def files_named(name):
    """Where a module or package of this name would be."""
    place = name.replace(".", "/")
    return (f"{place}.py", f"{place}/__init__.py") if name.startswith("course_utils") else ()


def missing_data(files):
    """The data files of the package that a carried module names and that are not carried."""
    texts = [data.decode() for path, data in files.items() if path.endswith(".py")]
    strings = {node.value for text in texts for node in nodes(text) if is_string(node)}
    data = {path for path in PACKAGE.rglob("*.*") if path.suffix in DATA and path.name in strings}
    return {path.relative_to(ROOT).as_posix() for path in data} - {*files}


def is_string(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize("lesson", LESSONS)
def test_all_that_a_lesson_uses_is_carried(lesson):
    missing = missing_modules(code_of(lesson), carried(lesson)) | missing_data(carried(lesson)) - NOT_CARRIED
    assert not missing, f"{LISTS}: add to [{lesson}], or to [every]: {', '.join(sorted(missing))}"
    assert not NOT_CARRIED & {*carried(lesson)}


@pytest.mark.parametrize("lesson", LESSONS)
def test_all_exercises_that_a_lesson_asks_for_are_carried(lesson):
    asked = {*ASKED.findall(code_of(lesson))} & {*names()}
    missing = {name for name in asked if f"course_utils/answers/{name}.json" not in carried(lesson)}
    assert not missing, f"{LISTS}, [{lesson}]: add to its exercises: {', '.join(sorted(missing))}"


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_entry_names_something_and_once(lesson):
    lists = lists_for(ROOT, lesson)
    lists.pop("exercises", None)
    entries = [entry for listed in lists.values() for entry in listed]
    assert [entry for entry in entries if not any(PACKAGE.glob(entry))] == [], f"{LISTS} lists what is gone"
    assert len(entries) == len({*entries})


def test_each_list_is_of_a_lesson():
    lists = tomllib.loads((ROOT / LISTS).read_text(encoding="utf-8"))
    assert set(lists) - {"every"} <= set(LESSONS)


def test_missing_files_are_found():
    files = {"course_utils/a.py": b"def draw():\n    from .touch import fly\n    return fly('fly.js')"}
    touch = "course_utils/touch/"
    assert missing_modules("from course_utils import plot_mask", files) == {
        "course_utils/__init__.py", f"{touch}__init__.py", f"{touch}fly.py", "course_utils/figures/masks.py",
    }  # fmt: skip
    assert missing_data(files) == {f"{touch}fly.js"}


def test_a_change_in_one_folder_changes_one_line_of_the_notebook(small_tree):
    def copy():
        make_notebooks(small_tree)
        notebook = nbformat.read(small_tree / "notebooks" / "01_masks" / "01_masks.ipynb", as_version=4)
        (source,) = (cell.source for cell in notebook.cells if is_course_copy(cell.source))
        return source.splitlines()

    before = copy()
    with (small_tree / "course_utils" / "diagnose" / "axes.py").open("a") as file:
        file.write("\n# one more line\n")
    after = copy()
    assert len(before) == len(after)
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 1


def test_a_carried_module_is_the_same_program_without_docstrings():
    text = '"""Module."""\n\ndef double(x):\n    """Two\n    lines."""\n    return "2" * x  # é\n\n'
    only = 'class Bad(ValueError):\n    """Nothing else."""\n'
    assert without_docstrings(text + only) == '\n\ndef double(x):\n\n\n    return "2" * x  # é\n\n' + only
