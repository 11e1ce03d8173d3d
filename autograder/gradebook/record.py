"""GradedSubmission -> the rows that nbgrader keeps of a submission, written in one commit."""

from nbgrader.api import Comment, Grade, Student, SubmittedAssignment, SubmittedNotebook
from nbgrader.preprocessors import AssignLatePenalties
from nbgrader.utils import is_grade, is_solution

from autograder.grading.graded import DECIMALS

from .lessons import enter_cells, release_of

NO_RESPONSE = "No response."  # nbgrader's own comment


def record(gradebook, graded, submitted, late_plugin=None, files=None, same_file=False):
    """Write all that the gradebook holds of one submission, over an earlier grading, and commit once.

    What a person gave stays: scores, extra credit, comments. A cell without a score of the grader's needs a
    person; so does one with a person's score on another file, and the first one of a doubtful submission.
    same_file: it was graded before, so that what a person decided then holds. late_plugin: see
    late_plugin_of. files: ClassFiles, whose extensions count.
    """
    db, cells = gradebook.db, release_of(graded, submitted.lesson).skeleton().cells
    enter_cells(db, gradebook.find_notebook(submitted.lesson, submitted.lesson), cells)
    submission, notebook = rows_of(gradebook, submitted.student, submitted.lesson)
    submission.timestamp = submitted.time
    if files is not None:
        files.extend(submission)
    write_grades(db, notebook, [cell for cell in cells if is_grade(cell)], graded, same_file)
    write_comments(db, notebook, [cell for cell in cells if is_solution(cell)], graded)
    write_penalty(db, submission, notebook, late_plugin)
    db.commit()


def rows_of(gradebook, student, lesson):
    """The student's SubmittedAssignment and SubmittedNotebook of a lesson, made where they are missing."""
    db, of_lesson = gradebook.db, gradebook.find_notebook(lesson, lesson)
    db.merge(Student(id=student))
    places = {"assignment_id": of_lesson.assignment_id, "student_id": student}
    submission = db.query(SubmittedAssignment).filter_by(**places).first() or SubmittedAssignment(**places)
    db.add(submission)
    db.flush()
    places = {"notebook_id": of_lesson.id, "assignment_id": submission.id}
    notebook = db.query(SubmittedNotebook).filter_by(**places).first() or SubmittedNotebook(**places)
    db.add(notebook)
    db.flush()
    return submission, notebook


def write_grades(db, notebook, cells, graded, same_file):
    """A Grade for each graded cell of the release; others go, unless a person wrote in them."""
    grades = {grade.cell_id: grade for grade in notebook.grades}
    cells_by_name = {cell.name: cell for cell in notebook.notebook.grade_cells}
    for cell in cells:
        cell_id = cells_by_name[cell.metadata.nbgrader.grade_id].id
        worth = cells_by_name[cell.metadata.nbgrader.grade_id].max_score
        grade = grades.pop(cell_id, None) or Grade(cell_id=cell_id, notebook_id=notebook.id)
        score = automatic_score(cell, graded)
        grade.auto_score = rescaled(score, float(cell.metadata.nbgrader.points), worth)
        decided = same_file and grade.manual_score is not None and not grade.needs_manual_grade
        open_question = grade.manual_score is not None or grade.auto_score is None
        open_question |= bool(graded.doubts) and cell is cells[0]
        grade.needs_manual_grade = open_question and not decided
        db.add(grade)
    for grade in grades.values():
        grade.auto_score, grade.needs_manual_grade = None, True
        if grade.manual_score is None and grade.extra_credit is None:
            db.delete(grade)


def rescaled(score, points, worth):
    """A score out of `points` as one out of `worth`; None, for a person, where there is no such score."""
    if score is None or points == worth:
        return score
    return round(score * worth / points, DECIMALS) if points else None


def automatic_score(cell, graded):
    """Points; None where a person has to look."""
    if is_solution(cell):
        return 0.0 if graded.status != "rejected" and untouched(cell, graded) else None
    exercise = graded.exercises.get(exercise_of(cell))
    fits = exercise is not None and exercise.max_points == float(cell.metadata.nbgrader.points)
    return exercise.points if fits else None


def exercise_of(cell):
    """The name of the exercise that a test cell tests."""
    return cell.metadata.nbgrader.grade_id.removeprefix("test_")


def untouched(cell, graded):
    """Is the cell's text still that of the release?"""
    text = graded.texts.get(cell.metadata.nbgrader.grade_id)
    return text is None or text.strip() == cell.source.strip()


def write_comments(db, notebook, cells, graded):
    """A Comment for each cell that a student writes in; a person's comment in it stays."""
    comments = {comment.cell_id: comment for comment in notebook.comments}
    ids = {cell.name: cell.id for cell in notebook.notebook.solution_cells}
    for cell in cells:
        cell_id = ids[cell.metadata.nbgrader.grade_id]
        comment = comments.get(cell_id) or Comment(cell_id=cell_id, notebook_id=notebook.id)
        is_untouched = graded.status != "rejected" and untouched(cell, graded)
        comment.auto_comment = NO_RESPONSE if is_untouched else None
        db.add(comment)


def write_penalty(db, submission, notebook, late_plugin):
    """What the course's late submission plugin takes off, at most the score."""
    notebook.late_submission_penalty = None
    seconds = submission.total_seconds_late if submission.assignment.duedate else 0
    if not seconds or late_plugin is None:
        return
    db.flush()
    db.expire(notebook)  # its score is a sum that the database makes
    penalty = late_plugin.late_submission_penalty(submission.student_id, notebook.score, seconds)
    if penalty is not None:
        notebook.late_submission_penalty = min(max(penalty, 0), notebook.score)


def late_plugin_of(config):
    """nbgrader's plugin for late submissions, as the course's settings name it."""
    step = AssignLatePenalties(config=config)
    step.init_plugin()
    return step.plugin_inst
