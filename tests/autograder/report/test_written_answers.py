"""A page to grade written answers on, and a file of points that is entered completely or not at all."""

import json
import re
from datetime import datetime

import pytest

from autograder.gradebook import written_points
from autograder.gradebook.standing import scores_of
from autograder.gradebook.writer import Writer
from autograder.report.written.page import from_its_heading, questions, run
from tests.tools.school import WRITTEN, gradebook, graded, new_course, submit, submitted

ANSWER = "what_may_one_conclude"
TEXTS = {"<b>": "Nothing.", "ada": "Head 0 looks **back**.", "ben": "</p><script>window.pwned=1</script>"}


@pytest.fixture
def course(course):
    for student in ("<b>", "ada", "ben", "cho"):
        write(course, student, TEXTS.get(student))
    return course


def write(course, student, text, data=b"{}"):
    submit(course, student, WRITTEN, data)
    with Writer(course) as writer:
        texts = {ANSWER: text} if text else {}
        writer.write(submitted(course, student, WRITTEN), graded(WRITTEN, 1.0, texts))


def row(course, author, points=1.5, **changes):
    (question,) = questions(course)
    (answer,) = [answer for answer in question.answers if answer.student == author]
    about = {"lesson": WRITTEN, "grade_id": ANSWER, "student": author, "submission": answer.submission}
    return about | {"points": points, "comment": "Well said."} | changes


def enter(course, *rows):
    (course / "scores.json").write_text(json.dumps({"written_answers": rows}))
    return written_points.run(course, course / "scores.json", yes=True)


def entry(course, student):
    with gradebook(course) as book:
        grade = book.find_grade(ANSWER, WRITTEN, WRITTEN, student)
        comment = book.find_comment(ANSWER, WRITTEN, WRITTEN, student)
        waits = scores_of(book, WRITTEN)[student].needs_manual_grade
        return grade.manual_score, comment.manual_comment, waits


def test_the_page_shows_all_answers_with_question_and_rubric(course):
    (question,) = questions(course)
    assert {answer.student: answer.text for answer in question.answers} == TEXTS
    assert question.empty == 1
    assert question.rubric.startswith("*A good answer, for the grader.")
    assert "What may **not** be concluded" in question.text
    assert question.text.startswith("### In your own words"), "without the end of the section before"
    run(course)
    page = (course / "written_answers.html").read_text()
    assert "Head 0 looks <strong>back</strong>." in page
    assert "window.pwned" not in page
    assert page.count("<script") == 1
    assert "&lt;b&gt;" in page, "a student's id is no HTML"


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("", "Why?"),
        ("So much for that.\n\n", "## Why?\n\n### First\na\n\n### Second\nb"),
        ("### Before\na\n", "### Why?\nb"),
        ("", "### Why?\n```python\n# why\n```\n#1 and #2"),
    ],
)
def test_a_question_begins_at_its_heading(before, question):
    assert from_its_heading(before + question) == question


def test_points_and_comments_are_entered_and_shown_on_the_next_page(course, capsys):
    assert entry(course, "ada") == (None, None, True)
    assert enter(course, row(course, "ada")) == 0
    assert (
        "The gradebook, grades.csv and the pages in feedback_pages/ are up to date."
        in capsys.readouterr().out
    )
    assert len(list((course / "gradebook_backups").iterdir())) == 1
    assert re.search(rf"^{WRITTEN},ada,.*,graded,.*,1\.5$", (course / "grades.csv").read_text(), re.M)
    grades = [entry(course, student) for student in ("ada", "ben")]
    assert grades == [(1.5, "Well said.", False), (None, None, True)]
    (question,) = questions(course)
    assert [(a.points, a.comment) for a in question.answers] == [(None, ""), (1.5, "Well said."), (None, "")]


def test_an_answer_that_was_handed_in_again_gets_no_points(course, capsys):
    old = row(course, "ada")
    write(course, "ada", "Another answer.", b"{} ")
    assert enter(course, old, row(course, "ben", 1)) == 0
    assert f"ada, {WRITTEN}: handed in again" in capsys.readouterr().out
    assert (entry(course, "ada")[0], entry(course, "ben")[0]) == (None, 1.0)


