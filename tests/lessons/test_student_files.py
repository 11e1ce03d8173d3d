"""Promise 1: what students get holds no part of an answer. And each notebook alone is enough."""

import base64
import bz2
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from autograder.exercises import names
from autograder.publish.build import build
from autograder.publish.embed import with_used
from autograder.publish.lesson import LessonError
from autograder.releases.course_copy import pack, unpack

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(ROOT.glob("notebooks/*/*.ipynb"))
# A process of its own in which course_utils is not installed.
BARE = """
import sys
sys.meta_path = [finder for finder in sys.meta_path if "editable" not in getattr(finder, "__module__", "")]
"""


def secret_lines():
    """Every solution and hidden region of the sources; written apart from the build's own guard."""
    regions, region = [], None
    for source in sorted(ROOT.glob("solutions/*/*.py")):
        for line in source.read_text(encoding="utf-8").splitlines():
            if "### BEGIN " in line:
                region = []
            elif "### END " in line:
                regions.append(region)
                region = None
            elif region is not None and line.strip():
                region.append(" ".join(line.split()))
    return regions


def student_texts():
    """{name: text} of all that students get, the copies inside notebooks and the strings inside JSON too."""
    texts = {str(p): p.read_text(encoding="utf-8") for p in (ROOT / "course_utils").rglob("*.py")}
    for p in (ROOT / "course_utils").rglob("*.json"):
        texts[str(p)] = "\n".join(strings(json.loads(p.read_text(encoding="utf-8"))))
    for p in NOTEBOOKS:
        notebook = nbformat.read(p, as_version=4)
        texts[str(p)] = "\n".join(cell.source for cell in notebook.cells)
        texts |= {f"{p}: {name}": data.decode("utf-8", "replace") for name, data in unpack(notebook).items()}
    return texts


def strings(value):
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        return [text for part in value for text in strings(part)]
    return [value] if isinstance(value, str) else []


def gives_away(text, regions):
    message = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    pairs = set(zip(message, message[1:], strict=False))
    return [pair for region in regions for pair in zip(region, region[1:], strict=False) if pair in pairs]


def test_students_get_no_two_lines_of_an_answer():
    regions = secret_lines()
    assert len(regions) > 2 * len(NOTEBOOKS) > 0
    message = {name: gives_away(text, regions) for name, text in student_texts().items()}
    assert {name: pairs for name, pairs in message.items() if pairs} == {}


def test_students_get_no_marker_and_no_grader():
    for path in NOTEBOOKS:
        text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
        assert not re.search(r"(BEGIN|END) (SOLUTION|HIDDEN)|import autograder|from autograder", text), path


def test_two_lines_of_an_answer_would_be_found():
    region = next(r for r in secret_lines() if len(r) > 1)
    assert gives_away(f"x = 1\n    {region[0]}\n\n      {region[1]}\n", secret_lines())


@pytest.mark.parametrize("where", ["lesson", "course_utils", "settings"])
def test_a_notebook_with_a_part_of_an_answer_is_not_made(small_tree, where):
    tree = small_tree
    build(tree)
    new = tree / "notebooks" / "01_masks" / "01_masks.ipynb"
    before = new.read_bytes()
    source = tree / "solutions" / "01_masks" / "01_masks.py"
    text = source.read_text(encoding="utf-8")
    region = re.search(r"### BEGIN SOLUTION\n(( .*\n){2,}?) *### END SOLUTION", text)[1]
    if where == "lesson":
        source.write_text(text + "\n# %%\ndef shown():\n" + region, encoding="utf-8")
    elif where == "course_utils":
        with (tree / "course_utils" / "check.py").open("a") as file:
            file.write("\ndef shown():\n" + region)
    else:
        with (tree / "nbgrader_config.py").open("a") as file:
            file.write("\nc.ClearSolutions.enabled = False\n")
    with pytest.raises(LessonError, match="would give away a part of an answer"):
        build(tree)
    assert new.read_bytes() == before


