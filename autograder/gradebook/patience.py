"""A gradebook on a database server: while the server restarts, the grader waits and then writes again."""

import time

from sqlalchemy.exc import DBAPIError

SECONDS = 60  # for the server to come back
PAUSE = 0.5


def patiently(gradebook, action):
    """What action() returns; done again from its beginning while the server cannot be reached, for at most
    SECONDS.

    The action ends with its own commit and may be done twice: a connection can be lost when the server has
    committed and has not said so.
    """
    end = time.monotonic() + SECONDS
    while True:
        try:
            return action()
        except DBAPIError as error:
            gradebook.db.rollback()
            if not is_away(gradebook, error) or time.monotonic() > end:
                raise
            gradebook.db.expunge_all()
            gradebook.engine.dispose()
            time.sleep(PAUSE)


def is_away(gradebook, error):
    """Was the connection lost, or can none be made? Never of SQLite, which is a file."""
    if gradebook.engine.dialect.name == "sqlite":
        return False
    return error.connection_invalidated or not can_connect(gradebook.engine)


def can_connect(engine):
    try:
        with engine.connect():
            return True
    except DBAPIError:
        return False
