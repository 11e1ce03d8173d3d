"""A score is held back in every table and export while its time, its file or its group is not settled."""

import csv
import hashlib
import json

import pytest

from autograder.exchange import export
from autograder.gradebook import penalties
from autograder.gradebook.class_table import status
from autograder.gradebook.standing import CHANGED, outcomes_now
from autograder.gradebook.submitted import NO_TIME
from autograder.notes import LOOK, texts_of
from tests.autograder.exchange.made_up import table
from tests.tools.points import full_marks
from tests.tools.school import LESSON, new_course

LATE, IN_TIME = "2026-03-03 11:00:00 UTC", "2026-03-01 11:00:00 UTC"
PST = "2026-03-01 23:59:00.123456 PST"


@pytest.fixture
def exported(course):
    """exported() is {student: the text of the cell} of a filled export for Canvas."""

    def run():
        heading, most = (
            ["Student", "ID", "SIS Login ID", "Section", LESSON],
            ["Points Possible", *[""] * 3, "15"],
        )
        students = [path.name for path in sorted((course / "submitted").iterdir())]
        rows = [[f"{name}, X", str(n), name, "S", ""] for n, name in enumerate(students, 1)]
        (course / "canvas.csv").write_bytes(table([heading, most, *rows]))
        export.run(course, "canvas", course / "canvas.csv", LESSON, LESSON)
        with open(course / "export" / "canvas.csv", newline="") as file:
            return {row[2]: row[4] for row in csv.reader(file) if row[2] in students}

    return run


def states(course):
    return {outcome.student: status(outcome) for outcome in outcomes_now(course) if outcome.lesson == LESSON}


FULL = f"{full_marks():g}"


@pytest.mark.parametrize("command", ["grade", "penalties"])
def test_a_time_that_is_not_known_waits_until_it_is_written_and_then_counts(
    course, grade, hand_in, due, exported, command, ran
):
    hand_in("ada", time=PST)
    hand_in("ben").with_name(NO_TIME).write_text("the LMS marks it as late, and does not say when")
    hand_in("cho")
    outcomes = grade()
    assert f'timestamp.txt says "{PST}", not a full date' in texts_of(outcomes["ada"].notes, LOOK)[0]
    assert 'not known ("the LMS marks it as late' in texts_of(outcomes["ben"].notes, LOOK)[0]
    assert exported() == {"ada": "", "ben": "", "cho": FULL}
    export.run(course, "csv")
    with open(course / "grades.csv", newline="") as file:
        rows = [(row["status"], row["score"]) for row in csv.DictReader(file)]
    assert rows == [("time unknown", ""), ("time unknown", ""), ("graded", f"{full_marks()}")]
    hand_in("ada", time=LATE)
    hand_in("ben", time=IN_TIME)
    if command == "grade":
        outcomes = grade()
        assert {outcome.state for outcome in outcomes.values()} == {"unchanged"}
        assert texts_of(outcomes["ada"].notes, LOOK) == []
    else:
        penalties.run(course, yes=True)
    assert exported() == {"ada": "0", "ben": FULL, "cho": FULL}
    assert set(states(course).values()) == {"graded"}
    assert len(ran) == 3, "no notebook was run again"


def test_without_a_late_penalty_no_time_is_waited_for(course, grade, hand_in, due, exported):
    new_course(course, 'c.LateSubmissionPlugin.penalty_method = "none"')
    hand_in("ada", time=PST)
    grade()
    assert exported()["ada"] == FULL


