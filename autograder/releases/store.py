"""Find releases: the current ones are in notebooks/, and those that were handed out are in kept/.

A release is kept when `make bundle` hands it out, and when its lesson is entered in a gradebook, so that a
notebook that was made from it can still be graded after the lesson has changed.
"""

import contextlib
import hashlib
import json
import os
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import nbformat

from autograder.exercises import load, names, places
from autograder.refused import AuthorError, Refused
from autograder.tables import replace_file

from .course_copy import without_copy
from .release import Release, grade_id, marks, test_of

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS, ANSWERS = ROOT / "notebooks", ROOT / "course_utils" / "answers"
PLACE = "autograder/releases/kept"
KEPT = Path(os.environ.get("COURSE_RELEASES", ROOT / PLACE))  # tests set another folder
ROOMS = "autograder/authoring", "course_utils/model", "course_utils/observe", "course_utils/compare"
CELL = re.compile(r"^(?=# %%)", re.M)
DECIDING = "cases", "wanted", "core", "weights", "drawn", "uses"  # parts of a sheet that decide points
# the fields of a contract that say what an answer takes and returns, with their defaults
CONTRACT_FIELDS = {"kind": "", "signatures": {}, "returns": {}, "container": "one", "library": "torch"}
NO_LESSON = "{} is not a lesson of this course: give its folder's name, such as 01_masks."
OTHER_NOW = "{} has other inputs or outputs now than in this release: its {:g} points wait for a person."
EDITED = (
    "{}: exercises, hidden tests, points or the code of checks were edited since the last build: run "
    "`make notebooks`, then try again (and restart formgrader if it is open)."
)


@cache
def lessons():
    """Return {lesson: its current Release} of the lessons that give points, in order."""
    releases = [read_current(path) for path in sorted(NOTEBOOKS.glob("*/*.ipynb"))]
    return {release.lesson: release for release in releases if release.is_graded}


@contextlib.contextmanager
def naming_damage(path):
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AuthorError(f"{path}: this release is damaged: {type(error).__name__}: {error}") from None


def read_current(path):
    with naming_damage(path):
        return Release.of(record_of(nbformat.read(path, as_version=4), published()))


def current(lesson):
    """Return the current release of a lesson; raise Refused if there is no such lesson."""
    if lesson not in lessons():
        raise Refused(NO_LESSON.format(lesson))
    return lessons()[lesson]


def find(lesson, release_id):
    """Return the release with this id, current or kept; None if the id is unknown."""
    if lesson in lessons() and current(lesson).id == release_id:
        return current(lesson)
    path = kept_files().get((lesson, release_id))
    return read_kept(path) if path else None


def earlier(lesson):
    """Return the kept releases of a lesson."""
    return [read_kept(path) for (name, _), path in kept_files().items() if name == lesson]


def kept_files():
    """Return {(lesson, id): file} of the kept releases."""
    return {(path.parent.name, path.stem): path for path in KEPT.glob("*/*.json")}


@cache
def read_kept(path):
    """Return a kept release; a person grades its exercises that are unknown now or have another contract."""
    with naming_damage(path):
        record = json.loads(path.read_text(encoding="utf-8"))
        release = Release.of(record)
    for name, entry in record["exercises"].items():
        if contract_now(name) not in (entry["contract"], wider(entry["contract"])):
            release.by_person[name] = OTHER_NOW.format(name, release.exercises.pop(name))
    return release


def wider(contract):
    """Return the contract in its wider form: if it asks for a tuple, one stacked tensor is accepted, too."""
    return contract | {"container": "sequence"} if contract["container"] == "tuple" else contract


def contract_now(name):
    """Return an exercise's contract today, also if only earlier lessons have it; None if it is unknown."""
    if name in published():
        return published()[name]["contract"]
    is_earlier = name in places() and name not in names()
    return contract_facts(vars(load(name).contract)) if is_earlier else None


def keep(lesson, folder=None):
    """Save the current release of a lesson in kept/, unless it is there already; return its file."""
    return write(current(lesson).record, folder or KEPT)


