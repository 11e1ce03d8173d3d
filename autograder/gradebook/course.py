"""A course folder: its settings, its gradebook, and the seed that its hidden cases are drawn from."""

import contextlib
import os
import sys
from pathlib import Path

from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from nbgrader.api import Assignment, Base, Gradebook, InvalidEntry
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import create_engine, inspect, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool
from traitlets.config import Config, PyFileConfigLoader

from autograder.authoring.seeds import new_seed
from autograder.refused import Refused
from autograder.tables import replace_file

from .database import explain, shown_url

SEED, DEFAULT = ".grading.seed", "default_course"
OTHER_COURSE = (
    "The gradebook {} belongs to the course {}, not to {}: move it away, or name another one with "
    "c.CourseDirectory.db_url in nbgrader_config.py."
)


def settings(root):
    """Load nbgrader_config.py from the course's folder; raises Refused if it is missing."""
    root = Path(root).resolve()
    if not (root / "nbgrader_config.py").is_file():
        raise Refused(f"There is no nbgrader_config.py in {root}: start the grader in the course's folder.")
    config = Config(PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config())
    config.CourseDirectory.root = str(root)
    return config


def find_programs():
    """Put this environment's programs first on PATH, because nbgrader starts alembic by name."""
    programs, path = os.path.dirname(sys.executable), os.environ.get("PATH", "").split(os.pathsep)
    if path[0] != programs:
        os.environ["PATH"] = os.pathsep.join([programs, *path])


@contextlib.contextmanager
def open_gradebook(coursedir):
    """Open the course's Gradebook; raises Refused if it belongs to another course or does not work."""
    with refuse_database_errors(coursedir.db_url):
        prepare(coursedir)
        gradebook = Gradebook(coursedir.db_url, coursedir.course_id)
    with gradebook:
        yield gradebook


def prepare(coursedir):
    """Create the tables of a new gradebook; nbgrader would start alembic in a process of its own, which takes
    seconds. Raises Refused if the gradebook holds only other courses' assignments."""
    try:
        engine = create_engine(coursedir.db_url, poolclass=NullPool)
    except ModuleNotFoundError as driver:
        raise Refused(explain(coursedir.db_url, driver)) from None
    with engine.begin() as connection:
        if not inspect(connection).get_table_names():
            Base.metadata.create_all(connection)
            MigrationContext.configure(connection).stamp(ScriptDirectory(ALEMBIC_DIR), "head")
        courses = {course or DEFAULT for course in connection.scalars(select(Assignment.course_id))}
        course_id = coursedir.course_id or DEFAULT
        other_ids = sorted(courses - {course_id, DEFAULT})
        if other_ids and course_id not in courses:
            raise Refused(OTHER_COURSE.format(shown_url(coursedir.db_url), ", ".join(other_ids), course_id))


@contextlib.contextmanager
def refuse_database_errors(db_url):
    """Turn every error of the database or the disk into Refused, with a one-sentence message."""
    try:
        yield
    except (SQLAlchemyError, InvalidEntry, OSError) as error:
        raise Refused(explain(db_url, error)) from None


def seed_of(root, wanted=None):
    """Return the seed of this gradebook's hidden cases: the one used first, until `wanted` replaces it."""
    file = Path(root) / SEED
    try:
        seed_of_course = int(file.read_text())
    except (OSError, ValueError):
        seed_of_course = None
    seed = wanted or seed_of_course or new_seed()
    if seed != seed_of_course:
        replace_file(file, f"{seed}\n")
    return seed
