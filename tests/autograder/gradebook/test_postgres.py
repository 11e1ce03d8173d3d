"""A gradebook on a PostgreSQL server that is stopped during grading, and nbgrader's export afterwards."""

import csv
import secrets
import subprocess
import sys

import pytest

from autograder.refused import Refused
from tests.tools.points import full_marks
from tests.tools.school import new_course, submit

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("servers")]
STUDENTS = [f"student{n}" for n in range(12)]


@pytest.fixture
def url(database):
    return database.make(f"book_{secrets.token_hex(4)}")


@pytest.fixture
def course(url, tmp_path):
    course = new_course(tmp_path / "course", f'c.CourseDirectory.db_url = "{url}"')
    for student in STUDENTS:
        submit(course, student, data=b"{}")
    return course


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_stopped_database_ends_grading_with_one_sentence_and_a_rerun_goes_on(course, grade, database, mode):
    def step(done, total):
        if done == 4:
            database.stop(mode)

    try:
        with pytest.raises(Refused, match=r"^The gradebook postgresql.*: .* run it again") as refusal:
            grade(step=step)
    finally:
        database.start()
    assert "\n" not in str(refusal.value)
    assert [outcome.state for outcome in grade().values()].count("unchanged") == 4
    export = [sys.executable, "-m", "nbgrader", "export", "--to", "grades.csv"]
    subprocess.run(export, cwd=course, check=True, capture_output=True)
    rows = csv.DictReader((course / "grades.csv").read_text().splitlines())
    scores = sorted((row["student_id"], float(row["score"])) for row in rows)
    assert scores == sorted((student, full_marks()) for student in STUDENTS)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("/book_", "/other_", "does not exist"),
        ("grader@", "nobody@", "does not exist"),
        ("pg-", "pg-no-", "No such file or directory"),
        (None, "postgresql+psycopg://me:secret@127.0.0.1:9/x", "Connection refused"),
        (None, "postgresql+nothing://me:secret@127.0.0.1:9/x", "Can't load plugin"),
    ],
)
def test_a_bad_database_address_is_refused_without_showing_the_password(course, grade, url, old, new, text):
    settings = course / "nbgrader_config.py"
    settings.write_text(settings.read_text().replace(url, url.replace(old, new) if old else new))
    with pytest.raises(Refused) as refusal:
        grade()
    (sentence,) = str(refusal.value).splitlines()
    assert text in sentence
    assert "secret" not in sentence
