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

from autograder.tables import replace_file

from .generate import set_points
from .lesson import LessonError, current, follow, lesson_sources
from .own_answers import refuse_unsound
from .parallel import on_all_cores
from .questions import publish_questions
from .sheets import publish_all

ALL = "*"  # lessons
ANSWERS = "course_utils/answers/*.json", "course_utils/answers/questions/*.json"


def build(root, lesson=None):
    """Write the answers and notebooks/ again, from the exercises and solutions/; return the notebooks.

    lesson: only this one; other lessons that carry a sheet of its exercises keep the one that they have.
    Raises LessonError with one sentence when a lesson cannot be built, or its own answers do not earn full
    marks; then nothing has changed.
    """
    root = Path(root).resolve()
    with made_apart(root, lesson) as place:
        on_all_cores(refuse_unsound_notebook, selected(place, lesson))
        fresh, old = (generated(at, lesson or ALL) for at in (place, root))
        for path in old.keys() - fresh.keys():
            (root / path).unlink()
        for path in [path for path in fresh if old.get(path) != fresh[path]]:
            replace_file(root / path, fresh[path])
    for py in selected(root, lesson):
        follow(py)
    return sorted(root / path for path in fresh if path.endswith(".ipynb"))


def selected(root, lesson):
    """The sources of all lessons, or of this one."""
    return [py for py in lesson_sources(root) if lesson in (None, py.stem)]


def refuse_unsound_notebook(py):
    refuse_unsound(py, py.parents[2] / "notebooks" / py.stem / f"{py.stem}.ipynb")


def stale(root):
    """Which committed generated files a rebuild would change, add or remove: their paths, from `root`."""
    root = Path(root).resolve()
    with made_apart(root) as place:
        fresh, committed = (generated(at) for at in (place, root))
    return sorted(path for path in fresh.keys() | committed.keys() if fresh.get(path) != committed.get(path))


@contextlib.contextmanager
def made_apart(root, lesson=None):
    """A temporary folder with everything that a build makes of `root`, or of one lesson."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in ("solutions", "course_utils"):
            shutil.copytree(root / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(root / "nbgrader_config.py", place)
        for py in selected(place, lesson):  # before anything that takes long is made
            for cell in current(py).cells:
                set_points(cell, py.name)
        publish_questions(place)
        publish_all(place, *filter(None, [lesson]))
        make_notebooks(place, lesson)
        yield place


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
    log = converter.log = logging.getLogger("autograder.publish.build")  # for the reason of a failure
    log.propagate = False
    log.setLevel(logging.INFO)
    outcome = capture_log(converter)
    if not outcome["success"]:
        raise LessonError(reason(outcome))


def reason(outcome):
    """The sentence of a LessonError in nbgrader's log; the whole log when there is none."""
    log = outcome.get("log", "") + outcome.get("error", "")
    sentences = re.findall(r"LessonError: (.+)", log)
    return sentences[-1] if sentences else f"nbgrader could not make the notebook:\n{log}"


def generated(root, lesson=ALL):
    """{path from root: bytes} of the generated files: the notebook of a lesson, or all, and the answers."""
    paths = [path for pattern in (f"notebooks/{lesson}/*.ipynb", *ANSWERS) for path in root.glob(pattern)]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
