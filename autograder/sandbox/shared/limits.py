"""The limits of a submission's processes, and the paths of its files in the sandbox."""

from dataclasses import dataclass

CODE, HOME = "/sandbox/code.zip", "/sandbox/home"
SUBMISSION_SECONDS = 180  # of wall time for all its processes, one after another


@dataclass(frozen=True)
class Limits:
    """The limits of one process of a submission, with its children. Seconds are wall time; a step is one cell
    or one exercise. Memory counts all processes together, without what they share with the warm parent.
    Threads count as processes. Files are kept in memory."""

    step_seconds: float = 10
    all_seconds: float = 120
    memory_mb: int = 1024
    processes: int = 24
    file_mb: int = 16
    disk_mb: int = 64
    open_files: int = 64
