"""export writes scores into the files that Canvas and Moodle gave, and leaves all other bytes alone."""

import csv
import io
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest
from nbgrader.api import Gradebook

from autograder import exchange
from autograder.exchange import export
from autograder.exchange.lms import claim_of
from autograder.exchange.people import People, Person
from autograder.exchange.roster import read_roster
from autograder.gradebook import class_run
from autograder.gradebook.class_run import grade_class
from autograder.gradebook.standing import enter_students
from autograder.gradebook.submitted import SOURCE
from autograder.grading.graded import GradedSubmission
from autograder.refused import Refused
from autograder.tables import number
from tests.autograder.exchange import slate as made_up_lms
from tests.autograder.exchange.made_up import CLASS, LESSON, MOODLE, canvas_gradebook, table, worksheet
from tests.tools.points import full_marks
from tests.tools.school import WRITTEN, copy_of, graded, new_course, solved, submit

SHARES = {"al1": 1, "pob": 1 / 3, "jm7": 0.5, "ams": 0, "js1": 0.25, "js2": 0.75, "wxm": 1}
BAD = "jgm"  # this student's notebook cannot be read; students not listed handed in nothing


def pretend_to_grade(submitted, seed, no_sandbox):
    """A fake grader."""
    if submitted.student == BAD:
        return GradedSubmission.rejected("It cannot be read.", 1)
    return graded(submitted.lesson, SHARES[submitted.student], {"what_may_one_conclude": "This."})


@pytest.fixture(scope="session")
def graded_course(nobody, tmp_path_factory):
    """The made-up class, graded; four students handed in nothing, and one an unreadable file."""
    course = copy_of(nobody, tmp_path_factory.mktemp("graded") / "course")
    roster = course.parent / "roster.csv"
    roster.write_bytes(canvas_gradebook())
    people = read_roster(roster)
    for person in people:
        person.mail = f"{person.id}@uni.edu"
    with Gradebook(f"sqlite:///{course}/gradebook.db", "attention") as book:
        enter_students(book, {person.id: person.about for person in people})
    for student in (*SHARES, BAD):
        submit(course, student)
    submit(course, "al1", WRITTEN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_run, "grade_one", pretend_to_grade)
        grade_class(course, ThreadPoolExecutor(1))
    return course


@pytest.fixture
def course(graded_course, tmp_path):
    return copy_of(graded_course, tmp_path / "course")


def run(course, system, data=None, name="template.csv", lesson=LESSON, column=None, **choices):
    """The bytes of the exported file."""
    template = course.parent / name
    if data is not None:
        template.write_bytes(data)
    export.run(course, system, data and template, lesson, column, **choices)
    return system == "csv" or (course / "export" / name).read_bytes()


def refusal(course, *arguments, **keywords):
    """The sentence that explains the refusal; nothing was written."""
    with pytest.raises(Refused) as reason:
        run(course, *arguments, **keywords)
    assert not (course / "export").exists()
    return str(reason.value)


def rows_of(course):
    """{(lesson, student): row} of a newly written grades.csv."""
    run(course, "csv")
    with open(course / "grades.csv", newline="", encoding="utf-8") as file:
        return {(row["assignment"], row["student_id"]): row for row in csv.DictReader(file)}


def pages_of(course):
    """{name: text} of the pages in the feedback zip."""
    with zipfile.ZipFile(course / "export" / f"feedback_{LESSON}.zip") as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def expected_cells(most=None):
    """{login: the text to be entered}"""
    return {login: number((most or full_marks()) * share) for login, share in SHARES.items()}


EXPECTED = expected_cells()
COMMAS = {login: text.replace(".", ",") for login, text in EXPECTED.items()}
GERMAN = ["ID", "Vollständiger Name", "E-Mail-Adresse", "Status", "Bewertung", "Bestwertung", *MOODLE[6:]]
FINNISH = ["Tunniste", "Koko nimi", "Posti", "Tila", "Arvosana", "Paras", *MOODLE[6:]]


def test_canvas_gets_its_column_filled_and_no_other_byte_changes(course, capsys):
    assert run(course, "canvas", canvas_gradebook()) == canvas_gradebook(cells=EXPECTED)
    output = capsys.readouterr().out
    assert f"01_masks -> 01_masks (5501)\n  Entered: {len(SHARES)} (al1, " in output
    assert "Nothing handed in: 4 (at, mjc, ntm, soe)" in output
    assert "Waiting for a person, left as they are: 1 (jgm)" in output
    second = run(course, "canvas", canvas_gradebook(cells=EXPECTED), "again.csv")
    assert second == canvas_gradebook(cells=EXPECTED)
    output = capsys.readouterr().out
    assert f"Unchanged: {len(SHARES)} (" in output
    assert "Entered" not in output


