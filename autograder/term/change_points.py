"""`python -m autograder change-points LESSON`: new points of a lesson for a gradebook with grades."""

from collections import Counter
from functools import partial

from nbgrader.api import Grade, MissingEntry, SubmittedNotebook

from autograder.gradebook.class_run import NO_LESSON
from autograder.gradebook.lessons import points_of
from autograder.gradebook.record import rescaled, write_penalty
from autograder.gradebook.standing import scores_of
from autograder.refused import Refused
from autograder.releases import store

from . import change

COLUMNS = "student", "made from release", "score", "new score"
PARTS = "exercise", "points in the gradebook", "points in the notebook", "students with a grade"
RELEASES = "Of the students affected, graded by the release {}: {}."
NO_RELEASE = "Of the students affected, rejected, with no known release: {}."
UNKNOWN = "unknown"
RULE = (
    "The gradebook has one maximum per exercise, so the points that students have are rescaled, including "
    "those set by hand: half of 2 becomes half of 4. Submissions from an earlier release that are graded "
    "later are rescaled in the same way."
)
FROM_NOTHING = "What was worth 0 points cannot be rescaled: these grades wait for a person."


def run(root, lesson, yes=False):
    return change.run(root, f"points-of-{lesson}", partial(change_points, lesson=lesson), yes)


def change_points(writer, lesson):
    """Enter the lesson's current points and rescale all grades in them, without a commit -> Changes."""
    if lesson not in store.lessons():
        raise Refused(NO_LESSON.format(lesson))
    if store.refusal(lesson):
        raise Refused(store.refusal(lesson))
    book, before = writer.gradebook, scores_of(writer.gradebook, lesson)
    parts, notebooks = [], set()
    for cell, worth in changed_cells(book, lesson).items():
        grades = book.db.query(Grade).filter(Grade.cell_id == cell.id).all()
        notebooks |= {grade.notebook_id for grade in grades}
        parts.append((cell.name.removeprefix("test_"), f"{cell.max_score:g}", f"{worth:g}", str(len(grades))))
        for grade in grades:
            rescale(grade, cell.max_score, worth)
        cell.max_score = worth
    students = with_new_penalties(writer, notebooks)
    after = scores_of(book, lesson)
    rows = [
        (student, writer.memory(student, lesson).get("release") or UNKNOWN, *shown(before, after, student))
        for student in students
    ]
    return change.Changes(COLUMNS, rows, list(sentences(rows, parts)), PARTS, parts, needed=bool(parts))


def changed_cells(book, lesson):
    """{nbgrader's cell: points in the current release} where the gradebook has others."""
    try:
        there = book.find_notebook(lesson, lesson).grade_cells
    except MissingEntry:
        return {}
    now = points_of(store.current(lesson))
    return {cell: now[cell.name] for cell in there if now.get(cell.name, cell.max_score) != cell.max_score}


def rescale(grade, points, worth):
    """A grade that cannot be rescaled waits for a person, and keeps what a person gave."""
    grade.auto_score = rescaled(grade.auto_score, points, worth)
    if points:
        grade.manual_score = rescaled(grade.manual_score, points, worth)
    else:
        grade.needs_manual_grade = True


def with_new_penalties(writer, notebook_ids):
    """The students of these submissions, in order; a penalty may depend on the score."""
    db = writer.gradebook.db
    db.flush()
    notebooks = [db.get(SubmittedNotebook, notebook_id) for notebook_id in notebook_ids]
    for notebook in notebooks:
        write_penalty(db, notebook.assignment, notebook, writer.late_plugin)
    db.flush()
    return sorted(notebook.assignment.student_id for notebook in notebooks)


def shown(before, after, student):
    return [f"{round(s[student].final, 2):g} of {s[student].max_score:g}" for s in (before, after)]


def sentences(rows, parts):
    for release, count in Counter(release for _, release, *_ in rows).most_common():
        yield NO_RELEASE.format(count) if release == UNKNOWN else RELEASES.format(release, count)
    if parts:
        yield RULE
    if any(old == "0" for _, old, *_ in parts):
        yield FROM_NOTHING
