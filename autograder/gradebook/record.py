"""Writes a GradedSubmission into nbgrader's gradebook; the caller commits."""

from typing import Any

from nbgrader.api import Comment, Grade, Student, SubmittedAssignment, SubmittedNotebook
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from nbgrader.utils import is_grade, is_solution

from autograder.grading.graded import scaled
from autograder.notes import DOUBT, texts_of

from .lessons import enter_cells, release_of

NO_RESPONSE = "No response."  # nbgrader's own comment


def record(gradebook, graded, submitted, late_plugin=None, files=None, same_file=False):
    """Write all that the gradebook holds about a submission, replacing an earlier grading, without a commit.

    What a person entered stays: scores, extra credit, comments. A cell waits for a person if the grader has
    no score for it, if a person scored it on another file, or if it is the first cell of a doubtful
    submission. same_file: this file was graded before, so what a person decided about it still holds.
    late_plugin: see late_plugin_of. files: the ClassFiles with the extensions.
    """
    db, cells = gradebook.db, release_of(graded, submitted.lesson).skeleton().cells
    enter_cells(db, gradebook.find_notebook(submitted.lesson, submitted.lesson), cells)
    submission, notebook = rows_of(gradebook, submitted.student, submitted.lesson)
    submission.timestamp = submitted.time
    if files is not None:
        files.extend(submission)
    in_doubt = bool(texts_of(graded.notes, DOUBT) or submitted.release_question)
    write_grades(db, notebook, [cell for cell in cells if is_grade(cell)], graded, same_file, in_doubt)
    write_comments(db, notebook, [cell for cell in cells if is_solution(cell)], graded)
    write_penalty(db, submission, notebook, late_plugin)
    db.flush()


def rows_of(gradebook, student, lesson):
    """Return the student's SubmittedAssignment and SubmittedNotebook of a lesson, created if missing."""
    db, of_lesson = gradebook.db, gradebook.find_notebook(lesson, lesson)
    db.merge(Student(id=student))
    of_student = {"assignment_id": of_lesson.assignment_id, "student_id": student}
    submission = row_of(db, SubmittedAssignment, of_student)
    return submission, row_of(
        db, SubmittedNotebook, {"notebook_id": of_lesson.id, "assignment_id": submission.id}
    )


def row_of(db, table, values):
    """The table's row with these values, created if missing."""
    row = db.query(table).filter_by(**values).first() or table(**values)
    db.add(row)
    db.flush()
    return row


def write_grades(db, notebook, cells, graded, same_file, in_doubt):
    """Write a Grade for each graded cell of the release; delete the others, unless a person scored them."""
    grades = {grade.cell_id: grade for grade in notebook.grades}
    cells_by_name = {cell.name: cell for cell in notebook.notebook.grade_cells}
    for cell in cells:
        cell_id = cells_by_name[cell.metadata.nbgrader.grade_id].id
        worth = cells_by_name[cell.metadata.nbgrader.grade_id].max_score
        grade = row_of_cell(grades, Grade, cell_id, notebook)
        score = automatic_score(cell, graded)
        grade.auto_score = scaled(score, float(cell.metadata.nbgrader.points), worth)
        decided = same_file and grade.manual_score is not None and not grade.needs_manual_grade
        open_question = grade.manual_score is not None or grade.auto_score is None
        open_question |= in_doubt and cell is cells[0]
        grade.needs_manual_grade = open_question and not decided
        db.add(grade)
    for grade in grades.values():
        grade.auto_score, grade.needs_manual_grade = None, True
        if grade.manual_score is None and grade.extra_credit is None:
            db.delete(grade)


def row_of_cell(rows, table, cell_id, notebook) -> Any:
    """Take a cell's row out of {cell id: row}, or make a new one. Any: nbgrader declares a row's values as
    Columns."""
    return rows.pop(cell_id, None) or table(cell_id=cell_id, notebook_id=notebook.id)


def automatic_score(cell, graded):
    """The grader's points for the cell; None where a person has to grade."""
    if is_solution(cell):
        return 0.0 if graded.status != "rejected" and is_untouched(cell, graded) else None
    exercise = graded.exercises.get(exercise_of(cell))
    if exercise is None or exercise.max_points != float(cell.metadata.nbgrader.points):
        return None
    return exercise.points


def exercise_of(cell):
    """The name of the exercise that a test cell tests."""
    return cell.metadata.nbgrader.grade_id.removeprefix("test_")


def is_untouched(cell, graded):
    """Is the cell's text still that of the release?"""
    text = graded.texts.get(cell.metadata.nbgrader.grade_id)
    return text is None or text.strip() == cell.source.strip()


def write_comments(db, notebook, cells, graded):
    """Write a Comment for each cell that the student writes in; a person's comment on it stays."""
    comments = {comment.cell_id: comment for comment in notebook.comments}
    ids = {cell.name: cell.id for cell in notebook.notebook.solution_cells}
    for cell in cells:
        cell_id = ids[cell.metadata.nbgrader.grade_id]
        comment = row_of_cell(comments, Comment, cell_id, notebook)
        is_empty = graded.status != "rejected" and is_untouched(cell, graded)
        comment.auto_comment = NO_RESPONSE if is_empty else None
        db.add(comment)


def write_penalty(db, submission, notebook, late_plugin):
    """Store the late penalty that the course's plugin computes, at most the whole score."""
    notebook.late_submission_penalty = None
    seconds = submission.total_seconds_late if submission.assignment.duedate else 0
    if not seconds or late_plugin is None:
        return
    db.flush()
    db.expire(notebook)  # notebook.score is a sum that the database computes
    penalty = late_plugin.late_submission_penalty(submission.student_id, notebook.score, seconds)
    if penalty is not None:
        notebook.late_submission_penalty = min(max(penalty, 0), notebook.score)


def takes_points_off(late_plugin):
    """May the plugin take points off late work? Only nbgrader's own, as it is set by default, never does."""
    return type(late_plugin) is not LateSubmissionPlugin or late_plugin.penalty_method != "none"


def late_plugin_of(config):
    """The plugin for late submissions that the course's nbgrader settings name."""
    step = AssignLatePenalties(config=config)
    step.init_plugin()
    return step.plugin_inst
