"""A request to look again ends with a decision, whose reason stands in the student's feedback."""

import csv
import json

import pytest
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory

from autograder.gradebook import class_run
from autograder.gradebook.course import settings
from autograder.gradebook.term.regrade import run_list, run_one
from autograder.gradebook.term.regrades import Request
from tests.autograder.gradebook.term.conftest import result_of
from tests.tools.points import full_marks
from tests.tools.school import LESSON

HEAD = "student,lesson,exercise,request"
REASON = "The mask is the other way round, but the rest holds: <2 points>."


@pytest.fixture
def graded(grade, hand_in):
    for student in ("ada", "ben"):
        hand_in(student, data=b"{} half")
    grade()


def decide(course, *place, points="", reason=REASON):
    return run_one(course, Request(*place, points=points, reason=reason))


def in_book(book, student, exercise="softmax"):
    with book() as opened:
        grade = opened.find_grade(f"test_{exercise}", LESSON, LESSON, student)
        return grade.score, opened.find_comment(exercise, LESSON, LESSON, student).manual_comment


def lines(course):
    with open(course / "regrades.csv", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def feedback(course, student):
    config = settings(course)
    done = NbGraderAPI(CourseDirectory(config=config), config=config).generate_feedback(LESSON, student)
    assert done["success"], done
    return (course / "feedback" / student / LESSON / f"{LESSON}.html").read_text()


def test_points_and_reason_get_into_gradebook_table_file_and_feedback(course, graded, book, write, capsys):
    write("regrades.csv", HEAD, f'ada,{LESSON},softmax,"I think, it is right"', f"ben,{LESSON},,All of it")
    assert decide(course, "ada", LESSON, "softmax", points="2") == 0
    assert in_book(book, "ada") == (2.0, REASON)
    assert in_book(book, "ben") == (1.0, None)
    first, second = lines(course)
    assert (first["request"], first["points"], first["reason"]) == ("I think, it is right", "2", REASON)
    assert first["entered"]
    assert (second["request"], second["entered"]) == ("All of it", "")
    with open(course / "grades.csv") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {"ada": full_marks() / 2 + 1, "ben": full_marks() / 2}
    assert "the rest holds: &lt;2 points&gt;." in feedback(course, "ada")
    assert len(list((course / "gradebook_backups").iterdir())) == 1


def test_points_stay_when_it_is_graded_again(course, graded, book, grade):
    decide(course, "ada", LESSON, "softmax", points="2")
    grade(again=True)
    assert in_book(book, "ada") == (2.0, REASON)


def test_a_reason_alone_leaves_the_points_and_what_was_said_before(course, graded, book):
    with book() as opened:
        opened.find_comment("softmax", LESSON, LESSON, "ada").manual_comment = "Said before."
        opened.db.commit()
    decide(course, "ada", LESSON, "softmax", reason="It stays.")
    assert in_book(book, "ada") == (1.0, "Said before.\n\nIt stays.")


def page(course, student):
    cells = json.loads((course / "autograded" / student / LESSON / f"{LESSON}.ipynb").read_text())["cells"]
    return ["".join(cell["source"]) for cell in cells]


def test_a_decision_on_a_whole_lesson_stands_on_its_page_also_after_a_new_grading(course, graded, grade):
    before = page(course, "ada")
    decide(course, "ada", LESSON)
    assert [text for text in page(course, "ada") if text not in before] == [page(course, "ada")[1]]
    assert "the rest holds: &lt;2 points&gt;." in page(course, "ada")[1]
    assert "the rest holds: &lt;2 points&gt;." in feedback(course, "ada")
    grade(again=True)
    assert "the rest holds" in page(course, "ada")[1]
    decide(course, "ada", LESSON, reason="And a second time.")
    assert "the rest holds" in page(course, "ada")[1]
    assert "And a second time." in page(course, "ada")[1]
    assert len(page(course, "ada")) == len(before) + 1


def short_page(course, student):
    return (course / "feedback_pages" / student / f"{LESSON}.html").read_text()


def test_all_decisions_stand_at_the_head_of_the_short_page_also_after_a_new_grading(
    course, hand_in, grade, monkeypatch
):
    def with_page(submitted, seed, no_sandbox):
        found = result_of(submitted, seed)
        found.feedback_page = "<html><body><h1>01_masks</h1><p>All of it.</p></body></html>"
        return found

    monkeypatch.setattr(class_run, "grade_one", with_page)
    hand_in("ada", data=b"{} half")
    grade()
    assert short_page(course, "ada").count("Looked at again") == 0
    decide(course, "ada", LESSON, "softmax", points="2")
    decide(course, "ada", LESSON, reason="Of all.")
    for _ in range(2):
        head, _, rest = short_page(course, "ada").partition("<p>All of it.")
        assert "softmax, 2 points: The mask is the other way round" in head
        assert "&lt;2 points&gt;" in head
        assert "Of all." in head
        assert head.count("Looked at again") == 1
        assert rest
        grade(again=True)


def test_decisions_written_into_the_file_are_entered_with_yes(course, graded, book, write, capsys):
    write(
        "regrades.csv",
        f"{HEAD},points,reason",
        f"ada,{LESSON},softmax,please,2,Right after all.",
        f"ben,{LESSON},softmax,please,,",
    )
    assert run_list(course) == 0
    said = capsys.readouterr().out
    assert "1 open." in said
    assert "1 decided in the file and not in the gradebook yet" in said
    assert in_book(book, "ada")[0] == 1.0
    assert run_list(course, yes=True) == 0
    assert in_book(book, "ada") == (2.0, "Right after all.")
    assert in_book(book, "ben") == (1.0, None)
    assert [bool(line["entered"]) for line in lines(course)] == [True, False]
    run_list(course, yes=True)
    assert in_book(book, "ada") == (2.0, "Right after all."), "nothing is entered twice"


def test_all_of_a_group_get_the_decision(course, grade, hand_in, write, book):
    write("groups.csv", "group,student", "east,ada", "east,ben")
    hand_in("ada", data=b"{} half")
    grade()
    decide(course, "ben", LESSON, "softmax", points="1.5")
    decide(course, "ben", LESSON, reason="To the two of you.")
    assert in_book(book, "ada") == in_book(book, "ben") == (1.5, REASON)
    assert "To the two of you." in page(course, "ada")[1]
    grade(again=True)
    assert "To the two of you." in page(course, "ada")[1]


def test_a_late_penalty_follows(course, hand_in, grade, due, book):
    hand_in("ada", "2026-03-03 11:00:00 UTC", b"{} half")
    grade()
    decide(course, "ada", LESSON, "softmax", points="2")
    with book() as opened:
        found = opened.find_submission(LESSON, "ada")
        assert found.late_submission_penalty == found.score == full_marks() / 2 + 1


@pytest.mark.parametrize(
    ("place", "points", "reason", "says"),
    [
        (("zoe", LESSON, "softmax"), "1", "x", "zoe, 01_masks: the gradebook has no such submission"),
        (("ada", "99_no", "softmax"), "1", "x", "'99_no' is no lesson of this course"),
        (
            ("ada", LESSON, "sofmax"),
            "1",
            "x",
            "sofmax is no exercise of this submission of 01_masks: leave it",
        ),
        (("ada", LESSON, "softmax"), "2.5", "x", "softmax is worth 2 points, so it cannot get 2.5"),
        (("ada", LESSON, ""), "1", "x", "points are given without an exercise"),
        (("ada", LESSON, "softmax"), "1", " ", "A decision needs a reason"),
    ],
)
def test_what_cannot_be_entered_is_a_sentence_and_nothing_is(
    course, graded, book, capsys, place, points, reason, says
):
    assert decide(course, *place, points=points, reason=reason) == 1
    assert says in capsys.readouterr().err
    assert in_book(book, "ada") == (1.0, None)
    assert not (course / "regrades.csv").exists()
    assert not (course / "gradebook_backups").exists()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (f"ada,{LESSON},softmax,,many,x", "line 3: 'many' is no number of points"),
        (f"ada,{LESSON},softmax,,2,", "line 3: points are given without a reason"),
        (f"ada,{LESSON},sofmax,,,x", "sofmax is no exercise of this submission"),
        (f"ada,{LESSON},softmax,,9,x", "is worth 2 points, so it cannot get 9"),
    ],
)
def test_one_wrong_line_and_nothing_of_the_file_is_entered(course, graded, book, write, capsys, line, says):
    write("regrades.csv", f"{HEAD},points,reason", f"ben,{LESSON},softmax,,2,fine", line)
    assert run_list(course, yes=True) == 1
    assert says in capsys.readouterr().err
    assert in_book(book, "ben") == (1.0, None)


def test_the_file_stays_as_its_spreadsheet_wrote_it(course, graded):
    text = "Request;Student;Lesson;Exercise;Mail\r\nfür mich;ada;01_masks;softmax;a@b.org\r\n"
    (course / "regrades.csv").write_bytes(text.encode("utf-8-sig"))
    decide(course, "ada", LESSON, "softmax", reason="No; it stays.")
    data = (course / "regrades.csv").read_text(encoding="utf-8")
    assert data.startswith("\ufeffrequest;student;lesson;exercise;mail;points;reason;entered")
    assert 'für mich;ada;01_masks;softmax;a@b.org;;"No; it stays.";' in data
