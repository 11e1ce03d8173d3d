"""Enters a lesson's release into nbgrader's gradebook: the assignment, its notebook and their cells."""

import json

from nbgrader.api import GradeCell, SolutionCell
from nbgrader.preprocessors import SaveCells
from nbgrader.utils import is_grade, is_solution

from autograder.refused import LessonRefused
from autograder.releases import store

OTHER_POINTS = (
    "{0}: {1} is worth {2:g} points in the notebook and {3:g} in the gradebook, where submissions are "
    "already graded: `change-points {0}` previews the change; or set it back "
    "to {3:g} points, run `make notebooks`, and grade again."
)


def release_of(graded, lesson):
    """Return the release that a submission was graded with; for a rejected one, the lesson's current one."""
    graded_by = store.find(lesson, graded.release) if graded.lesson == lesson and graded.release else None
    return graded_by or store.current(lesson)


def points_of(release):
    """{grade_id: points} of a release's graded cells."""
    marks = (cell.metadata.nbgrader for cell in release.skeleton().cells if is_grade(cell))
    return {mark.grade_id: float(mark.points) for mark in marks}


def enter(gradebook, lesson, released):
    """Enter a lesson from its released notebook, and commit. May raise LessonRefused, as enter_cells does."""
    kernel = json.dumps(released.metadata.get("kernelspec", {}))
    gradebook.update_or_create_assignment(lesson)
    notebook = gradebook.update_or_create_notebook(lesson, lesson, kernelspec=kernel)
    enter_cells(gradebook.db, notebook, released.cells, is_current=True)
    gradebook.db.commit()


def enter_cells(db, notebook, cells, is_current=False):
    """Add a release's marked cells that the gradebook does not have yet, without a commit; all grades stay.

    is_current: these are the cells of the current release. While the lesson has no submission, they replace
    the gradebook's cells and points; once it has one, a cell with other points raises LessonRefused.
    """
    marks = {cell.metadata.nbgrader.grade_id: cell for cell in cells if "nbgrader" in cell.metadata}
    graded = {name: cell for name, cell in marks.items() if is_grade(cell)}
    solutions = {name for name, cell in marks.items() if is_solution(cell)}
    cells_by_name = {cell.name: cell for cell in notebook.grade_cells}
    may_change = is_current and notebook.num_submissions == 0
    for name, cell in graded.items():
        points = float(cell.metadata.nbgrader.points)
        if name not in cells_by_name:
            db.add(GradeCell(name=name, notebook_id=notebook.id, max_score=points, cell_type=cell.cell_type))
        elif may_change:
            cells_by_name[name].max_score = points
        elif is_current and cells_by_name[name].max_score != points:
            worth = cells_by_name[name].max_score
            raise LessonRefused(OTHER_POINTS.format(notebook.name, name, points, worth))
    for name in solutions - {cell.name for cell in notebook.solution_cells}:
        db.add(SolutionCell(name=name, notebook_id=notebook.id))
    if may_change:
        for old in [*notebook.grade_cells, *notebook.solution_cells]:
            if old.name not in (graded if isinstance(old, GradeCell) else solutions):
                db.delete(old)
    db.flush()
    db.expire(notebook)


class EnterCells(SaveCells):
    """Replaces nbgrader's SaveCells, which refuses new cells when a lesson already has submissions."""

    def _create_notebook(self, nb):
        enter(self.gradebook, self.assignment_id, nb)
        for name, source in self.new_source_cells.items():
            self.gradebook.update_or_create_source_cell(name, self.notebook_id, self.assignment_id, **source)
