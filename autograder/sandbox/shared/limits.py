"""What a submission may use, and where its files are: known on both sides of the sandbox."""

from dataclasses import dataclass

CODE, HOME = "/sandbox/code.zip", "/sandbox/home"
SUBMISSION_SECONDS = 180  # of wall time, whatever it does and however often it starts afresh


@dataclass(frozen=True)
class Limits:
    """Of one process of a submission, with its children. Seconds are wall time: a step is one cell or one
    exercise. Memory counts all processes together, beyond what the warm parent has already; threads count as
    processes; files are kept in memory."""

    step_seconds: float = 10
    all_seconds: float = 120
    memory_mb: int = 1024
    processes: int = 24
    file_mb: int = 16
    disk_mb: int = 64
    open_files: int = 64