def test_a_second_entry_shows_what_it_replaces(course, capsys):
    assert enter(course, row(course, "ada", 2)) == 0
    capsys.readouterr()
    assert enter(course, row(course, "ada", 1, comment="Why?"), row(course, "ben", 0)) == 0
    output = capsys.readouterr().out
    assert re.search(r"ada .* 2 -> 1 +Well said. -> Why\?", output)
    assert re.search(r"ben .* 0 +Well said.\s*$", output, re.M)


NO_POINTS = "not a number of points"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"points": 2.5}, f"{NO_POINTS} from 0 to 2"),
        *(({"points": points}, NO_POINTS) for points in (-1, float("nan"), True, "2")),
        ({"student": "zoe"}, "no such submission"),
        ({"lesson": "99"}, "is not a written answer of 99"),
        ({"grade_id": "test_head_entropy"}, "test_head_entropy is not a written answer"),
        ({"student": ["ada"]}, "holds no scores"),
    ],
)
def test_with_one_wrong_row_no_row_is_entered(course, capsys, changes, words):
    assert enter(course, row(course, "ada"), row(course, "ben", **changes)) == 1
    assert words in capsys.readouterr().err
    assert entry(course, "ada")[0] is None


def test_a_file_without_scores_is_refused(course, capsys):
    for text in ("", "[]", '{"written_answers": 3}', '{"written_answers": [{}]}'):
        (course / "scores.json").write_text(text)
        assert written_points.run(course, course / "scores.json", yes=True) == 1
        assert "holds no scores" in capsys.readouterr().err


def test_entering_points_applies_the_late_penalty(course):
    new_course(course, 'c.LateSubmissionPlugin.penalty_method = "zero"')
    with gradebook(course) as book:
        book.find_assignment(WRITTEN).duedate = datetime(2026, 3, 1, 12)
        book.find_submission(WRITTEN, "ada").timestamp = datetime(2026, 3, 1, 13)
        book.db.commit()
    assert enter(course, row(course, "ada", 2)) == 0
    with gradebook(course) as book:
        score = scores_of(book, WRITTEN)["ada"]
        assert (score.raw, score.final) == (score.max_score, 0.0)


def test_a_groups_answer_is_listed_once_and_all_members_get_its_points(course, hand_in, grade):
    (course / "groups.csv").write_text("group,student\neast,dan\neast,eve\n")
    hand_in("dan", lesson=WRITTEN)
    grade(students=["dan"])
    (question,) = questions(course)
    assert [answer.student for answer in question.answers] == ["<b>", "ada", "ben", "dan"]
    assert enter(course, row(course, "dan", 1.5)) == 0
    assert entry(course, "dan") == entry(course, "eve") == (1.5, "Well said.", False)
    assert entry(course, "ada")[0] is None


@pytest.mark.xdist_group("browser")
@pytest.mark.system
def test_points_given_in_a_browser_get_into_the_gradebook(chromium, course):
    run(course)
    window, messages = {"width": 800, "height": 900}, []
    page = chromium.new_page(offline=True, accept_downloads=True, viewport=window)
    page.on("console", lambda message: messages.append(message.text))
    page.goto((course / "written_answers.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#done").inner_text() == "0 of 3 have points"
    assert page.locator("#save").is_disabled()
    page.get_by_label("Points").nth(2).fill("3")
    assert page.locator("#save").is_disabled(), "more than there are"
    page.get_by_label("Points").nth(2).fill("1.5")
    page.get_by_label("Comment").nth(2).fill("A <b>limit</b> is missing.")
    assert page.locator("#done").inner_text() == "1 of 3 have points"
    with page.expect_download() as download:
        page.locator("#save").press("Enter")
    download.value.save_as(course / "scores.json")
    assert page.evaluate("window.pwned") is None
    assert messages == []
    page.close()
    assert written_points.run(course, course / "scores.json", yes=True) == 0
    assert entry(course, "ben") == (1.5, "A <b>limit</b> is missing.", False)
    assert entry(course, "ada")[0] is None
