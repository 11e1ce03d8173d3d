"""A gradebook is whole or not there; a half-made one is completed, and no other one is touched."""

import sqlite3
from contextlib import closing

import pytest
from nbgrader.api import Base
from nbgrader.coursedir import CourseDirectory

from autograder.gradebook import course as course_folder
from autograder.gradebook.command import run
from autograder.gradebook.course import create_tables, open_gradebook, settings
from autograder.refused import Refused
from tests.tools.points import full_marks
from tests.tools.school import LESSON, WRITTEN, new_course


def opened(root):
    with open_gradebook(CourseDirectory(config=settings(root))) as gradebook:
        return [assignment.name for assignment in gradebook.assignments]


def in_file(root, *statements):
    with closing(sqlite3.connect(root / "gradebook.db")) as book, book:
        return [book.execute(statement).fetchall() for statement in statements]


def tables(root):
    return {name for (name,) in in_file(root, "select name from sqlite_master where type = 'table'")[0]}


def test_an_interrupted_creation_leaves_no_gradebook_and_can_be_repeated(tmp_path, monkeypatch):
    new_course(tmp_path)

    def disk_full(connection):
        create_tables(connection)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(course_folder, "create_tables", disk_full)
        with pytest.raises(Refused, match="No space left on device"):
            opened(tmp_path)
    assert [path.name for path in tmp_path.glob("*gradebook*")] == []
    assert opened(tmp_path) == []


@pytest.mark.parametrize("missing", [["grade", "alembic_version"], ["comment"], ["alembic_version"]])
def test_a_half_made_gradebook_is_completed_with_all_grades_in_it(course, hand_in, grade, missing):
    whole = tables(course)
    in_file(course, *(f"drop table {name}" for name in missing))
    assert opened(course) == [LESSON, WRITTEN]
    assert tables(course) == whole
    hand_in("ada")
    assert grade()["ada"].score.final == full_marks()


def test_an_empty_gradebook_is_refused_with_what_to_do(course, capsys):
    (course / "gradebook.db").write_bytes(b"")
    assert run(course) == 1
    sentence = capsys.readouterr().err
    assert "is empty (0 bytes): put the newest copy from gradebook_backups/ in its place" in sentence
    assert sentence.count("\n") == 1
    assert (course / "gradebook.db").read_bytes() == b""


ANOTHER_PROGRAM = "; ".join(f"drop table {name}" for name in [*Base.metadata.tables, "alembic_version"])
ANOTHER_PROGRAM += "; create table songs (title text)"


@pytest.mark.parametrize(
    "older",
    [
        "update alembic_version set version_num = '167914646830'",
        "drop table alembic_version; alter table student drop column lms_user_id",
        ANOTHER_PROGRAM,
    ],
)
def test_an_old_gradebook_is_left_alone_and_nbgraders_upgrade_is_named(course, older):
    in_file(course, *older.split("; "))
    before = (course / "gradebook.db").read_bytes()
    with pytest.raises(Refused, match="run `nbgrader db upgrade` in the course's folder"):
        opened(course)
    assert (course / "gradebook.db").read_bytes() == before