@pytest.mark.parametrize(
    ("form", "cells"),
    [
        ({}, EXPECTED),
        ({"separator": ";", "end": "\n"}, EXPECTED),
        ({"encoding": "utf-8-sig", "most": "15,00"}, COMMAS),
        ({"encoding": "utf-16"}, EXPECTED),
        ({"heading": GERMAN, "most": "15,00", "separator": ";"}, COMMAS),
        # names decide, and two students have the same name
        ({"mails": False}, EXPECTED | {"js1": "", "js2": ""}),
    ],
)
def test_moodle_gets_its_worksheet_filled_and_no_other_byte_changes(course, form, cells):
    assert run(course, "moodle", worksheet(**form)) == worksheet(cells, **form)


def test_an_unrecognised_column_has_to_be_chosen_with_column(course):
    heading = "101_masks (5501)"  # not the lesson 01_masks
    finnish, canvas = worksheet(heading=FINNISH), canvas_gradebook(column=heading)
    assert "name a column with --lesson and --column" in refusal(course, "moodle", finnish)
    assert f'--column, one of "Essay (5500)", "{heading}"' in refusal(course, "canvas", canvas)
    message = refusal(course, "canvas", canvas, lesson=None, column=heading)
    assert message.startswith("Say which lesson the column is for")
    data = run(course, "moodle", finnish, column="Arvosana", scale=False)
    assert data == worksheet(EXPECTED, heading=FINNISH)
    data = run(course, "canvas", canvas, column=heading)
    assert data == canvas_gradebook(column=heading, cells=EXPECTED)


def test_canvas_special_marks_stay_and_changed_scores_are_listed(course, capsys):
    fixed_cells = {"pob": "EX", "jm7": "N/A", "at": "7"}
    heading = "Homework: 01 Masks (5501)"
    template = canvas_gradebook(heading, cells={"al1": "3.00"} | fixed_cells)
    assert run(course, "canvas", template) == canvas_gradebook(heading, cells=EXPECTED | fixed_cells)
    output = capsys.readouterr().out
    assert f"Changed: 1 (al1: 3.00 became {EXPECTED['al1']})" in output
    assert "Excused or not assigned, left as they are: 2 (jm7, pob)" in output


def test_scores_are_scaled_to_other_maximum_points_only_with_scale(course):
    template = canvas_gradebook(points="100.00")
    wanted = "01_masks gives 15 points, the column 100: convert them with --scale"
    assert refusal(course, "canvas", template).startswith(wanted)
    ten = canvas_gradebook(points="10")
    assert "more than the 10 of the LMS's column" in refusal(course, "canvas", ten, scale=False)
    data = run(course, "canvas", template, scale=True)
    assert data == canvas_gradebook(points="100.00", cells=expected_cells(100))
    data = run(course, "canvas", template, scale=False)
    assert data == canvas_gradebook(points="100.00", cells=EXPECTED)


def test_a_lesson_with_ungraded_written_answers_is_exported_only_with_unfinished(course, capsys):
    template = canvas_gradebook(column=f"{WRITTEN} (9)", points="")
    assert run(course, "canvas", template, lesson=WRITTEN) == template
    assert "Waiting for a person, left as they are: 1 (al1)" in capsys.readouterr().out
    data = run(course, "canvas", template, lesson=WRITTEN, unfinished=True)
    assert data != template


def test_students_without_an_exported_score_are_listed_with_the_reason(course, capsys):
    submit(course, "soe")
    data = canvas_gradebook().replace(b"Turing", b"Touring").replace(b",112,S112,at,", b",777,S777,tt,")
    data = data.replace(b'"O\'Brien, Pat",102,S102,pob', b'"Nobody, N",778,S778,nn')
    ada = next(line for line in data.splitlines(True) if b"Lovelace" in line)
    assert run(course, "canvas", data + ada).count(ada) == 2, "two rows that look like one student"
    output = capsys.readouterr().out
    four = "Ada Lovelace, Ada Lovelace, Alan Touring, N Nobody"
    assert f"In the file, but not in the gradebook: 4 ({four})" in output
    assert "In the gradebook, but not in the file: 2 (al1, pob)" in output
    assert "Not graded yet, left as they are: run `grade`, and export again: 1 (soe)" in output
    assert "Nothing handed in: 2 (mjc, ntm)" in output
    rows = rows_of(course)
    assert [rows[LESSON, student]["status"] for student in ("soe", "at")] == ["not graded", "not handed in"]


