"""The gradebook's database: is it this course's, can it be written, a copy of it; errors are sentences."""

import contextlib
import errno
import os
import sqlite3
from datetime import datetime
from pathlib import Path

import sqlalchemy
from sqlalchemy.exc import SQLAlchemyError

from autograder.refused import Refused

DEFAULT = "default_course"
BACKUPS = "gradebook_backups"
OWN_TOOLS = (
    "The gradebook is the database {}: make a backup with its own tools, such as pg_dump, before you go on."
)
FAILED = "The gradebook {} could not be copied to {} ({}), so nothing was changed."


def check_course(coursedir):
    """Refused when the gradebook belongs to another course; nothing is written to find out."""
    ours = coursedir.course_id or DEFAULT
    courses = courses_in(coursedir.db_url)
    others = sorted(courses - {ours, DEFAULT, ""})
    if others and ours not in courses:
        whose = f"belongs to the course {', '.join(others)}, not to {ours}"
        raise Refused(
            f"The gradebook {shown_url(coursedir.db_url)} {whose}: move it away, "
            "or name another one with c.CourseDirectory.db_url in nbgrader_config.py."
        )


def courses_in(url):
    """The courses of the assignments in the gradebook; when it has none, the courses that it knows."""
    if not exists(url):
        return set()
    try:
        engine = sqlalchemy.create_engine(url)
    except ModuleNotFoundError as error:
        raise Refused(NO_DRIVER.format(shown_url(url), error.name)) from None
    try:
        with engine.connect() as connection:
            tables = sqlalchemy.inspect(connection).get_table_names()
            for table, column in (("assignment", "course_id"), ("course", "id")):
                query = sqlalchemy.text(f"select distinct {column} from {table}")
                courses = {row[0] or "" for row in connection.execute(query)} if table in tables else set()
                if courses:
                    return courses
    except SQLAlchemyError as error:
        raise Refused(explain(url, error)) from None
    finally:
        engine.dispose()
    return set()


def exists(url):
    """Is there a database? Asked first, as connecting to a SQLite file that is missing creates it."""
    url = sqlalchemy.make_url(url)
    return url.get_backend_name() != "sqlite" or (url.database and os.path.exists(url.database))


def shown_url(url):
    """The address without its password; a file by its path."""
    url = sqlalchemy.make_url(url)
    return url.database if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)


NO_DRIVER = (
    "The gradebook {} needs the Python package {}, which is not installed here: "
    ".venv/bin/pip install -c constraints.txt -e '.[grading,scale]'."
)
DATABASE_ERRORS = {  # the first sign that stands in the error
    "authentication failed": "refuses this user, or the password",
    "no password supplied": "wants a password: write it into ~/.pgpass",
    "no pg_hba.conf entry": "does not let this user in from this machine: see the server's pg_hba.conf",
    "FATAL:  database": "is no database of that server: make it with createdb",
    "FATAL:  role": "does not know this user: make it with createuser",
    "permission denied": "does not let this user write: the user must own the database",
    "Connection refused": "cannot be reached: start its server, or look at host and port",
    "No such file or directory": "cannot be reached: start its server, or look at host and port",
    "could not translate host name": "cannot be reached: there is no machine of this name",
    "failed to resolve host": "cannot be reached: there is no machine of this name",
    "terminating connection": "was shut down: wait until its server is up again",
    "the database system is": "is being started or stopped: wait until its server is up",
    "server closed the connection": "was shut down: wait until its server is up again",
    "No space left": "cannot be written: the disk of its server is full",
    "readonly": "cannot be written: the disk, or the file, is read-only",
    "disk is full": "cannot be written: the disk is full",
    "disk I/O error": "cannot be written: the disk is full or broken",
    "locked": "is in use by another program: wait for it, or close it",
    "unable to open": "cannot be opened: its folder is missing, read-only, or not yours",
    "not a database": "is not a gradebook, or is damaged: restore a backup",
    "malformed": "is damaged: put a backup in its place",
    "no such column": "is of another version of nbgrader: make a backup, then run `nbgrader db upgrade`",
}
GO_ON = "What was graded before is kept: run it again afterwards."
DISK_ERRORS = {
    errno.ENOSPC: "the disk is full",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "it is not yours to write",
    errno.EDQUOT: "your quota is used up",
}


def explain(url, error):
    """A database's or a disk's error as one sentence."""
    if isinstance(error, OSError):
        why = DISK_ERRORS.get(error.errno, error.strerror)
        return f"{error.filename or 'A file'} cannot be written: {why}. {GO_ON}"
    message = str(getattr(error, "orig", None) or error).splitlines()[0]
    what = next(
        (text for sign, text in DATABASE_ERRORS.items() if sign in message), f"does not work ({message})"
    )
    return f"The gradebook {shown_url(url)} {what}. {GO_ON}"


def back_up(coursedir, why):
    """A copy's path in gradebook_backups/, named by the date and by `why`; None where there is no file.
    Refused, in a sentence, when the copy cannot be made."""
    url = sqlalchemy.make_url(coursedir.db_url)
    if advice(coursedir) or not exists(coursedir.db_url):
        return None
    copy = Path(coursedir.root) / BACKUPS / f"{datetime.now():%Y-%m-%d_%H-%M-%S.%f}_{why}.db"
    unfinished = copy.with_suffix(".part")
    try:
        copy.parent.mkdir(mode=0o700, exist_ok=True)
        with contextlib.closing(sqlite3.connect(url.database)) as book:
            book.execute("VACUUM INTO ?", [str(unfinished)])  # whole, even while somebody writes
        unfinished.chmod(os.stat(url.database).st_mode & 0o777)
        unfinished.rename(copy)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise Refused(FAILED.format(url.database, copy, getattr(error, "strerror", None) or error)) from None
    return copy


def advice(coursedir):
    """What to do about a backup where back_up makes none; "" where it does."""
    url = sqlalchemy.make_url(coursedir.db_url)
    return "" if url.get_backend_name() == "sqlite" else OWN_TOOLS.format(shown_url(coursedir.db_url))
