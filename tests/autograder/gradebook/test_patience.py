"""A lost connection is waited for; any other error, and SQLite, is not."""

import sys
from types import SimpleNamespace

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from autograder.gradebook import patience
from autograder.gradebook.database import Refused, courses_in
from autograder.gradebook.patience import patiently


class Book:
    """A gradebook on a server that is away for the first `away` attempts to connect."""

    def __init__(self, dialect="postgresql", away=0):
        self.away, self.undone = away, 0
        self.engine = SimpleNamespace(
            dialect=SimpleNamespace(name=dialect), connect=self.connect, dispose=lambda: None
        )
        self.db = SimpleNamespace(rollback=self.rollback, expunge_all=lambda: None)

    def rollback(self):
        self.undone += 1

    def connect(self):
        self.away -= 1
        if self.away >= 0:
            raise lost()
        return open("/dev/null")


def lost(error=OperationalError, invalidated=False):
    return error("commit", {}, Exception("server closed the connection"), connection_invalidated=invalidated)


def failing(*errors):
    """An action that raises these, one each time, and succeeds then."""
    left = list(errors)

    def action():
        if left:
            raise left.pop(0)
        return "written"

    return action


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(patience, "PAUSE", 0)
    monkeypatch.setattr(patience, "SECONDS", 0.5)


def test_an_action_is_done_again_when_the_connection_was_lost():
    book = Book()
    assert patiently(book, failing(lost(invalidated=True), lost(invalidated=True))) == "written"
    assert book.undone == 2


def test_an_action_is_done_again_while_no_connection_can_be_made():
    assert patiently(Book(away=1), failing(lost())) == "written"


@pytest.mark.parametrize("book", [Book(), Book("sqlite")], ids=["server", "sqlite"])
def test_an_error_of_the_data_is_raised_at_once(book):
    with pytest.raises(IntegrityError):
        patiently(book, failing(lost(IntegrityError)))
    assert book.undone == 1


def test_sqlite_is_a_file_and_never_waited_for():
    with pytest.raises(OperationalError):
        patiently(Book("sqlite"), failing(lost(invalidated=True)))


def test_a_server_that_stays_away_is_given_up():
    with pytest.raises(OperationalError):
        patiently(Book(away=10**9), lambda: (_ for _ in ()).throw(lost()))


def test_a_missing_driver_is_one_sentence_without_the_password(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(Refused, match=r"postgresql\+psycopg://me:\*\*\*@host/x needs .* psycopg"):
        courses_in("postgresql+psycopg://me:secret@host/x")