def test_a_notebook_carries_only_the_answers_it_needs():
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        carried = {Path(p).stem for p in unpack(notebook) if p.endswith(".json")} & set(names())
        graded = {
            cell.metadata.nbgrader.grade_id.removeprefix("test_")
            for cell in notebook.cells
            if "nbgrader" in cell.metadata
        }
        assert graded & set(names()) <= carried
    assert len(carried) < len(names())


def test_used_answers_come_along(tmp_path):
    first, second, third = names()[:3]
    for name, sheet in {first: {"uses": [second]}, second: {}, third: {}}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(sheet))
    assert with_used({first}, tmp_path) == {first, second}


def test_every_byte_survives_the_copy():
    lines = [{"course_utils/a.npz": bytes(range(256))}, {"course_utils/b.py": "é × √".encode()}]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(pack(lines))])
    assert unpack(notebook) == lines[0] | lines[1]


# Its first cell is run twice, and each time in a process without course_utils: the second finds what the
# first unpacked. They are forked from one that has imported torch, which takes longer than all the rest.
EACH = f"""{BARE}
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


def test_first_cell_works_where_nothing_is_installed(tmp_path):
    cells, expected = [], []
    for path in NOTEBOOKS:
        cell = next(c for c in nbformat.read(path, as_version=4).cells if c.id == "course-copy")
        (tmp_path / path.stem).mkdir()
        cells.append((str(tmp_path / path.stem), cell.source))
    message = run(EACH.format(cells=json.dumps(cells)), tmp_path)
    for path in NOTEBOOKS:
        (folder,) = (tmp_path / path.stem).glob(".course-*")
        expected += [f"{folder / 'course_utils' / '__init__.py'} False"] * 2
    assert message == expected


def test_a_folder_that_may_not_be_written_to(tmp_path):
    cell = next(c for c in nbformat.read(NOTEBOOKS[0], as_version=4).cells if c.id == "course-copy")
    program = f"{BARE}{cell.source}\nimport course_utils; print(course_utils.__file__)"
    run(program, tmp_path)
    (folder,) = tmp_path.glob(".course-*")
    subprocess.run(["rm", "-r", folder], check=True)
    folder.write_text("")  # a file in its place: root may write everywhere else
    (unpacked,) = run(program, tmp_path)
    assert not unpacked.startswith(str(tmp_path))
    assert not Path(unpacked).exists()  # and it is gone with the process


def test_a_missing_library_is_not_taken_for_a_missing_course(tmp_path):
    (tmp_path / "course_utils").mkdir()
    (tmp_path / "course_utils" / "__init__.py").write_text("import torch_that_is_not_there")
    cell = next(c for c in nbformat.read(NOTEBOOKS[0], as_version=4).cells if c.id == "course-copy")
    with pytest.raises(AssertionError, match="No module named 'torch_that_is_not_there'"):
        run(BARE + "sys.path.insert(0, '.')\n" + cell.source, tmp_path)


def test_each_line_of_the_copy_is_bzip2_of_a_folder_or_of_one_exercise():
    for path in NOTEBOOKS:
        cell = next(c for c in nbformat.read(path, as_version=4).cells if c.id == "course-copy")
        lines = re.findall(r'^    "(.+)",$', cell.source, re.M)
        holds = [json.loads(bz2.decompress(base64.b85decode(line))) for line in lines]
        sheets = [name for files in holds for name in names() if f"course_utils/answers/{name}.json" in files]
        alone = [files for files in holds if len(files) == 1 and "/answers/" in next(iter(files))]
        assert len(alone) >= len(sheets)
        assert len(holds) > 5
        assert cell.source.startswith("#@title Set-up (run this first)\n")
        assert cell.metadata == {
            "cellView": "form",
            "deletable": False,
            "editable": False,
            "jupyter": {"source_hidden": True},
        }


def run(program, folder):
    done = subprocess.run(
        [sys.executable, "-I", "-"], input=program, cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
