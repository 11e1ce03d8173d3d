"""Students' files hold no part of an answer, and each notebook works on its own."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from autograder.exercises import names
from autograder.publish.build import build, make_notebooks
from autograder.publish.lesson import LessonError
from autograder.releases.course_copy import TITLE, is_course_copy, packed, unpack
from autograder.releases.store import lessons
from tests.conftest import ROOT

NOTEBOOKS = {
    path.stem: nbformat.read(path, as_version=4) for path in sorted(ROOT.glob("notebooks/*/*.ipynb"))
}
SETUP = {
    lesson: next(cell for cell in notebook.cells if is_course_copy(cell.source))
    for lesson, notebook in NOTEBOOKS.items()
}
FIRST = SETUP["00_start_here"].source
# For a separate process in which course_utils is not installed.
WITHOUT_COURSE = """
import os, sys
sys.path = [place for place in sys.path if not os.path.isdir(place + "/course_utils")]
sys.meta_path = [finder for finder in sys.meta_path if "editable" not in getattr(finder, "__module__", "")]
"""


def pairs_of(text):
    """Each pair of consecutive lines, without spaces and comments; independent of the build's own check."""
    bare = (re.sub("#.*", "", line) for line in text.splitlines())
    lines = [" ".join(line.split()) for line in bare if line.strip()]
    return {*zip(lines, lines[1:], strict=False)}


def secret_pairs():
    """The pairs of consecutive lines in all solutions and hidden regions of the sources."""
    sources = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("solutions/*/*.py"))]
    regions = re.findall(r"### BEGIN [^\n]*\n(.*?)### END ", "\n".join(sources), re.S)
    assert len(regions) > 2 * len(NOTEBOOKS) > 0
    return set().union(*map(pairs_of, regions))


def strings_in(text):
    """The strings of a JSON file, as lines."""
    return "\n".join(map(json.loads, re.findall(r'"(?:[^"\\]|\\.)*"', text)))


def student_texts():
    """{name: text} of all files that students get, with the copies inside notebooks and strings in JSON."""
    texts = {str(p): p.read_text(encoding="utf-8") for p in (ROOT / "course_utils").rglob("*.py")}
    for p in (ROOT / "course_utils").rglob("*.json"):
        texts[str(p)] = strings_in(p.read_text(encoding="utf-8"))
    for lesson, notebook in NOTEBOOKS.items():
        texts[lesson] = "\n".join(cell.source for cell in notebook.cells)
        for path, data in unpack(notebook).items():
            texts[f"{lesson}: {path}"] = data.decode("utf-8", "replace")
    return texts


def test_student_files_hold_no_two_lines_of_an_answer_no_markers_and_no_grader():
    texts, secrets = student_texts(), secret_pairs()
    assert [name for name, text in texts.items() if pairs_of(text) & secrets] == []
    for lesson in NOTEBOOKS:
        marks = r"(BEGIN|END) (SOLUTION|HIDDEN)|import autograder|from autograder"
        assert not re.search(marks, texts[lesson]), lesson
    first, second = min(secrets)
    assert pairs_of(f"x = 1\n    {first}\n\n      {second}\n") & secrets, "one would be seen"


@pytest.mark.parametrize(
    "where", ["solutions/01_masks/01_masks.py", "course_utils/check.py", "nbgrader_config.py"]
)
def test_the_build_refuses_to_write_a_notebook_that_holds_part_of_an_answer(small_tree, where):
    make_notebooks(small_tree, "01_masks")
    new = small_tree / "notebooks" / "01_masks" / "01_masks.ipynb"
    before = new.read_bytes()
    lesson = (small_tree / "solutions" / "01_masks" / "01_masks.py").read_text(encoding="utf-8")
    region = re.search(r"### BEGIN SOLUTION\n(( .*\n){2,}?) *### END SOLUTION", lesson)[1]
    added = "c.ClearSolutions.enabled = False" if "config" in where else f"# %%\ndef shown():\n{region}"
    with (small_tree / where).open("a", encoding="utf-8") as file:
        file.write(f"\n{added}\n")
    with pytest.raises(LessonError, match="would give away a part of an answer"):
        build(small_tree, "01_masks")
    assert new.read_bytes() == before


@pytest.mark.parametrize("lesson", NOTEBOOKS)
def test_a_notebook_carries_its_own_lessons_answer_files_on_separate_lines(lesson):
    files, setup = unpack(NOTEBOOKS[lesson]), SETUP[lesson]
    sheets = {name: f"course_utils/answers/{name}.json" for name in names()}
    assert all(packed({path: files[path]}) in setup.source for path in sheets.values() if path in files)
    order = json.loads(files["course_utils/answers/lessons.json"])  # for progress()
    assert {*order} == {lesson} & {*lessons()}
    assert {sheets[name] for exercises in order.values() for name in exercises} <= {*files}
    assert setup.source.startswith(f"{TITLE}\n")
    assert (setup.metadata.cellView, setup.metadata.jupyter.source_hidden) == ("form", True)
    assert not setup.metadata.deletable | setup.metadata.editable


# ---- the first cell, with nothing installed


def run(program, folder):
    command = [sys.executable, "-I", "-"]
    result = subprocess.run(command, input=program, cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


# Each cell is run twice, each time in a process without course_utils: the second run finds what the first
# unpacked. The processes are forked from one that has imported torch, since that takes longer than the rest.
RUN_TWICE = f"""{WITHOUT_COURSE}
import json, os, sys, torch
for folder, source in json.loads({{cells!r}}):
    for _ in range(2):
        if os.fork() == 0:
            os.chdir(folder)
            exec(source)
            import course_utils
            print(course_utils.__file__, "load_course" in dir(), flush=True)
            os._exit(0)
        assert os.wait()[1] == 0
"""


def test_the_first_cell_unpacks_the_course_where_it_is_not_installed(tmp_path):
    for lesson in NOTEBOOKS:
        (tmp_path / lesson).mkdir()
    cells = json.dumps([(str(tmp_path / lesson), cell.source) for lesson, cell in SETUP.items()])
    lines = run(RUN_TWICE.format(cells=cells), tmp_path)
    folders = [folder for lesson in NOTEBOOKS for folder in (tmp_path / lesson).glob(".course-*")]
    for folder, notebook in zip(folders, NOTEBOOKS.values(), strict=True):
        assert all((folder / path).read_bytes() == data for path, data in unpack(notebook).items())
    assert lines == [f"{folder}/course_utils/__init__.py False" for folder in folders for _ in range(2)]


def test_in_a_read_only_folder_the_course_is_unpacked_temporarily_elsewhere(tmp_path):
    program = f"{WITHOUT_COURSE}{FIRST}\nimport course_utils; print(course_utils.__file__)"
    run(program, tmp_path)
    (folder,) = tmp_path.glob(".course-*")
    shutil.rmtree(folder)
    folder.write_text("")  # a file in its place, since root could write into a read-only folder
    (unpacked,) = run(program, tmp_path)
    assert not unpacked.startswith(str(tmp_path))
    assert not Path(unpacked).exists()  # deleted when the process ended


def test_a_missing_library_is_reported_instead_of_unpacking_the_course(tmp_path):
    (tmp_path / "course_utils").mkdir()
    (tmp_path / "course_utils" / "__init__.py").write_text("import torch_that_is_not_there")
    with pytest.raises(AssertionError, match="No module named 'torch_that_is_not_there'"):
        run(f"{WITHOUT_COURSE}sys.path.insert(0, '.')\n{FIRST}", tmp_path)
