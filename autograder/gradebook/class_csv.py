"""[Outcome] -> grades.csv: the gradebook's scores as they are now, for a spreadsheet or a platform."""

from autograder.grading.happened import summary
from autograder.tables import as_csv, replace_file

from .class_table import has_score, status

# as nbgrader's export names them
COLUMNS = (
    "assignment", "student_id", "last_name", "first_name", "score", "max_score", "raw_score",
    "late_submission_penalty", "duedate", "timestamp", "status", "email", "lms_user_id", "seed",
    "what_happened", "what_to_know",
)  # fmt: skip


def write_class(path, outcomes):
    outcomes = [outcome for outcome in outcomes if outcome.lesson]
    cells = dict.fromkeys(name for o in outcomes if o.score for name in o.score.cells)
    exercises = [name.removeprefix("test_") for name in cells]
    replace_file(path, as_csv([*COLUMNS, *exercises], [row(outcome, cells) for outcome in outcomes]))


def row(outcome, cells):
    """Who has no score has empty cells, whatever the reason."""
    score, about, scored = outcome.score, outcome.about, has_score(outcome)
    points = [score.final, score.max_score, score.raw, score.penalty] if scored else [""] * 4
    dates = [score.duedate, score.timestamp] if score else ["", ""]
    more = [status(outcome), about.email, about.lms_user_id, outcome.memory.get("seed", "") if scored else ""]
    sentences = [summary(outcome.memory.get("happened", {})), " ".join(outcome.notes)]
    each = [score.cells.get(name, "") if scored else "" for name in cells]
    names = [about.last_name, about.first_name]
    return [outcome.lesson, outcome.student, *names, *points, *dates, *more, *sentences, *each]
