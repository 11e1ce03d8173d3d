"""Which releases there are: the current ones in notebooks/, and in kept/ those that were handed out before.

A release is handed out by `make bundle`, and when its lesson is entered in a gradebook: then it is kept, so that
what was made from it can be graded after the lesson has changed.
"""

import hashlib
import json
import os
from functools import cache
from pathlib import Path

import nbformat

from autograder.exercises import load, names

from .course_copy import is_course_copy
from .release import Release

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
KEPT = Path(__file__).with_name("kept")
ASKED = {"kind": "", "signatures": {}, "returns": {}, "container": "one", "library": "torch"}  # with defaults
OTHER_NOW = "{} takes or returns something else now than in this release: its {:g} points wait for a person."
NOT_BUILT = (
    "{}: {} differs between autograder/exercises/ and notebooks/: run `make notebooks`, then grade again."
)


@cache
def lessons():
    """{lesson: its current Release}, in order."""
    found = (Release.of(record_of(path)) for path in sorted(NOTEBOOKS.glob("*/*.ipynb")))
    return {release.lesson: release for release in found}


def current(lesson):
    """The release of a lesson that students get now."""
    return lessons()[lesson]


def find(lesson, release_id):
    """The release of this id, as it was handed out; None when it is not known."""
    if lesson in lessons() and current(lesson).id == release_id:
        return current(lesson)
    path = kept().get((lesson, release_id))  # the two come from a submission: no path is made of them
    return read_kept(path) if path else None


def kept():
    """{(lesson, id): file} of the kept releases."""
    return {(path.parent.name, path.stem): path for path in KEPT.glob("*/*.json")}


@cache
def read_kept(path):
    """A kept release; an exercise that has another contract now, or is gone, is for a person."""
    record = json.loads(path.read_text(encoding="utf-8"))
    release = Release.of(record)
    for name, given in record["exercises"].items():
        if name not in published() or published()[name]["contract"] != given["contract"]:
            release.by_person[name] = OTHER_NOW.format(name, release.exercises.pop(name))
    return release


def keep(lesson, folder=KEPT):
    """Keep the current release of a lesson, unless it is kept already; return its file."""
    release = current(lesson)
    file = folder / lesson / f"{release.id}.json"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_name(f".{file.name}.{os.getpid()}")
        new.write_text(json.dumps(release.record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        new.replace(file)
    return file


def refusal(lesson):
    """Why nothing of this lesson can be graded now: an exercise was changed and not built; "" when all fits."""
    for name, points in current(lesson).exercises.items():
        exercise, sheet = load(name) if name in names() else None, published()[name]
        if exercise is None or not exercise.points == sheet["points"] == points:
            return NOT_BUILT.format(lesson, f"how many points {name} gives")
        if asked(vars(exercise.contract)) != sheet["contract"]:
            return NOT_BUILT.format(lesson, f"what {name} takes or returns")
    return ""


def release_id(notebook, files):
    """The id of a released notebook: of its text, its points, and the contracts among the files that it carries."""
    read, contracts = [], {}
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        name = marks.get("grade_id", "").removeprefix("test_")
        sheet = files.get(f"course_utils/answers/{name}.json")
        if not is_course_copy(cell.source):
            read.append([cell.cell_type, cell.source, float(marks.get("points") or 0)])
        if sheet and marks.get("grade"):
            contracts[name] = published_sheet(sheet)["contract"]
    return hashlib.sha256(json.dumps([read, contracts], sort_keys=True).encode()).hexdigest()[:12]


# ---- the plain data that a release is made of, and kept as


def record_of(path, root=ROOT):
    """A released notebook -> {"exercises": {name: points, contract, sheet}, "tests": {grade_id: source}, "notebook"}.

    exercises: those that are published, with a fingerprint of their sheets. tests: the instructor's own test cells
    with their hidden tests. notebook: without the copy of course_utils in it.
    """
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if not is_course_copy(cell.source)]
    marks = [cell.metadata.get("nbgrader", {}) for cell in notebook.cells]
    tested = [m["grade_id"].removeprefix("test_") for m in marks if m.get("grade") and not m["solution"]]
    sheets = published(root)
    exercises = {name: sheets[name] for name in tested if name in sheets}
    tests = hidden_tests(path.stem, root) if len(exercises) < len(tested) else {}
    return {"exercises": exercises, "tests": tests, "notebook": notebook}


@cache
def published(root=ROOT):
    """{exercise: {"points", "contract", "sheet": fingerprint}} of the published sheets."""
    files = (path for path in sorted(root.glob("course_utils/answers/*.json")) if path.stem != "lessons")
    return {path.stem: published_sheet(path.read_bytes()) for path in files}


def published_sheet(data):
    sheet = json.loads(data)
    fingerprint = hashlib.sha256(data).hexdigest()[:12]
    (contract,) = sheet["contract"].values()  # under the tag of its class
    return {"points": sheet["points"], "contract": asked(contract), "sheet": fingerprint}


def asked(contract):
    """Of a Contract's fields those that say what an answer takes and returns."""
    return {key: contract.get(key, default) for key, default in ASKED.items()}


def hidden_tests(lesson, root=ROOT):
    """{grade_id: source} of the test cells in the lesson's source, hidden tests included; {} where there is none."""
    import jupytext  # slow, and needed only where an instructor wrote tests

    path = root / "solutions" / lesson / f"{lesson}.py"
    cells = jupytext.read(path, fmt="py:percent").cells if path.exists() else []
    marked = ((cell, cell.metadata.get("nbgrader", {})) for cell in cells)
    return {
        mark["grade_id"]: cell.source
        for cell, mark in marked
        if mark.get("grade") and not mark.get("solution")
    }