def test_feedback_pages_get_the_folder_names_that_moodle_expects(course):
    """Moodle reads the number between the first two underscores."""
    run(course, "moodle", worksheet())
    pages = pages_of(course)
    assert "· al1<" in pages["Ada Lovelace_9000_assignsubmission_file_/01_masks.html"]
    assert "· pob<" in pages["Pat O'Brien_9001_assignsubmission_file_/01_masks.html"]
    assert len(pages) == len([*SHARES, BAD])
    person = Person("", last="../A_B/=C_7_x", participant="12")
    name = exchange.system("moodle").feedback_name(person, LESSON, "")
    assert name == f".. A B =C 7 x_12_assignsubmission_file_/{LESSON}.html", "no name leads astray"


@pytest.mark.parametrize("lms", ["canvas", "moodle"])
def test_what_a_person_entered_is_on_the_page_with_the_number_that_is_exported(course, lms):
    with Gradebook(f"sqlite:///{course}/gradebook.db", "attention") as book:
        place = "softmax", LESSON, LESSON, "jm7"
        grade, comment = book.find_grade(f"test_{place[0]}", *place[1:]), book.find_comment(*place)
        grade.manual_score, comment.manual_comment = 1.755, "Well <b>done</b>."
        grade.notebook.late_submission_penalty = 0.25
        book.db.commit()
    (course / "submitted" / "jm7" / LESSON / SOURCE).write_text("murphyjames_103_7002_x.ipynb")
    exported = run(course, lms, canvas_gradebook() if lms == "canvas" else worksheet()).decode()
    score = number(round(0.5 * full_marks() - 1 + 1.755 - 0.25, 6))
    assert f",{score}," in next(line for line in exported.splitlines() if "jm7" in line)
    (page,) = (page for page in pages_of(course).values() if "· jm7<" in page)
    assert f"<b>{score}</b> of {number(full_marks())} points" in page
    assert "0.25 taken off for a late hand-in" in page
    assert "1.76 of 2</span>" in page
    assert "A person set these points; the grader gave 1 of 2." in page
    assert "Comment: Well &lt;b&gt;done&lt;/b&gt;." in page


def test_feedback_pages_get_the_file_names_that_canvas_expects(course, capsys):
    """Canvas reads the first two numbers between underscores: the student's and the file's."""
    paths = {
        "al1": "lovelaceada_101_7000_my_work-2.ipynb",
        "pob": "a.zip/obrienpat_LATE_102_7001_x.ipynb",
        "ams": "ams/01_masks.ipynb",
    }
    for student, path in paths.items():
        (course / "submitted" / student / LESSON / SOURCE).write_text(path)
    run(course, "canvas", canvas_gradebook())
    pages = pages_of(course)
    assert {*pages} == {f"lovelaceada_101_7000_{LESSON}.html", f"obrienpat_102_7001_{LESSON}.html"}
    assert "· al1<" in pages[f"lovelaceada_101_7000_{LESSON}.html"]
    others = sorted([*SHARES, BAD][1:], key=[login for _, _, login, _ in CLASS].index)
    others.remove("pob")
    assert f"without a page there: {', '.join(others)} (" in capsys.readouterr().out


def test_the_page_of_a_file_that_was_replaced_since_is_not_uploaded(course):
    submit(course, "al1", data=solved(LESSON))
    run(course, "moodle", worksheet())
    pages = pages_of(course)
    assert len(pages) == len([*SHARES, BAD]) - 1
    assert not any("· al1<" in page for page in pages.values())


def test_grades_csv_has_all_students_and_no_name_acts_as_a_formula(course):
    with Gradebook(f"sqlite:///{course}/gradebook.db", "attention") as book:
        book.update_or_create_student("pob", first_name="=1+1", last_name="@SUM(A1)", email="-1")
    rows = rows_of(course)
    ada, alan, pat = (rows[LESSON, student] for student in ("al1", "at", "pob"))
    assert (ada["email"], ada["lms_user_id"], ada["seed"]) == ("al1@uni.edu", "101", "1")
    assert (ada["score"], ada["late_submission_penalty"]) == (f"{full_marks()}", "0.0")
    about = alan["last_name"], alan["email"], alan["status"], alan["score"]
    assert about == ("Turing", "at@uni.edu", "not handed in", "")
    assert [pat[name] for name in ("first_name", "last_name", "email")] == ["'=1+1", "'@SUM(A1)", "'-1"]


