"""A course folder as nbgrader sees it: its settings, and its lessons entered in the gradebook."""
import os
import sys
import tempfile
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import capture_log
from sqlalchemy.exc import SQLAlchemyError
from traitlets.config import Config, PyFileConfigLoader

from ..build import quiet_log, reason
from ..lesson import LessonError, follow
from .database import Refused, check_course, trouble
from .rebuild import is_lesson, skeleton


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
            generate(lesson, coursedir)
            if entered(lesson, coursedir) != marks(lesson):
                raise Refused(f"The notebook of {lesson} does not fit solutions/{lesson}: run `make notebooks`, then grade again.")
    except (SQLAlchemyError, OSError) as error:
        raise Refused(trouble(coursedir.db_url, error)) from None


def entered(lesson, coursedir):
    """{grade_id: points, None where there are none} of the lesson's cells in the gradebook."""
    with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
        try:
            notebook = gradebook.find_notebook(lesson, lesson)
        except MissingEntry:
            return {}
        return {cell.name: None for cell in notebook.solution_cells} | {cell.name: cell.max_score for cell in notebook.grade_cells}


def marks(lesson):
    """The same of the released notebook."""
    found = (cell.metadata.get("nbgrader", {}) for cell in skeleton(lesson).cells)
    return {m["grade_id"]: float(m["points"]) if m["grade"] else None for m in found if m.get("grade") or m.get("solution")}


def generate(lesson, coursedir):
    """nbgrader's generate_assignment for the gradebook's sake: the notebook that it makes is not kept."""
    source = Path(coursedir.root) / coursedir.source_directory / lesson / f"{lesson}.py"
    if not source.exists():
        raise Refused(f"{lesson} is not in the gradebook, and {source} is missing: enter it with `nbgrader generate_assignment {lesson}`.")
    with tempfile.TemporaryDirectory() as place:
        config = settings(coursedir.root)
        config.CourseDirectory.update(assignment_id=lesson, release_directory=place, db_url=coursedir.db_url, course_id=coursedir.course_id)
        try:
            follow(source)
            converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
            converter.log = quiet_log()
            outcome = capture_log(converter)
        except LessonError as error:
            raise Refused(str(error)) from None
    if not outcome["success"]:
        raise Refused(why_not(lesson, outcome))


def why_not(lesson, outcome):
    if "there are submissions associated" in outcome.get("error", "") + outcome.get("log", ""):
        return f"{lesson} got other cells since its first submission was graded: put the lesson back, or begin a new gradebook."
    return reason(outcome)
