"""Run cells in a worker."""

from autograder.sandbox.shared.job import Job, RunCell
from autograder.sandbox.shared.limits import Limits

LIMITS = Limits(step_seconds=5, all_seconds=20, memory_mb=300)


def job_of(*cells, **more):
    return Job([RunCell(cell) for cell in cells], **more)


def errors(worker, *cells, **more):
    """For each cell the error that it ended with, or None; then, if the job was lost, why."""
    messages = worker.messages(job_of(*cells, **more))
    return [m.get("lost", m.get("error")) for m in messages if "lost" in m or "ran" in m]
