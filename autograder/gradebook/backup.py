"""The gradebook -> a dated copy of it in gradebook_backups/, before its points are changed."""

import contextlib
import os
import sqlite3
from datetime import datetime
from pathlib import Path

import sqlalchemy

from autograder.refused import Refused

from .database import exists, shown_url

FOLDER = "gradebook_backups"
OWN_TOOLS = (
    "The gradebook is the database {}: make a backup with its own tools, such as pg_dump, before you go on."
)
FAILED = "The gradebook {} could not be copied to {} ({}), so nothing was changed."


def back_up(coursedir, why):
    """The copy's path, named by the date and by `why`; None where there is no gradebook file to copy.

    Refused, in a sentence, when the copy cannot be made.
    """
    url = sqlalchemy.make_url(coursedir.db_url)
    if advice(coursedir) or not exists(coursedir.db_url):
        return None
    copy = Path(coursedir.root) / FOLDER / f"{datetime.now():%Y-%m-%d_%H-%M-%S.%f}_{why}.db"
    unfinished = copy.with_suffix(".part")
    try:
        copy.parent.mkdir(mode=0o700, exist_ok=True)
        copy_database(url.database, unfinished)
        unfinished.chmod(os.stat(url.database).st_mode & 0o777)
        unfinished.rename(copy)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise Refused(FAILED.format(url.database, copy, getattr(error, "strerror", None) or error)) from None
    return copy


def copy_database(file, copy):
    """By SQLite's own backup: whole, even while somebody writes."""
    with (
        contextlib.closing(sqlite3.connect(file)) as there,
        contextlib.closing(sqlite3.connect(copy)) as here,
    ):
        there.backup(here)


def advice(coursedir):
    """What to do about a backup where back_up makes none; "" where it does."""
    url = sqlalchemy.make_url(coursedir.db_url)
    return "" if url.get_backend_name() == "sqlite" else OWN_TOOLS.format(shown_url(coursedir.db_url))