@pytest.mark.parametrize(
    ("system", "data", "lesson", "message"),
    [
        ("canvas", None, LESSON, "Give an export of Canvas' gradebook with --template"),
        ("canvas", b"a,b\n1,2\n", LESSON, "Give an export of Canvas' gradebook with --template"),
        ("moodle", canvas_gradebook(), LESSON, "Give a grading worksheet from Moodle with --template"),
        *(
            (system, data, None, "--lesson and one that was handed in: 01_masks, 05_visualization")
            for system, data in (("moodle", worksheet()), ("canvas", canvas_gradebook()))
        ),
        ("canvas", canvas_gradebook(), "07_today", "--lesson and one that was handed in: 01_masks"),
    ],
)
def test_an_export_that_cannot_be_filled_is_refused_in_a_sentence(course, system, data, lesson, message):
    assert message in refusal(course, system, data, lesson=lesson)


@pytest.fixture
def slate(monkeypatch):
    """A made-up LMS, added as docs/design.md describes: one file and one line."""
    monkeypatch.setitem(sys.modules, "autograder.exchange.slate", made_up_lms)
    monkeypatch.setattr(exchange, "SYSTEMS", {"slate": "slate", **exchange.SYSTEMS})


def slate_rows(heading):
    students = [[number, first, last, ""] for last, first, _, number in CLASS]
    return [["Slate no", "first name", "last name", heading], *students, ["Everybody", "", "", ""]]


@pytest.mark.usefixtures("slate")
def test_another_lms_can_be_added_with_one_file_and_one_line(course):
    names = slate_rows("Mark")
    roster = course.parent / "slate.csv"
    roster.write_bytes(table(names))
    people = read_roster(roster)
    assert len(people) == len(CLASS)
    assert People(people).find(claim_of("slate-101-Somebody.ipynb"))[0].name == "Ada Lovelace"
    names[-2][-1] = "ill"
    data = run(course, "slate", table(names))
    rows = list(csv.reader(io.StringIO(data.decode())))
    marks = {login: row[-1] for (_, _, login, _), row in zip(CLASS, rows[1:-1], strict=True)}
    assert marks == dict.fromkeys(marks, "") | EXPECTED | {CLASS[-1][2]: "ill"}
    assert "slate-101.html" in pages_of(course)


@pytest.mark.usefixtures("slate")
def test_another_lms_may_give_the_maximum_in_its_heading_and_take_no_feedback(course, monkeypatch, capsys):
    assert "the column 30: convert them with --scale" in refusal(
        course, "slate", table(slate_rows("Mark of 30"))
    )
    without = refusal(course, "slate", table(slate_rows("Mark")), scale=True)
    assert without.endswith("does not give its column's maximum: leave out --scale.")
    monkeypatch.delattr(made_up_lms.System, "feedback_name")
    data = run(course, "slate", table(slate_rows("Mark of 30")), scale=True)
    marks = [row[-1] for row in csv.reader(io.StringIO(data.decode())) if row[-1] not in ("", "Mark of 30")]
    assert sorted(marks) == sorted(text for text in expected_cells(most=30).values() if text)
    assert "feedback     no pages of 01_masks to upload: " in capsys.readouterr().out


def test_the_template_is_never_overwritten_and_a_gradebook_is_required(course, tmp_path):
    template = course / "export" / "template.csv"
    template.parent.mkdir()
    template.write_bytes(canvas_gradebook())
    with pytest.raises(Refused, match="would be written over itself"):
        export.run(course, "canvas", template, LESSON)
    assert template.read_bytes() == canvas_gradebook()
    with pytest.raises(Refused, match="There is no gradebook"):
        export.run(new_course(tmp_path / "empty"), "csv")


@pytest.mark.parametrize(
    ("score", "text"), [(7.125, "7.13"), (2.675, "2.68"), (10, "10"), (100, "100"), (1 / 3, "0.33")]
)
def test_scores_are_rounded_half_up_to_two_decimals(score, text):
    assert number(score) == text