def write(record, folder):
    """Write the record of a release into a file, unless it is there already; return the file."""
    about = record["notebook"]["metadata"]["course"]
    file = folder / about["lesson"] / f"{about['version']}.json"
    if not file.exists():
        replace_file(file, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    return file


def refusal(lesson):
    """Return why the lesson cannot be graded now, that is, if what decides its scores was edited but not
    built; else ""."""
    notebook = current(lesson).record["notebook"]
    same = notebook["metadata"]["course"].get("built_from") == what_decides(notebook["cells"], lesson)
    return "" if same else EDITED.format(lesson)


def what_decides(cells, lesson, root=ROOT):
    """Return the fingerprint of all that decides the scores of this notebook, by which grading is refused
    after edits without a build: the points of its cells, the files of its exercises (which import no other
    exercise), all files of the packages that draw cases, observe and compare, and the test cells with their
    hidden tests."""
    graded = [cell for cell in cells if marks(cell).get("grade")]
    points = {grade_id(cell): float(marks(cell).get("points") or 0) for cell in graded}
    modules = [places()[name] for name in map(test_of, cells) if name in names()]
    files = {ROOT.joinpath(*module.split(".")).with_suffix(".py") for module in modules}
    files |= {path for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}
    decides = sorted(points.items()), sorted(texts.items()), graded_cells(lesson, root)
    return hashlib.sha256(repr(decides).encode()).hexdigest()[:12]


def graded_cells(lesson, root):
    """Return the graded cells of a lesson's source, with their metadata."""
    path = root / "solutions" / lesson / f"{lesson}.py"
    cells = CELL.split(path.read_text(encoding="utf-8")) if path.exists() else []
    return [cell.strip() for cell in cells if '"grade": true' in cell.partition("\n")[0]]


@cache
def version():
    """Return the course's version, with git's commit if this is a clone, such as "0.1.0, commit 1a2b3c4d"."""
    number = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty=, with edits", "--exclude", "*"]
    try:
        commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # no git, or no clone
        return number
    return f"{number}, commit {commit}"


# ---- records: the plain data that releases are made of and kept as


def record_of(notebook, sheets, root=ROOT):
    """Return the record of a released notebook, for JSON: {"exercises", "tests", "notebook"}.

    exercises: {name: points, contract, fingerprint of its sheet}. tests: {grade_id: source} of the
    instructor's own test cells, hidden tests included. notebook: without the copy of course_utils in it.
    """
    cells = without_copy(notebook.cells)
    names_tested = [*filter(None, map(test_of, cells))]
    exercises = {name: sheets[name] for name in names_tested if name in sheets}
    own = len(exercises) < len(names_tested)
    tests = hidden_tests(notebook.metadata.course.lesson, root) if own else {}
    return {"exercises": exercises, "tests": tests, "notebook": {**notebook, "cells": cells}}


def release_id(notebook, sheets):
    """Return the id of a released notebook: a hash of its text, points and exercises' contracts."""
    cells = without_copy(notebook.cells)
    read = [(cell.cell_type, cell.source, marks(cell).get("points")) for cell in cells]
    contracts = {name: sheets[name]["contract"] for name in map(test_of, cells) if name in sheets}
    return hashlib.sha256(json.dumps([read, contracts], sort_keys=True).encode()).hexdigest()[:12]


@cache
def published():
    """Return {exercise: {"points", "contract", "sheet": fingerprint}} for course_utils/answers/."""
    return sheets_in({path.name: path.read_bytes() for path in ANSWERS.glob("*.json")})


def sheets_in(files):
    """Return the same for the sheets in {path: bytes}."""
    sheets = (Path(path) for path in files if path.endswith(".json"))
    paths = {path.stem: path.as_posix() for path in sheets if path.parent.name != "questions"}
    return {name: sheet(files[path]) for name, path in sorted(paths.items()) if name != "lessons"}


def sheet(data):
    published = json.loads(data)
    fingerprint = hashlib.sha256(data).hexdigest()[:12]
    (contract,) = published["contract"].values()  # its only key is its class
    return {"points": published["points"], "contract": contract_facts(contract), "sheet": fingerprint}


def measures(lesson, exercises):
    """Return {exercise: fingerprint of what its points depend on today: its cases and the rules}, for those
    exercises, and tests of the instructor's own, that the course still has."""
    today = current(lesson)
    rules = today.record["notebook"]["metadata"]["course"].get("rules")
    tests = {name.removeprefix("test_"): short_hash(source) for name, (_, source) in today.plain.items()}
    sheets = {name: fingerprint_of_sheet(name) for name in exercises if name in published()}
    return {name: f"{fingerprint}-{rules}" for name, fingerprint in sheets.items()} | {
        name: tests[name] for name in exercises if name in tests
    }


def short_hash(text):
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@cache
def fingerprint_of_sheet(name):
    """Return the fingerprint of all in an exercise's sheet that decides points: no words, and not the points
    themselves, which are the release's."""
    published = json.loads((ANSWERS / f"{name}.json").read_bytes())
    (contract,) = published["contract"].values()
    graded = contract | {"returns": [*contract["returns"]]}
    return short_hash(json.dumps([graded, {key: published.get(key) for key in DECIDING}], sort_keys=True))


def other_parts(release):
    """Return (what today's lesson gives points for and this release of it does not, and the other way)."""
    today = current(release.lesson)
    fewer = [name for name in today.all_parts if name not in release.all_parts]
    return fewer, [name for name in release.all_parts if name not in today.all_parts]


def contract_facts(contract):
    """Return the fields of a Contract that say what an answer takes and returns."""
    return {key: contract.get(key, default) for key, default in CONTRACT_FIELDS.items()}


def hidden_tests(lesson, root=ROOT):
    """Return {grade_id: source} of the test cells in the lesson's source, hidden tests included."""
    import jupytext  # slow, and needed only if an instructor wrote tests

    path = root / "solutions" / lesson / f"{lesson}.py"
    cells = jupytext.read(path, fmt="py:percent").cells if path.exists() else []
    return {grade_id(cell): cell.source for cell in cells if test_of(cell)}
