"""All that is generated: the published answers, and students' notebooks by nbgrader's own Generate."""

import logging
import re
import shutil
import tempfile
from pathlib import Path

from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import capture_log
from traitlets.config import Config, PyFileConfigLoader

from .lesson import LessonError, follow, lesson_sources
from .sheets import publish_all


def build(root):
    """Make the answers and notebooks/ anew, from the exercises and solutions/; return the notebooks.

    Raises LessonError with one sentence when a lesson cannot be built; then notebooks/ is as it was.
    """
    publish_all(Path(root).resolve())
    return make_notebooks(root)


def make_notebooks(root):
    """The second half of `build`: notebooks/ from solutions/ and the answers that are there."""
    root = Path(root).resolve()
    with tempfile.TemporaryDirectory() as place:
        for py in lesson_sources(root):
            follow(py)
            generate(root, py.stem, place)
        return replace(Path(place), root / "notebooks")


def generate(root, lesson, place):
    """nbgrader's generate_assignment with the course's settings, but into `place` and without a gradebook."""
    config = Config(PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config())
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.assignment_id = lesson
    config.CourseDirectory.release_directory = str(place)
    config.GenerateAssignment.no_database = True
    config.SaveCells.enabled = False
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


def replace(made, folder):
    """Move what was made into place, touching only what changed; remove notebooks that no source makes."""
    wanted = {folder / p.relative_to(made): p.read_bytes() for p in sorted(made.rglob("*")) if p.is_file()}
    for path in set(folder.glob("*/*.ipynb")) - set(wanted):
        path.unlink()
    for path, data in wanted.items():
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return list(wanted)


def stale(root):
    """Which committed generated files a rebuild would change, add or remove: their paths, from `root`."""
    root = Path(root).resolve()
    with tempfile.TemporaryDirectory() as copy:
        for name in ("solutions", "course_utils"):
            shutil.copytree(
                root / name, Path(copy) / name, ignore=shutil.ignore_patterns("*.ipynb", "__pycache__")
            )
        shutil.copy(root / "nbgrader_config.py", copy)
        build(copy)
        fresh, kept = generated(Path(copy)), generated(root)
    return sorted(path for path in fresh.keys() | kept.keys() if fresh.get(path) != kept.get(path))


def generated(root):
    """{path from root: bytes} of what the build makes and git keeps."""
    paths = [*root.glob("notebooks/*/*.ipynb"), *root.glob("course_utils/answers/*.json")]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
