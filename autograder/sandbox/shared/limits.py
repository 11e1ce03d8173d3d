"""The limits of a submission's processes, and the paths of its files in the sandbox."""

from dataclasses import dataclass

CODE, HOME = "/sandbox/code.zip", "/sandbox/home"
SUBMISSION_SECONDS = 180  # wall time of all its processes, one after another: a lost one is replaced


@dataclass(frozen=True)
class Limits:
    """The limits of one process of a submission, with its children. Seconds are wall time. Memory counts all
    processes together, without what they share with the warm parent. Threads count as processes. Files are
    kept in memory."""

    step_seconds: float = 10  # one cell or one exercise
    all_seconds: float = 120  # all steps of the process
    memory_mb: int = 1024
    processes: int = 24
    file_mb: int = 16
    disk_mb: int = 64
    open_files: int = 64
