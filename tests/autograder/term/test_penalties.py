"""`python -m autograder penalties` shows changes, makes them with --yes after a backup, and runs no code."""

import csv
import re
import sqlite3
from types import SimpleNamespace

import pytest
from nbgrader.api import SubmittedNotebook

from autograder.gradebook import course as course_folder
from autograder.gradebook import penalties
from tests.conftest import ROOT
from tests.tools.points import full_marks
from tests.tools.school import LESSON, new_course


@pytest.fixture
def late(grade, hand_in, due, ran):
    """Ada's and Ben's submissions were late and Cho's was in time; all are graded."""
    hand_in("ada", "ben", time="2026-03-03 11:00:00 UTC")
    hand_in("cho", time="2026-03-01 11:00:00 UTC")
    grade()
    ran.clear()


def penalties_of(book):
    with book() as gradebook:
        notebooks = gradebook.db.query(SubmittedNotebook)
        return {item.student.id: item.late_submission_penalty or 0.0 for item in notebooks}


def test_without_yes_new_penalties_are_shown_and_nothing_is_changed(course, late, extend, capsys):
    extend(f"ada,{LESSON},3,ill", "zoe,01_masks,1,")
    before = (course / "gradebook.db").read_bytes()
    assert penalties.run(course) == 0
    output = capsys.readouterr().out
    for part in (
        f"ada      {LESSON}  2026-03-03 11:00 UTC  2026-03-01 12:00 UTC -> 2026-03-04 12:00 UTC",
        f"-{full_marks():g} -> 0",
        "extensions.csv names zoe, which the gradebook does not know",
        "add --yes to do it",
    ):
        assert part in output
    assert "ben" not in output
    assert (course / "gradebook.db").read_bytes() == before
    assert not (course / "gradebook_backups").exists()


def test_with_yes_penalties_are_in_the_gradebook_and_in_grades_csv(course, late, extend, book, capsys, ran):
    extend(f"ada,{LESSON},3,ill")
    assert penalties.run(course, yes=True) == 0
    full = full_marks()
    assert penalties_of(book) == {"ada": 0.0, "ben": full, "cho": 0.0}
    rows = csv.DictReader((course / "grades.csv").read_text().splitlines())
    assert [float(row["score"]) for row in rows] == [full, 0.0, full]
    assert ran == []
    (copy,) = (course / "gradebook_backups").iterdir()
    assert f"is saved in gradebook_backups/{copy.name}" in capsys.readouterr().out
    with sqlite3.connect(copy) as backup:
        query = "select sum(late_submission_penalty) from submitted_notebook"
        assert backup.execute(query).fetchone() == (2 * full,)
    penalties.run(course, yes=True)
    assert "Nothing needs to change." in capsys.readouterr().out
    assert [*(course / "gradebook_backups").iterdir()] == [copy]


def test_an_extension_stays_until_extensions_csv_or_the_due_date_changes(course, late, extend, book):
    with book() as gradebook:
        gradebook.grant_extension(LESSON, "ada", days=3)
    penalties.run(course, yes=True)
    assert penalties_of(book) == {"ada": 0.0, "ben": full_marks(), "cho": 0.0}
    with book() as gradebook:
        assert gradebook.find_submission(LESSON, "ada").extension.days == 3
    extend(f"cho,{LESSON},3,ill")
    penalties.run(course, yes=True)
    assert penalties_of(book)["ada"] == full_marks()
    with book() as gradebook:
        gradebook.find_assignment(LESSON).duedate = None
        gradebook.db.commit()
    penalties.run(course, yes=True)
    assert set(penalties_of(book).values()) == {0.0}
    with book() as gradebook:
        assert gradebook.find_submission(LESSON, "cho").total_seconds_late == 0


PLUGIN = """
from nbgrader.plugins import BasePlugin
class OneADay(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return total_seconds_late / 86400
"""


def test_changed_due_dates_and_penalty_settings_are_applied(course, late, book, monkeypatch):
    with book() as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate="2026-03-01 10:00:00 UTC")
    penalties.run(course, yes=True)
    assert set(penalties_of(book).values()) == {full_marks()}
    new_course(course, 'c.AssignLatePenalties.plugin_class = "course_plugin.OneADay"')
    (course / "course_plugin.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(course)
    penalties.run(course, yes=True)
    assert penalties_of(book) == pytest.approx({"ada": 49 / 24, "ben": 49 / 24, "cho": 1 / 24})
    new_course(course, 'c.LateSubmissionPlugin.penalty_method = "none"')
    penalties.run(course, yes=True)
    assert set(penalties_of(book).values()) == {0.0}


def test_the_recipe_for_late_work_in_the_docs_takes_off_a_tenth_per_day_begun(course, late, book):
    page = (ROOT / "docs" / "instructors.md").read_text(encoding="utf-8")
    (recipe,) = re.findall(r"^```py\n(.*?)^```$", page, re.M | re.S)
    new_course(course, recipe)
    assert penalties.run(course, yes=True) == 0
    assert penalties_of(book) == pytest.approx({"ada": full_marks() / 5, "ben": full_marks() / 5, "cho": 0.0})


def test_a_failure_is_reported_in_a_sentence_and_changes_nothing(course, late, extend, book, capsys):
    extend(f"ada,{LESSON},3,ill")
    (course / "gradebook_backups").write_text("a file in the way")
    assert penalties.run(course, yes=True) == 1
    assert "so nothing was changed" in capsys.readouterr().err
    assert penalties_of(book)["ada"] == full_marks()
    extend(f"ada,{LESSON},soon,")
    assert penalties.run(course, yes=True) == 1
    assert 'extensions.csv, line 2: "soon"' in capsys.readouterr().err
    for name in ("extensions.csv", "gradebook.db"):
        (course / name).unlink()
    assert penalties.run(course) == 1
    assert "There is no gradebook" in capsys.readouterr().err
    assert not (course / "gradebook.db").exists()


def test_after_grading_unknown_names_are_listed(course, late, write, extend):
    assert penalties.hints(course) == []
    extend(f"ada,{LESSON},3,ill", "zoe,05_visualization,1,")
    write("groups.csv", "group,student", "east,yan", "east,ada")
    strangers, unknown_members, without_date = penalties.hints(course)
    assert strangers == "extensions.csv names zoe, which the gradebook does not know: is it misspelt?"
    assert unknown_members.startswith("groups.csv names yan,")
    assert without_date.startswith("05_visualization has no due date")


def test_for_a_postgresql_gradebook_pg_dump_is_advised_without_the_password():
    place = SimpleNamespace(root="/", db_url="postgresql://me:secret@db/course")
    assert course_folder.back_up(place, "points") is None
    assert "pg_dump" in course_folder.advice(place)
    assert "secret" not in course_folder.advice(place)
