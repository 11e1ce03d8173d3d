"""Show what this machine grades with, or what the grader reads in notebooks, without grading them."""

import importlib.metadata

from autograder.cluster.machine import this_machine
from autograder.grading.graded import labels
from autograder.grading.notebook import each
from autograder.notes import texts_of
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.host.warm_process import SandboxUnavailable
from autograder.submission.notebook_file import Rejected
from autograder.submission.read import submission_from
from autograder.tables import print_table

NEEDED_BY = {"distributed": "a worker of a cluster (docs/scale.md)", "psycopg": "a gradebook on PostgreSQL"}


def show_machine():
    """Print what must be equal on all workers of a cluster; return the exit code, 1 without a sandbox."""
    machine, sandboxed = this_machine(), sandbox_problem()
    rows = [(name, value) for name, value in machine.items() if isinstance(value, str)]
    rows += [(name, version_of(name) or f"not installed; {use} needs it") for name, use in NEEDED_BY.items()]
    print_table((), [*rows, ("sandbox", sandboxed or "works")])
    return int(bool(sandboxed))


def sandbox_problem():
    """Return why the sandbox does not work; "" if it does."""
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
    """Print a table with a row for each notebook: what the grader reads in it."""
    entries = each(paths, entry_of, title="Reading")
    names = labels([path for path, _ in entries])
    rows = [(name, *entry) for name, (_, entry) in zip(names, entries, strict=True)]
    print_table(("submission", "lesson", "status", "solutions", "what to know"), rows)


def entry_of(data, reason):
    """Return (lesson, status, how many exercises are written, notes)."""
    try:
        submission = None if reason else submission_from(data)
    except Rejected as rejection:
        submission, reason = None, str(rejection)
    if submission is None:
        return "-", "rejected", "", reason
    names = submission.lesson.exercises
    n_written = sum(submission.is_written(name) for name in names)
    missing = [f"{name} is missing" for name in names if name not in submission.definitions]
    notes = "\n".join([*texts_of(submission.notes), *missing]) or "as it should be"
    return submission.lesson.name, "readable", f"{n_written} of {len(names)} written", notes
