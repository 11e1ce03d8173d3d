"""A course folder as nbgrader sees it: its settings, and its lessons entered in the gradebook."""

import logging
import os
import sys
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import ClearOutput, ClearSolutions, ComputeChecksums, LockCells, SaveCells
from sqlalchemy.exc import SQLAlchemyError
from traitlets.config import Config, PyFileConfigLoader

from autograder.publish.lesson import LessonError

from .database import Refused, check_course, trouble
from .rebuild import is_lesson, skeleton

ROOT = Path(__file__).resolve().parents[2]
STEPS = (LockCells, ClearSolutions, ClearOutput, ComputeChecksums, SaveCells)


def settings(root):
    """The settings of the nbgrader_config.py in the course's folder."""
    root = Path(root).resolve()
    if not (root / "nbgrader_config.py").is_file():
        raise Refused(f"There is no nbgrader_config.py in {root}: start the grader in the course's folder.")
    config = Config(PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config())
    config.CourseDirectory.root = str(root)
    return config


def find_programs():
    """nbgrader calls alembic by name: this environment's programs are found first."""
    programs, path = os.path.dirname(sys.executable), os.environ.get("PATH", "").split(os.pathsep)
    if path[0] != programs:
        os.environ["PATH"] = os.pathsep.join([programs, *path])


def enter(lesson, coursedir):
    """Enter a lesson in the gradebook, as nbgrader's Generate does, unless it is there as it was released."""
    find_programs()
    if not is_lesson(lesson):
        raise Refused(f"{lesson} is no lesson of this course, so the course's grader does not know it.")
    check_course(coursedir)
    try:
        if entered(lesson, coursedir) != marks(lesson):
            save_cells(lesson, coursedir)
            if entered(lesson, coursedir) != marks(lesson):
                raise Refused(
                    f"The notebook of {lesson} does not fit solutions/{lesson}: run `make notebooks`, then grade again."
                )
    except (SQLAlchemyError, OSError) as error:
        raise Refused(trouble(coursedir.db_url, error)) from None


def entered(lesson, coursedir):
    """{grade_id: points, None where there are none} of the lesson's cells in the gradebook."""
    with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
        try:
            notebook = gradebook.find_notebook(lesson, lesson)
        except MissingEntry:
            return {}
        return {cell.name: None for cell in notebook.solution_cells} | {
            cell.name: cell.max_score for cell in notebook.grade_cells
        }


def marks(lesson):
    """The same of the released notebook."""
    found = (cell.metadata.get("nbgrader", {}) for cell in skeleton(lesson).cells)
    return {
        m["grade_id"]: float(m["points"]) if m["grade"] else None
        for m in found
        if m.get("grade") or m.get("solution")
    }


def save_cells(lesson, coursedir):
    """What nbgrader's Generate does for the gradebook's sake, without making a notebook."""
    from autograder.publish.generate import prepare  # it imports torch

    source = ROOT / "solutions" / lesson / f"{lesson}.py"
    if not source.exists():
        raise Refused(
            f"{lesson} is not in the gradebook, and {source} is missing: enter it with `nbgrader generate_assignment {lesson}`."
        )
    config = settings(coursedir.root)
    resources = {
        "nbgrader": {"notebook": lesson, "assignment": lesson, "student": ".", "db_url": coursedir.db_url}
    }
    with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
        gradebook.update_or_create_assignment(lesson)
    try:
        notebook = prepare(source.with_suffix(".ipynb"), None)
        for step in STEPS:
            notebook, resources = step(config=config, log=quiet()).preprocess(notebook, resources)
    except LessonError as error:
        raise Refused(str(error)) from None
    except RuntimeError:  # nbgrader's word for it
        raise Refused(
            f"{lesson} got other cells since its first submission was graded: put the lesson back, or begin a new gradebook."
        ) from None


def quiet():
    """nbgrader tells every step: nobody reads that of a class."""
    log = logging.getLogger("autograder.quiet")
    log.propagate, log.disabled = False, True
    return log
