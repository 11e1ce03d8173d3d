"""A release -> the rows that nbgrader keeps of a lesson: its assignment, its notebook and the cells in it."""

import json

from nbgrader.api import Assignment, Gradebook, GradeCell, MissingEntry, Notebook, SolutionCell, SourceCell
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_locked, is_solution

from autograder.refused import LessonRefused
from autograder.releases import store

OTHER_POINTS = (
    "{0}: {1} is worth {2:g} points in the notebook and {3:g} in the gradebook, where submissions are "
    "already graded: `.venv/bin/python -m autograder change-points {0}` previews the change; or set it back "
    "to {3:g} points, run `make notebooks`, and grade again."
)


def release_of(graded, lesson):
    """The release that a submission was graded by; of a rejected one the lesson's current one."""
    graded_by = store.find(lesson, graded.release) if graded.lesson == lesson and graded.release else None
    return graded_by or store.current(lesson)


def points_of(release):
    """{grade_id: points} of the graded cells of a release."""
    marks = (cell.metadata.nbgrader for cell in release.skeleton().cells if is_grade(cell))
    return {mark.grade_id: float(mark.points) for mark in marks}


def enter(gradebook, release, is_current=False):
    """Add the cells of a release that are missing in the gradebook, and leave all grades as they are. The
    caller commits.

    LessonRefused when a cell has other points in the gradebook, unless it has no submissions there yet, or
    those are the points of the current release: then the grades of an earlier one are rescaled.
    """
    skeleton = release.skeleton()
    notebook = enter_notebook(gradebook, release.lesson, skeleton.metadata.get("kernelspec", {}))
    enter_cells(gradebook.db, notebook, skeleton.cells, is_current, rescales=True)
    entered = f"release {release.id}"  # an empty SourceCell of this name marks the release as entered
    if entered not in {cell.name for cell in notebook.source_cells}:
        gradebook.db.add(SourceCell(name=entered, cell_type="markdown", source="", notebook_id=notebook.id))
        gradebook.db.flush()
        if is_current:
            store.keep(release.lesson)
        gradebook.db.expire(notebook)


def enter_notebook(gradebook, lesson, kernelspec):
    """The lesson's Notebook, which nbgrader's SubmittedNotebook refers to."""
    db = gradebook.db
    try:
        assignment = gradebook.find_assignment(lesson)
    except MissingEntry:
        assignment = Assignment(lesson, course_id=gradebook.course_id)
        db.add(assignment)
        db.flush()
    try:
        return gradebook.find_notebook(lesson, lesson)
    except MissingEntry:
        notebook = Notebook(name=lesson, assignment_id=assignment.id, kernelspec=json.dumps(kernelspec))
        db.add(notebook)
        db.flush()
        return notebook


def enter_cells(db, notebook, cells, is_current, renew_sources=False, rescales=False):
    """GradeCells, SolutionCells and SourceCells for the marked cells of a notebook."""
    marked = [cell for cell in cells if "nbgrader" in cell.metadata]
    graded = {cell.metadata.nbgrader.grade_id: cell for cell in marked if is_grade(cell)}
    solutions = {cell.metadata.nbgrader.grade_id: cell for cell in marked if is_solution(cell)}
    cells_by_name = {cell.name: cell for cell in notebook.grade_cells}
    may_change = is_current and notebook.num_submissions == 0
    for name, cell in graded.items():
        points = float(cell.metadata.nbgrader.points)
        if name not in cells_by_name:
            db.add(GradeCell(name=name, notebook_id=notebook.id, max_score=points, cell_type=cell.cell_type))
        elif may_change:
            cells_by_name[name].max_score = points
        elif cells_by_name[name].max_score != points:
            there = cells_by_name[name].max_score
            if not rescales or points_of(store.current(notebook.name)).get(name) != there:
                raise LessonRefused(OTHER_POINTS.format(notebook.name, name, points, there))
    for name in solutions.keys() - {cell.name for cell in notebook.solution_cells}:
        db.add(SolutionCell(name=name, notebook_id=notebook.id))
    if may_change:
        for old in [*notebook.grade_cells, *notebook.solution_cells]:
            if old.name not in (graded if isinstance(old, GradeCell) else solutions):
                db.delete(old)
    enter_sources(db, notebook, marked, renew_sources)
    db.flush()
    db.expire(notebook)


def enter_sources(db, notebook, marked, renew):
    """What nbgrader's own autograder puts back where a student changed a locked cell."""
    cells_by_name = {cell.name: cell for cell in notebook.source_cells}
    for cell in marked:
        name = cell.metadata.nbgrader.grade_id
        if name in cells_by_name and not renew:
            continue
        source = cells_by_name.get(name) or SourceCell(name=name, notebook_id=notebook.id)
        source.cell_type, source.locked, source.source = cell.cell_type, is_locked(cell), cell.source
        source.checksum = cell.metadata.nbgrader.get("checksum")
        db.add(source)


class EnterCells(NbGraderPreprocessor):
    """Used instead of nbgrader's SaveCells, which refuses new cells when a lesson has submissions already."""

    def preprocess(self, nb, resources):
        place = resources["nbgrader"]
        with Gradebook(place["db_url"]) as gradebook:
            notebook = enter_notebook(gradebook, place["notebook"], nb.metadata.get("kernelspec", {}))
            enter_cells(gradebook.db, notebook, nb.cells, is_current=True, renew_sources=True)
            gradebook.db.commit()
        return nb, resources
