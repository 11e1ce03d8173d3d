"""extensions.csv gives more time or excuses work; it is applied at each grading, completely or not at all."""

import csv
from datetime import datetime, timedelta

import pytest

from autograder.gradebook.class_files import read_extensions
from autograder.gradebook.class_table import waiting_for_a_person, write_class
from autograder.gradebook.times import utc_of
from autograder.refused import Refused
from tests.tools.points import full_marks
from tests.tools.school import LESSON, WRITTEN

TWO_DAYS_LATE = "2026-03-03 11:00:00 UTC"
ONE_DAY = "2026-03-02 12:00 UTC"


def test_an_extension_counts_even_if_granted_before_a_submission(grade, hand_in, extend, due, book):
    extend(f"ada,{LESSON},2 days,ill", f"ben,{LESSON},{ONE_DAY},", f"dan,{LESSON},{ONE_DAY},")
    hand_in("ada", "ben", "cho", time=TWO_DAYS_LATE)
    scores = {student: outcome.score for student, outcome in grade().items()}
    full = full_marks()
    points = {student: (score.raw, score.final) for student, score in scores.items()}
    assert points == {"ada": (full, full), "ben": (full, 0.0), "cho": (full, 0.0)}
    assert scores["ada"].duedate == datetime(2026, 3, 3, 12)
    with book() as gradebook:
        extensions = [gradebook.find_submission(LESSON, s).extension for s in ("ada", "ben", "cho")]
        assert extensions == [timedelta(days=2), timedelta(days=1), None]
        gradebook.update_or_create_assignment(LESSON, duedate="2026-03-05 12:00:00 UTC")
    hand_in("dan", time=TWO_DAYS_LATE)
    later_for_all = grade()["dan"].score
    assert (later_for_all.final, later_for_all.duedate) == (full, datetime(2026, 3, 5, 12))
    with book() as gradebook:
        gradebook.find_assignment(LESSON).duedate = None
        gradebook.db.commit()
    assert {outcome.score.final for outcome in grade(regrade=True).values()} == {full}
    with book() as gradebook:
        assert gradebook.find_submission(LESSON, "ada").total_seconds_late == 0  # as nbgrader computes it


def test_excused_work_has_no_score_and_waits_for_nobody(course, grade, hand_in, extend, due):
    extend(f"ada,{LESSON},excused,jury duty", f"ben,{LESSON},Excused,")
    hand_in("ada", time=TWO_DAYS_LATE)
    hand_in("cho", time="2026-03-01 11:00:00 UTC")
    hand_in("ben", lesson=WRITTEN)
    grade()
    outcomes = grade()
    assert outcomes["ben"].state == "absent"
    assert waiting_for_a_person([outcomes["ben"]]) == []
    write_class(course / "grades.csv", [outcomes[student] for student in ("ada", "ben", "cho")])
    ada, *other_rows = csv.DictReader((course / "grades.csv").read_text().splitlines())
    assert [row["status"] for row in (ada, *other_rows)] == ["excused", "excused", "graded"]
    assert [ada[column] for column in ("score", "max_score", "softmax")] == ["", "", ""]
    assert ada["what_to_know"].startswith("Excused: jury duty")


NO_DAYS = "is not a number of days"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f",{LESSON},2,", "student is empty"),
        ("ben,,2,", "lesson is empty"),
        ("ben,99_no,2,", '"99_no" is not a lesson of this course'),
        (f"ben,{LESSON},,", "extension is empty"),
        (f"ben,{LESSON},soon,", f'"soon" {NO_DAYS}, a date with a time zone'),
        *((f"ben,{LESSON},{days},", f'"{days}" {NO_DAYS}') for days in ("-1", "nan", "9999999")),
        *((f"ben,{LESSON},2026-03-05 12:00{zone},", NO_DAYS) for zone in ("", " Atlantis/Capital")),
        (f"ben,{LESSON},2026-13-05 12:00 UTC,", NO_DAYS),
        (f"ada,{LESSON},3,", f'"ada" has two lines for {LESSON}'),
        (f"ben,{LESSON},2,ill, in bed", "has 5 cells, but the first line names 4 columns"),
    ],
)
def test_a_wrong_line_in_extensions_csv_is_refused_by_number(tmp_path, line, reason):
    head = "student,lesson,extension,reason"
    (tmp_path / "extensions.csv").write_text(f"{head}\nada,{LESSON},2,\n{line}\n")
    with pytest.raises(Refused, match=f"line 3: .*{reason}") as refusal:
        read_extensions(tmp_path)
    assert "Nothing from extensions.csv is applied until all lines are correct." in str(refusal.value)


def test_ten_wrong_lines_are_reported_at_once_and_nothing_is_graded(grade, hand_in, extend, ran):
    extend(f"ada,{LESSON},2,", *(f"s{number},{LESSON},soon," for number in range(12)))
    hand_in("ada", time=TWO_DAYS_LATE)
    with pytest.raises(Refused) as refusal:
        grade()
    line_numbers = [line.partition(":")[0] for line in str(refusal.value).splitlines()[:11]]
    assert line_numbers == [*(f"extensions.csv, line {n}" for n in range(3, 13)), "2 more lines are wrong."]
    assert ran == []


def test_extensions_csv_is_read_as_spreadsheets_save_it(tmp_path):
    text = "Reason;Extension;Lesson;Student;More\r\nill;3 Days;01_masks;Zoë Ångström;x\r\n;;;;\r\n"
    (tmp_path / "extensions.csv").write_bytes(text.encode("utf-8-sig"))
    ((place, extension),) = read_extensions(tmp_path).items()
    assert place == ("Zoë Ångström", "01_masks")
    assert (extension.amount, extension.reason) == (timedelta(days=3), "ill")


NO_DATES = (
    "2026-03-05 12:00",
    "2026-03-05",
    "2026-03-05 12:00 ../../etc/passwd",
    "2026-03-05 12:00 +99:00",
    "2026-02-30 12:00 UTC",
    "0001-01-01 00:00 +01:00",
    "2026-03-05+01:00",  # half a date
    "2026-07-05 12:00 PST",  # in California or in Manila
    "2026-03-05 12:00 CST",
    "2026-10-25 02:30 Europe/Berlin",  # twice in that night
)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-03-05 12:00 Europe/Berlin", datetime(2026, 3, 5, 11)),
        ("2026-07-05 12:00 Europe/Berlin", datetime(2026, 7, 5, 10)),
        ("2026-03-05T12:00:30+01:00", datetime(2026, 3, 5, 11, 0, 30)),
        ("2026-03-05 12:00 -05", datetime(2026, 3, 5, 17)),
        ("2026-07-05 12:00 CEST", datetime(2026, 7, 5, 10)),
        ("2026-10-25 02:30 CET", datetime(2026, 10, 25, 1, 30)),
        ("2026-03-05 9:00 UTC", datetime(2026, 3, 5, 9)),
        ("2026-03-05T12:00Z", datetime(2026, 3, 5, 12)),
        ("2026-03-05 12:00 Z", datetime(2026, 3, 5, 12)),
        *((text, None) for text in NO_DATES),
    ],
)
def test_a_date_that_is_not_one_certain_time_is_refused(text, time):
    assert utc_of(text) == time
