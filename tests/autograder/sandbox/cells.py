"""Run cells in a worker."""

from autograder.sandbox.shared.job import Job, RunCell
from autograder.sandbox.shared.limits import Limits
from autograder.sandbox.shared.losses import Lost
from tests.tools.cells import ANSWERS, plain_cells

LIMITS = Limits(step_seconds=5, all_seconds=20, memory_mb=300)


def cells_of(file):
    """Return {name: cell} for the cells in a file of tests/answers/sandbox."""
    return {name: cell for name, _, cell in plain_cells(ANSWERS / "sandbox" / f"{file}.txt")}


def job_of(*cells, **more):
    return Job([RunCell(cell) for cell in cells], **more)


def errors(worker, *cells, **more):
    """Return for each cell the error that it ended with, or None; then, if the job was lost, the reason."""
    ends = []
    try:
        for message in worker.messages(job_of(*cells, **more)):
            ends.append(message["error"] and ": ".join(message["error"]))
    except Lost as loss:
        ends.append(str(loss))
    return ends
