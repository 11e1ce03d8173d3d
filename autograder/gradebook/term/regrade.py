"""`python -m autograder regrade` and `regrades`: a decision and its reason get to the student."""

import sys
from datetime import UTC, datetime
from pathlib import Path

from nbgrader.api import MissingEntry

from autograder.gradebook.database import Refused
from autograder.gradebook.feedback_pages import page_path
from autograder.gradebook.record import write_penalty
from autograder.gradebook.scores import scores_of
from autograder.report.printing import print_table

from .backup import back_up
from .change import DONE, KEPT, opened, renew_table
from .decisions import put_on_page, put_on_short_page
from .regrades import FILE, check, read_requests, write_requests
from .tables import Wrong
from .term import read_term
from .times import said

LIST = "student", "lesson", "exercise", "request", "state", "points", "reason"
ENTERED = "student", "lesson", "exercise", "score", "new score"
NO_REQUESTS = "There are no requests: {} lists them, with the columns student, lesson, exercise and request."
OPEN = "{} open. To decide: .venv/bin/python -m autograder regrade STUDENT LESSON [EXERCISE] --reason TEXT"
TO_ENTER = "{} decided in the file and not in the gradebook yet: run it again with --yes."
UNKNOWN = "{}, {}: the gradebook has no such submission. Nothing was entered."
NO_EXERCISE = (
    "{} is no exercise of this submission of {}: leave it out, or give one of {}. Nothing was entered."
)
TOO_MANY = "{}, {}: {} is worth {:g} points, so it cannot get {}. Nothing was entered."


def run_list(root, yes=False):
    """Show all requests; with `yes`, enter what was decided in the file. The exit code."""
    return in_sentences(lambda: show_requests(Path(root).resolve(), yes))


def run_one(root, request):
    """Decide on one request, which need not be in the file yet. The exit code."""
    return in_sentences(lambda: decide(Path(root).resolve(), request))


def in_sentences(action):
    try:
        action()
    except (Refused, Wrong) as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


def show_requests(root, yes):
    requests = read_requests(root)
    if not requests:
        print(NO_REQUESTS.format(FILE))
        return
    print_table(LIST, [(*r.place, r.request, r.state(), r.points, r.reason) for r in requests])
    waiting = [request for request in requests if request.state() == "open"]
    decided = [request for request in requests if request.state() == "decided"]
    if waiting:
        print(f"\n{OPEN.format(len(waiting))}")
    if decided and not yes:
        print(f"\n{TO_ENTER.format(len(decided))}")
    if decided and yes:
        settle(root, requests, decided)


def decide(root, decision):
    if not decision.reason.strip():
        raise Wrong("A decision needs a reason, which the student reads.")
    check(decision)
    requests = read_requests(root)
    of_it = [one for one in requests if one.place == decision.place and one.state() != "entered"]
    if not of_it:
        requests.append(decision)
    for one in of_it:
        one.points, one.reason = decision.points, decision.reason
    settle(root, requests, of_it or [decision])


def settle(root, requests, decided):
    """Enter them into the gradebook in one commit, after a backup, then into the file and the pages."""
    with opened(root) as writer:
        enter_all(writer, decided)  # Refused here leaves no backup behind
        writer.gradebook.db.rollback()
        kept = back_up(writer.coursedir, "regrade")
        rows = enter_all(writer, decided)
        writer.gradebook.db.commit()
        for request in decided:
            request.entered = said(datetime.now(UTC))
        write_requests(root, requests)
        renew_pages(writer, decided)
        renew_table(writer)
    print_table(ENTERED, rows)
    if kept:
        print(f"\n{KEPT.format(kept.relative_to(writer.root))}")
    print(DONE)


def enter_all(writer, decided):
    """Without a commit -> rows of what became of the scores."""
    lessons = {request.lesson for request in decided}
    before = {lesson: scores_of(writer.gradebook, lesson) for lesson in lessons}
    places = [(request, member) for request in decided for member in members(writer, request)]
    for request, member in places:
        enter(writer, request, member)
    writer.gradebook.db.flush()
    after = {lesson: scores_of(writer.gradebook, lesson) for lesson in lessons}
    return [
        (
            member,
            r.lesson,
            r.exercise,
            f"{before[r.lesson][member].final:g}",
            f"{after[r.lesson][member].final:g}",
        )
        for r, member in places
    ]


def members(writer, request):
    """The student, with all of a group, who have the same grade."""
    if (request.student, request.lesson) not in writer.recorded:
        raise Refused(UNKNOWN.format(request.student, request.lesson))
    group = writer.term.groups.of(request.student, request.lesson)
    return [member for member in group if (member, request.lesson) in writer.recorded]


def enter(writer, request, student):
    """Points as formgrader enters them; the reason below what was said there before."""
    book, lesson = writer.gradebook, request.lesson
    notebook = book.find_submission_notebook(lesson, lesson, student)
    if request.exercise:
        grade = grade_of(notebook, request)
        if request.points:
            if float(request.points) > grade.max_score:
                raise Refused(
                    TOO_MANY.format(student, lesson, request.exercise, grade.max_score, request.points)
                )
            grade.manual_score, grade.needs_manual_grade = float(request.points), False
        comment_on(book, request, student)
    book.db.flush()
    write_penalty(book.db, notebook.assignment, notebook, writer.late_plugin)


def grade_of(notebook, request):
    grades = {grade.name.removeprefix("test_"): grade for grade in notebook.grades}
    if request.exercise not in grades:
        raise Refused(NO_EXERCISE.format(request.exercise, request.lesson, ", ".join(grades)))
    return grades[request.exercise]


def comment_on(book, request, student):
    """Write the reason as a comment on the student's cell. An instructor's test without such a cell has none:
    its reason stands at the top of the page."""
    try:
        comment = book.find_comment(request.exercise, request.lesson, request.lesson, student)
    except MissingEntry:
        return
    there = comment.manual_comment or ""
    if request.reason not in there:
        comment.manual_comment = f"{there}\n\n{request.reason}".strip()


def renew_pages(writer, decided):
    """Put the decisions on the pages of the student, and of each member of the group."""
    term = read_term(writer.root)
    for student, lesson in {(member, r.lesson) for r in decided for member in members(writer, r)}:
        folder = writer.folder(writer.coursedir.autograded_directory, student, lesson)
        if term.decided(student, lesson):
            put_on_page(folder / f"{lesson}.ipynb", term.decided(student, lesson))
        put_on_short_page(page_path(writer.root, student, lesson), term.decided(student, lesson, cells=True))
