"""The gradebook's database: checks that it exists, explains its errors in one sentence, and backs it up."""

import contextlib
import os
import sqlite3
from datetime import datetime
from pathlib import Path

import sqlalchemy

from autograder.refused import Refused

BACKUPS = "gradebook_backups"
BACKUP_ADVICE = (
    "The gradebook is the database {}: make a backup with its own tools, such as pg_dump, before you go on."
)
EMPTY = (
    "The gradebook {} is empty (0 bytes): put the newest copy from {}/ in its place, or delete the file if "
    "nobody was graded yet, and run the command again."
)
COPY_FAILED = "The gradebook {} could not be copied to {} ({}), so nothing was changed."
GO_ON = "Everything graded so far is kept: fix this, then run it again."


def exists(url):
    """Does the database exist? Checked before connecting, which would create a missing SQLite file."""
    url = sqlalchemy.make_url(url)
    return url.get_backend_name() != "sqlite" or (url.database and os.path.exists(url.database))


def refuse_empty(url):
    """Raise Refused if the gradebook is a file of 0 bytes."""
    url = sqlalchemy.make_url(url)
    if url.get_backend_name() == "sqlite" and not os.path.getsize(url.database):
        raise Refused(EMPTY.format(url.database, BACKUPS))


def shown_url(url):
    """The database's address without its password; for SQLite, the file's path."""
    url = sqlalchemy.make_url(url)
    return url.database if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)


def explain(url, error):
    """Describe an error of the database or the disk in one sentence that quotes the error's own message."""
    if isinstance(error, OSError):
        return f"{error.filename or 'A file'} cannot be written: {error.strerror or error}. {GO_ON}"
    reason = str(getattr(error, "orig", None) or error).splitlines()[0]
    return f"The gradebook {shown_url(url)} does not work: {reason}. {GO_ON}"


def back_up(coursedir, why):
    """Copy the gradebook into gradebook_backups/ -> the copy's path, None if there is no file to copy. The
    name holds the date and `why`. Raises Refused if the copy fails."""
    if advice(coursedir) or not exists(coursedir.db_url):
        return None
    file = sqlalchemy.make_url(coursedir.db_url).database
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
    is_file = sqlalchemy.make_url(coursedir.db_url).get_backend_name() == "sqlite"
    return "" if is_file else BACKUP_ADVICE.format(shown_url(coursedir.db_url))
