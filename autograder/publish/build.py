"""Generate the published answers, and students' notebooks by nbgrader's own steps."""

import contextlib
import json
import shutil
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import torch
from nbconvert.exporters import NotebookExporter
from nbgrader.nbgraderformat import ValidationError
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder.exercises import earlier_names, load, names
from autograder.forms import sheets as form_sheets
from autograder.releases.release import grade_id, marks
from autograder.tables import replace_file

from .generate import set_points
from .lesson import LessonError, current, follow, lesson_sources, write_all
from .own_answers import refuse_unsound
from .questions import publish_questions

ALL = "*"  # lessons
ANSWERS = [f"course_utils/answers/{folder}*.json" for folder in ("", "questions/", "interview/")]


def build(root, lesson=None):
    """Rebuild the answers and notebooks/ from the exercises and solutions/; return the notebooks' paths.

    lesson: rebuild only this one; other lessons that carry a sheet of its exercises keep their old copy.
    LessonError, and no generated file changes, when a lesson cannot be built or its own answers do not earn
    full marks.
    """
    root = Path(root).resolve()
    with temporary_build(root, lesson) as place:
        on_all_cores(refuse_unsound_notebook, lesson_files(place, lesson))
        fresh, old = (generated_files(at, lesson or ALL) for at in (place, root))
        for path in old.keys() - fresh.keys():
            (root / path).unlink()
        for path in [path for path in fresh if old.get(path) != fresh[path]]:
            replace_file(root / path, fresh[path])
    for py in lesson_files(root, lesson):
        follow(py)
    return sorted(root / path for path in fresh if path.endswith(".ipynb"))


def lesson_files(root, lesson):
    """The source files of all lessons, or of the given one."""
    return [py for py in lesson_sources(root) if lesson in (None, py.stem)]


def refuse_unsound_notebook(py):
    refuse_unsound(py, py.parents[2] / "notebooks" / py.stem / f"{py.stem}.ipynb")


def stale(root):
    """The generated files that a rebuild would change, add or remove, as paths relative to `root`."""
    root = Path(root).resolve()
    with temporary_build(root) as place:
        fresh, committed = (generated_files(at) for at in (place, root))
    return sorted(path for path in fresh.keys() | committed.keys() if fresh.get(path) != committed.get(path))


@contextlib.contextmanager
def temporary_build(root, lesson=None):
    """Build all lessons of `root`, or one, in a temporary folder, and yield that folder."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in ("solutions", "course_utils"):
            shutil.copytree(root / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(root / "nbgrader_config.py", place)
        for py in lesson_files(place, lesson):  # check the points before the slow steps
            for cell in current(py).cells:
                set_points(cell, py.name)
        publish_questions(place)
        publish_all(place, *filter(None, [lesson]))
        make_notebooks(place, lesson)
        yield place


# ---- the exercises' sheets: the numbers and sentences of `check`


def publish_all(root, lesson=None):
    """Write every exercise's sheet and lessons.json; remove the sheets of exercises that no longer exist.

    lesson: write only the sheets of its exercises, and remove nothing.
    """
    order = lesson_order(root)
    exercises = order[lesson] if lesson else [*names(), *earlier_names()]
    texts = dict(zip(exercises, on_all_cores(sheet_text, exercises), strict=True))
    texts["lessons"] = json.dumps(order, indent=1) + "\n"
    answers = Path(root) / "course_utils" / "answers"
    write_all(answers, texts, whole=not lesson)
    if not lesson:
        write_all(answers / "interview", {name: sheet.to_json() for name, sheet in form_sheets().items()})


def sheet_text(name):
    exercise = load(name)
    return replace(exercise.sheet(), drawn=exercise.fingerprint_of_draws()).to_json()


def lesson_order(root):
    """{lesson: its exercises, in order}, from the grade_ids of the lessons' solution cells."""
    exercises = {*names()}

    def written_in(py):
        cells = [cell for cell in current(py).cells if marks(cell).get("solution")]
        return [grade_id(cell) for cell in cells if grade_id(cell) in exercises]

    return {py.stem: written_in(py) for py in lesson_sources(root)}


# ---- notebooks


def make_notebooks(root, lesson=None):
    """Write notebooks/ of `root` from its solutions/ and its published answers."""
    on_all_cores(generate, lesson_files(root, lesson))


def generate(py):
    """Write a lesson's notebook by the steps of nbgrader's generate_assignment, without a gradebook."""
    follow(py)
    root, lesson = py.parents[2], py.stem
    config = Config(PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config())
    config.EnterCells.enabled = False
    config.Exporter.default_preprocessors = []  # drop nbconvert's defaults
    exporter = NotebookExporter(config=config)
    for step in config.GenerateAssignment.preprocessors:
        exporter.register_preprocessor(step)
    try:
        text, _ = exporter.from_filename(str(py.with_suffix(".ipynb")), {"nbgrader": {"notebook": lesson}})
    except ValidationError as error:
        raise LessonError(f"{py.name}: nbgrader refuses its cells: {error}") from error
    replace_file(root / "notebooks" / lesson / f"{lesson}.ipynb", text)


def generated_files(root, lesson=ALL):
    """{path from root: bytes} of the generated files: the notebooks (of one lesson or all) and the
    answers."""
    paths = [path for pattern in (f"notebooks/{lesson}/*.ipynb", *ANSWERS) for path in root.glob(pattern)]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


def on_all_cores(function, things):
    """[function(thing) for each thing], in worker processes; the first error is raised."""
    if len(things) < 2:
        return [*map(function, things)]
    # one thread per process: the tensors are tiny, and more threads would only wait for each other
    with ProcessPoolExecutor(initializer=torch.set_num_threads, initargs=(1,)) as pool:
        return [*pool.map(function, things)]
