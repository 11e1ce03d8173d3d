"""Run cells in a worker."""

from autograder.sandbox.shared.job import Job, RunCell
from autograder.sandbox.shared.limits import Limits

LIMITS = Limits(step_seconds=5, all_seconds=20, memory_mb=300)


def job_of(*cells, **more):
    return Job([RunCell(cell) for cell in cells], **more)


def errors(worker, *cells, **more):
    """For each cell the error that it ended with, or None; then, if the job was lost, why."""
    messages = [m for m in worker.messages(job_of(*cells, **more)) if "lost" in m or "ran" in m]
    return [m["lost"] if "lost" in m else m["error"] and ": ".join(m["error"]) for m in messages]
