"""What the grader reads in notebooks, without grading: what was repaired, why one is rejected."""

from autograder.grading.files import each
from autograder.grading.labels import labels
from autograder.submission.files import read_regular_file, shown
from autograder.submission.notebook_file import Rejected
from autograder.submission.read import submission_from
from autograder.tables import print_table


def examine(paths):
    """A dict for each notebook: submission, lesson, status, exercises {name: state}, notes."""
    return each(paths, examine_path, title="Reading")


def examine_path(path, reason):
    data, reason = (None, reason) if reason else read_regular_file(path)
    rows = (
        {"lesson": None, "status": "rejected", "exercises": {}, "notes": [reason]}
        if reason
        else examine_bytes(data)
    )
    return {"submission": shown(path), **rows}


def examine_bytes(data):
    try:
        submission = submission_from(data)
    except Rejected as reason:
        return {"lesson": None, "status": "rejected", "exercises": {}, "notes": [str(reason)]}
    lesson = submission.lesson
    states = {name: state(name, submission.solutions.get(name)) for name in lesson.exercises}
    return {"lesson": lesson.name, "status": "readable", "exercises": states, "notes": submission.notes}


def state(name, cell):
    if cell is None:
        return "missing"
    return "empty" if name in cell.still_stub else "written"


def show(entries):
    """A line for each notebook, and one for each sentence about it."""
    rows = []
    for entry, label in zip(entries, labels([entry["submission"] for entry in entries]), strict=True):
        states = list(entry["exercises"].values())
        written = f"{states.count('written')} of {len(states)} written" if states else ""
        others = [f"{name} is {state}" for name, state in entry["exercises"].items() if state == "missing"]
        rows.append(
            (
                label,
                entry["lesson"] or "-",
                entry["status"],
                written,
                "\n".join([*entry["notes"], *others]) or "as it should be",
            )
        )
    print_table(("submission", "lesson", "status", "solutions", "what to know"), rows)
