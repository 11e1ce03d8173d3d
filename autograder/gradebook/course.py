"""A course folder: its settings, its gradebook's database, and the seed of its hidden cases."""

import contextlib
import os
import sqlite3
import sys
from datetime import datetime
from pathlib import Path

import sqlalchemy
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from nbgrader.api import Base, Gradebook, InvalidEntry
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool
from traitlets.config.loader import Config, PyFileConfigLoader

from autograder.authoring.seeds import new_seed
from autograder.refused import Refused
from autograder.tables import replace_file

assignments = Base.metadata.tables["assignment"].columns
SEED, DEFAULT, BACKUPS = ".grading.seed", "default_course", "gradebook_backups"
OTHER_COURSE = (
    "The gradebook {} belongs to the course {}, not to {}: move it away, or name another one with "
    "c.CourseDirectory.db_url in nbgrader_config.py."
)
OTHER_VERSION = (
    "The gradebook {} was made by another version of nbgrader, or by another program: copy it, then run "
    "`nbgrader db upgrade` in the course's folder, and this command again."
)
EMPTY = (
    "The gradebook {} is empty (0 bytes): put the newest copy from {}/ in its place, or delete the file if "
    "nobody was graded yet, and run the command again."
)
BACKUP_ADVICE = (
    "The gradebook is the database {}: make a backup with its own tools, such as pg_dump, before you go on."
)
COPY_FAILED = "The gradebook {} could not be copied to {} ({}), so nothing was changed."
GO_ON = "Everything graded so far is kept: fix this, then run it again."


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


def file_of(url):
    """The path of a gradebook in a SQLite file; None for one on a database server."""
    parts = sqlalchemy.make_url(url)
    return Path(parts.database or "") if parts.get_backend_name() == "sqlite" else None


def exists(url):
    """Does the database exist? Checked before connecting, which would create a missing SQLite file."""
    file = file_of(url)
    return file is None or file.exists()


def shown_url(url):
    """The database's address without its password; for SQLite, the file's path."""
    return str(file_of(url) or sqlalchemy.make_url(url).render_as_string(hide_password=True))


def explain(url, error):
    """Describe an error of the database or the disk in one sentence that quotes the error's own message."""
    if isinstance(error, OSError):
        return f"{error.filename or 'A file'} cannot be written: {error.strerror or error}. {GO_ON}"
    reason = str(getattr(error, "orig", None) or error).splitlines()[0]
    return f"The gradebook {shown_url(url)} does not work: {reason}. {GO_ON}"


@contextlib.contextmanager
def refuse_database_errors(url):
    """Turn every error of the database or the disk into Refused, with a one-sentence message."""
    try:
        yield
    except (SQLAlchemyError, InvalidEntry, OSError) as error:
        raise Refused(explain(url, error)) from None


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
    url, file, course_id = coursedir.db_url, file_of(coursedir.db_url), coursedir.course_id or DEFAULT
    if file and not file.exists():
        return create_whole(file)
    if file and not file.stat().st_size:
        raise Refused(EMPTY.format(file, BACKUPS))
    with engine_of(url).begin() as connection:
        missing = Base.metadata.tables.keys() - sqlalchemy.inspect(connection).get_table_names()
        version = MigrationContext.configure(connection).get_current_revision()
        newest = ScriptDirectory(ALEMBIC_DIR).get_current_head()
        if not (version == newest or version is None and is_todays(connection, missing)):
            raise Refused(OTHER_VERSION.format(shown_url(url)))
        if missing or version is None:
            create_tables(connection)
        ids = connection.scalars(sqlalchemy.select(assignments.course_id))
        courses = {course or DEFAULT for course in ids}
        other_ids = sorted(courses - {course_id, DEFAULT})
        if other_ids and course_id not in courses:
            raise Refused(OTHER_COURSE.format(shown_url(url), ", ".join(other_ids), course_id))


def create_whole(file):
    """Create the gradebook's file under another name first, so that it is complete or not there."""
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


def is_todays(connection, missing):
    """Have all tables that are there the columns that this version of nbgrader makes? Another program's file
    has none of them."""
    tables, database = Base.metadata.tables, sqlalchemy.inspect(connection)
    names = tables.keys() - missing
    if not names:
        return not database.get_table_names()
    columns = {name: {column["name"] for column in database.get_columns(name)} for name in names}
    return all(columns[name] == {*tables[name].columns.keys()} for name in names)


def back_up(coursedir, why):
    """Copy the gradebook into gradebook_backups/ -> the copy's path, None if there is no file to copy. The
    name holds the date and `why`. Raises Refused if the copy fails."""
    file = file_of(coursedir.db_url)
    if not (file and file.exists()):
        return None
    copy = Path(coursedir.root) / BACKUPS / f"{datetime.now():%Y-%m-%d_%H-%M-%S.%f}_{why}.db"
    unfinished = copy.with_suffix(".part")
    try:
        copy.parent.mkdir(mode=0o700, exist_ok=True)
        with contextlib.closing(sqlite3.connect(file)) as book:
            book.execute("VACUUM INTO ?", [str(unfinished)])  # consistent, even while somebody writes
        unfinished.rename(copy)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise Refused(COPY_FAILED.format(file, copy, getattr(error, "strerror", None) or error)) from None
    return copy


def advice(coursedir):
    """How to back up a gradebook that back_up cannot copy, one on a database server; "" for a SQLite file."""
    url = coursedir.db_url
    return "" if file_of(url) else BACKUP_ADVICE.format(shown_url(url))


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