def test_a_plugin_of_the_course_and_a_lesson_without_due_date(course, grade, hand_in, exported, book):
    new_course(course, 'c.AssignLatePenalties.plugin_class = "one_a_day.OneADay"')
    lines = "from nbgrader.plugins import LateSubmissionPlugin\nclass OneADay(LateSubmissionPlugin): ..."
    (course / "one_a_day.py").write_text(lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(course)
        hand_in("ada", time=PST)
        grade()
        assert exported()["ada"] == FULL
        with book() as gradebook:
            gradebook.update_or_create_assignment(LESSON, duedate="2026-03-01 12:00:00 UTC")
        assert exported()["ada"] == "", "it inherits the setting, and may take points off all the same"


def test_a_newer_file_and_a_groups_different_files_hold_the_old_score_back(
    course, grade, hand_in, write, exported
):
    hand_in("ada", "ben", "cho")
    grade()
    hand_in("ada", words="half")
    write("groups.csv", "group,student", "east,ben", "east,cho")
    hand_in("cho", words="half")
    assert exported() == dict.fromkeys(("ada", "ben", "cho"), "")
    notes = {outcome.student: texts_of(outcome.notes) for outcome in outcomes_now(course)}
    assert notes["ada"] == [CHANGED]
    assert notes["ben"][0].startswith("The group east handed in different notebooks (ben, cho)")
    assert set(states(course).values()) == {"not graded"}
    write("groups.csv", "group,student")
    grade()
    half = f"{full_marks() / 2:g}"
    assert exported() == {"ada": half, "ben": FULL, "cho": half}


def test_a_hand_in_time_that_was_taken_away_holds_the_score_back_as_grade_does(
    course, grade, hand_in, due, exported
):
    hand_in("ada", time=IN_TIME)
    grade()
    assert exported()["ada"] == FULL
    (course / "submitted" / "ada" / LESSON / "timestamp.txt").unlink()
    assert exported()["ada"] == "", "grade would ask for the time"
    assert grade()["ada"].state == "new"
    assert states(course) == {"ada": "time unknown"}


def test_after_an_older_gradebook_is_put_back_the_newer_file_is_graded_again(
    course, grade, hand_in, exported, ran
):
    hand_in("ada", words="half")
    hand_in("ben")
    grade()
    older = (course / "gradebook.db").read_bytes()
    hand_in("ada")
    grade()
    (course / "gradebook.db").write_bytes(older)
    assert exported() == {"ada": "", "ben": FULL}
    outcomes = grade()
    assert {student: outcome.state for student, outcome in outcomes.items()} == {
        "ada": "new",
        "ben": "unchanged",
    }
    assert ran == ["ada", "ben", "ada", "ada"]
    assert exported() == {"ada": FULL, "ben": FULL}


def test_points_by_hand_do_not_wait_again_when_the_hand_in_time_is_written(course, grade, hand_in, due, book):
    hand_in("ada")
    grade()
    with book() as gradebook:
        gradebook.find_grade("test_softmax", LESSON, LESSON, "ada").manual_score = 1.0
        gradebook.db.commit()
    hand_in("ada", time=IN_TIME)
    assert status(grade(regrade=True)["ada"]) == "graded"


def test_a_gradebook_of_an_earlier_release_knows_its_files(course, grade, hand_in, ran):
    """Earlier pages hold a hash of the notebook together with its timestamp.txt."""
    file = hand_in("ada", time=IN_TIME)
    grade()
    page = course / "autograded" / "ada" / LESSON / f"{LESSON}.ipynb"
    notebook = json.loads(page.read_text())
    before = hashlib.sha256(file.read_bytes() + IN_TIME.encode()).hexdigest()
    notebook["metadata"]["course"]["grading"]["submission"] = before
    del notebook["metadata"]["course"]["grading"]["unknown_time"]
    page.chmod(0o644)
    page.write_text(json.dumps(notebook))
    assert grade()["ada"].state == "unchanged"
    hand_in("ada", time=LATE)
    grade()
    assert ran == ["ada"]
    hand_in("ada", time=LATE, words="half")
    grade()
    assert ran == ["ada", "ada"]


def test_files_that_collect_could_not_copy_are_in_the_table_until_they_are_decided(grade, hand_in, write):
    columns = "file,why,student,from,lesson,content"
    lines = (
        f"hw.rar,no notebook,,ben,{LESSON},1",
        "x.7z,no notebook,,,,2",
        f"y.txt,no notebook,-,cho,{LESSON},3",
    )
    write("collect.csv", columns, *lines)
    hand_in("ada")
    outcomes = grade()
    assert (outcomes["ben"].state, texts_of(outcomes["ben"].notes)) == ("left", ['"hw.rar": no notebook.'])
    assert texts_of(outcomes["-", ""].notes) == ['"x.7z": no notebook.']
    assert "cho" not in outcomes
    hand_in("ben")
    assert grade()["ben"].state == "new"
