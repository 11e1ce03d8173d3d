"""A course folder: its settings, its gradebook, and the seed that its hidden cases are drawn from."""

import contextlib
import os
import sys
from pathlib import Path

import sqlalchemy
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from nbgrader.api import Assignment, Base, Gradebook, InvalidEntry
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import inspect, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool
from traitlets.config import Config, PyFileConfigLoader

from autograder.authoring.seeds import new_seed
from autograder.refused import Refused
from autograder.tables import replace_file

from .database import exists, explain, refuse_empty, shown_url

SEED, DEFAULT = ".grading.seed", "default_course"
OTHER_COURSE = (
    "The gradebook {} belongs to the course {}, not to {}: move it away, or name another one with "
    "c.CourseDirectory.db_url in nbgrader_config.py."
)
OTHER_VERSION = (
    "The gradebook {} was made by another version of nbgrader, or by another program: copy it, then run "
    "`nbgrader db upgrade` in the course's folder, and this command again."
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
    """Create a new gradebook, or complete one whose creation was interrupted (nbgrader would start alembic in
    a process of its own, which takes seconds). Raises Refused if the gradebook is empty, was made by another
    version of nbgrader, or holds only other courses' assignments."""
    if not exists(coursedir.db_url):
        return create_whole(coursedir.db_url)
    refuse_empty(coursedir.db_url)
    with engine_of(coursedir.db_url).begin() as connection:
        missing = Base.metadata.tables.keys() - inspect(connection).get_table_names()
        version = MigrationContext.configure(connection).get_current_revision()
        made_today = is_todays(connection, missing) if version is None else version == newest_version()
        if not made_today:
            raise Refused(OTHER_VERSION.format(shown_url(coursedir.db_url)))
        if missing or version is None:
            create_tables(connection)
        courses = {course or DEFAULT for course in connection.scalars(select(Assignment.course_id))}
        course_id = coursedir.course_id or DEFAULT
        other_ids = sorted(courses - {course_id, DEFAULT})
        if other_ids and course_id not in courses:
            raise Refused(OTHER_COURSE.format(shown_url(coursedir.db_url), ", ".join(other_ids), course_id))


def create_whole(url):
    """Create the gradebook's file under another name first, so that it is complete or not there."""
    file = Path(sqlalchemy.make_url(url).database)
    new = file.with_name(f".{file.name}.{os.getpid()}.new")
    try:
        with engine_of(f"sqlite:///{new}").begin() as connection:
            create_tables(connection)
        os.replace(new, file)
    finally:
        new.unlink(missing_ok=True)


def engine_of(url):
    try:
        return sqlalchemy.create_engine(url, poolclass=NullPool)
    except ModuleNotFoundError as driver:
        raise Refused(explain(url, driver)) from None


def create_tables(connection):
    """Create the tables that are missing."""
    Base.metadata.create_all(connection)
    MigrationContext.configure(connection).stamp(ScriptDirectory(ALEMBIC_DIR), "head")


def newest_version():
    return ScriptDirectory(ALEMBIC_DIR).get_current_head()


def is_todays(connection, missing):
    """Have all tables that are there the columns that this version of nbgrader makes? Another program's file
    has none of them."""
    tables, database = Base.metadata.tables, inspect(connection)
    names = tables.keys() - missing
    columns = {name: {column["name"] for column in database.get_columns(name)} for name in names}
    is_other = not names and database.get_table_names()
    return not is_other and all(columns[name] == {*tables[name].columns.keys()} for name in names)


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
