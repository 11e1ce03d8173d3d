"""nbgrader's Execute and SaveAutoGrades, replaced: outputs and scores come from the judge, not from a kernel."""

import nbformat
from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades


class PutResults(NbGraderPreprocessor):
    """In the place of Execute: each test cell shows its card and its points."""

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.cell_type == "code":
            name = exercise_of(cell)
            whole = resources["whole"]
            cell.outputs = outputs(whole, name, cell) if name in whole["exercises"] else []
        return cell, resources


class SavePoints(SaveAutoGrades):
    """What the judge gave no points for is for a person: nbgrader takes a cell without output for a full mark."""

    def _add_score(self, cell, resources):
        if exercise_of(cell) in resources["whole"]["exercises"] or answered(cell, resources["whole"]):
            return super()._add_score(cell, resources)
        place = resources["nbgrader"]
        grade = self.gradebook.find_grade(
            cell.metadata.nbgrader.grade_id, place["notebook"], place["assignment"], place["student"]
        )
        grade.auto_score, grade.needs_manual_grade = None, True
        self.gradebook.db.commit()

    def _add_comment(self, cell, resources):
        """nbgrader's "No response." would be wrong of a notebook that nobody could read."""
        if resources["whole"]["status"] != "rejected":
            super()._add_comment(cell, resources)


def answered(cell, whole):
    """An answer to be read by a person, of a submission that could be read."""
    return utils.is_solution(cell) and whole["status"] != "rejected"


def exercise_of(cell):
    """The exercise that a test cell tests; None for other cells."""
    marks = cell.metadata.get("nbgrader", {})
    return (
        marks["grade_id"].removeprefix("test_") if marks.get("grade") and not marks.get("solution") else None
    )


def outputs(whole, name, cell):
    """The card, and the points as the plain number that nbgrader reads."""
    page, text, _ = whole["cards"][name]
    points = min(whole["exercises"][name]["points"], float(cell.metadata.nbgrader.points))
    return [
        nbformat.v4.new_output("display_data", {"text/html": page, "text/plain": text}),
        nbformat.v4.new_output("execute_result", {"text/plain": repr(points)}, execution_count=None),
    ]
