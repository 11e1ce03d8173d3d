"""What this machine grades with; what the grader reads in notebooks, without grading."""

import importlib.metadata

from autograder.cluster.machine import this_machine
from autograder.grading.files import each
from autograder.grading.labels import labels
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.host.warm_process import SandboxUnavailable
from autograder.submission.notebook_file import Rejected
from autograder.submission.read import submission_from
from autograder.tables import print_table

NEEDED_BY = {"distributed": "a worker of a cluster (docs/scale.md)", "psycopg": "a gradebook on PostgreSQL"}


def show_machine():
    """Print the same lines as on every worker of a cluster; the exit code is 1 where there is no sandbox."""
    machine, sandboxed = this_machine(), sandbox_here()
    rows = [(name, value) for name, value in machine.items() if isinstance(value, str)]
    rows += [(name, version_of(name) or f"not installed; {use} needs it") for name, use in NEEDED_BY.items()]
    print_table((), [*rows, ("sandbox", sandboxed or "works")])
    return int(bool(sandboxed))


def sandbox_here():
    """Why the sandbox does not work; "" where it does."""
    try:
        sandbox().ready()
        return ""
    except SandboxUnavailable as error:
        return str(error)


def version_of(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def examine(paths):
    """A dict for each notebook: submission, lesson, status, exercises {name: state}, notes."""
    return [{"submission": name, **entry} for name, entry in each(paths, entry_of, title="Reading")]


def entry_of(data, reason):
    try:
        submission = None if reason else submission_from(data)
    except Rejected as rejection:
        submission, reason = None, str(rejection)
    if submission is None:
        return {"lesson": None, "status": "rejected", "exercises": {}, "notes": [reason]}
    lesson = submission.lesson
    states = {name: state(submission, name) for name in lesson.exercises}
    return {"lesson": lesson.name, "status": "readable", "exercises": states, "notes": submission.notes}


def state(submission, name):
    if name not in submission.definitions:
        return "missing"
    return "written" if submission.is_written(name) else "empty"


def show(entries):
    """A line for each notebook, and one for each sentence about it."""
    rows = []
    for entry, label in zip(entries, labels([entry["submission"] for entry in entries]), strict=True):
        states = list(entry["exercises"].values())
        written = f"{states.count('written')} of {len(states)} written" if states else ""
        others = [f"{name} is {state}" for name, state in entry["exercises"].items() if state == "missing"]
        notes = "\n".join([*entry["notes"], *others]) or "as it should be"
        rows.append((label, entry["lesson"] or "-", entry["status"], written, notes))
    print_table(("submission", "lesson", "status", "solutions", "what to know"), rows)
