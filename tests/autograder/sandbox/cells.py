"""Helpers that run cells in a worker."""

from autograder.sandbox.shared.job import Job, Limits, Lost, RunCell
from tests.tools.cells import ANSWERS, plain_cells

LIMITS = Limits(step_seconds=5, all_seconds=20, memory_mb=300)


def cells_of(file):
    """{name: cell} of a file in tests/answers/sandbox."""
    return {name: cell for name, _, cell in plain_cells(ANSWERS / "sandbox" / f"{file}.txt")}


def job_of(*cells, **more):
    return Job([RunCell(cell) for cell in cells], **more)


def errors(worker, *cells, **more):
    """[the error of each cell, or None], followed by the reason if the job was lost."""
    ends = []
    try:
        for message in worker.messages(job_of(*cells, **more)):
            ends.append(message["error"] and ": ".join(message["error"]))
    except Lost as loss:
        ends.append(str(loss))
    return ends
