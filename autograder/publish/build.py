"""All that is generated: the published answers, and students' notebooks by nbgrader's own Generate."""

import contextlib
import logging
import re
import shutil
import tempfile
from pathlib import Path

from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import capture_log
from traitlets.config import Config, PyFileConfigLoader

from .generate import set_points
from .lesson import LessonError, current, follow, lesson_sources
from .own_answers import refuse_unsound
from .parallel import on_all_cores
from .questions import publish_questions
from .sheets import publish_all

NOTEBOOKS, ANSWERS = "notebooks/*/*.ipynb", "course_utils/answers/*.json"
QUESTIONS = "course_utils/answers/questions/*.json"
MADE = NOTEBOOKS, ANSWERS, QUESTIONS


def build(root, lesson=None):
    """Write the answers and notebooks/ again, from the exercises and solutions/; return the notebooks.

    lesson: only this one; other lessons that carry a sheet of its exercises keep the one that they have.
    Raises LessonError with one sentence when a lesson cannot be built, or its own answers do not earn full
    marks; then nothing has changed.
    """
    root = Path(root).resolve()
    notebooks = f"notebooks/{lesson}/*.ipynb" if lesson else NOTEBOOKS
    with made_apart(root, lesson) as place:
        on_all_cores(refuse_unsound_notebook, selected(place, lesson))
        for pattern in (notebooks, ANSWERS, QUESTIONS):
            replace(place, root, pattern)
    for py in selected(root, lesson):
        follow(py)
    return sorted(root.glob(notebooks))


def selected(root, lesson):
    """The sources of all lessons, or of this one."""
    return [py for py in lesson_sources(root) if lesson in (None, py.stem)]


def refuse_unsound_notebook(py):
    refuse_unsound(py, py.parents[2] / "notebooks" / py.stem / f"{py.stem}.ipynb")


def stale(root):
    """Which committed generated files a rebuild would change, add or remove: their paths, from `root`."""
    root = Path(root).resolve()
    with made_apart(root) as place:
        fresh, committed = (all_generated(at) for at in (place, root))
    return sorted(path for path in fresh.keys() | committed.keys() if fresh.get(path) != committed.get(path))


@contextlib.contextmanager
def made_apart(root, lesson=None):
    """A temporary folder with everything that a build makes of `root`, or of one lesson."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in ("solutions", "course_utils"):
            shutil.copytree(root / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(root / "nbgrader_config.py", place)
        refuse_other_points(selected(place, lesson))
        publish_questions(place)
        publish_all(place, *filter(None, [lesson]))
        make_notebooks(place, lesson)
        yield place


def refuse_other_points(sources):
    """Compare the points in cells with those of the exercises before anything that takes long is made."""
    for py in sources:
        for cell in current(py).cells:
            set_points(cell, py.name)


def make_notebooks(root, lesson=None):
    """notebooks/ of `root` from its solutions/ and the answers that are there."""
    on_all_cores(generate, selected(root, lesson))


def generate(py):
    """nbgrader's generate_assignment with the course's settings, but without a gradebook."""
    follow(py)
    root, lesson = py.parents[2], py.stem
    config = Config(PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config())
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.assignment_id = lesson
    config.GenerateAssignment.no_database = True
    config.GenerateAssignment.force = True
    config.EnterCells.enabled = False
    converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
    converter.log = quiet_log()
    outcome = capture_log(converter)
    if not outcome["success"]:
        raise LessonError(reason(outcome))


def quiet_log():
    """nbgrader's log, kept for the reason of a failure and not shown."""
    log = logging.getLogger("autograder.publish.build")
    log.propagate = False
    log.setLevel(logging.INFO)
    return log


def reason(outcome):
    """The sentence of a LessonError in nbgrader's log; the whole log when there is none."""
    log = outcome.get("log", "") + outcome.get("error", "")
    sentences = re.findall(r"LessonError: (.+)", log)
    return sentences[-1] if sentences else f"nbgrader could not make the notebook:\n{log}"


def replace(built, root, pattern):
    """Put what was made in its place, touching only what changed; remove what is no longer made."""
    fresh, old = generated(built, pattern), generated(root, pattern)
    for path in old.keys() - fresh.keys():
        (root / path).unlink()
    for path, data in fresh.items():
        if old.get(path) != data:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            new = (root / path).with_suffix(".new")
            new.write_bytes(data)
            new.replace(root / path)


def generated(root, pattern):
    """{path from root: bytes} of the generated files."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.glob(pattern)}


def all_generated(root):
    """The same for all that is generated."""
    return {path: data for pattern in MADE for path, data in generated(root, pattern).items()}
