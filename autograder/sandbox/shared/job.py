"""A Job, what a worker has to do for one submission; the limits of its processes; the ways to lose one.

A *stand-in* is the course's own right version of an exercise. A job carries the source of some, so that an
answer can be observed together with right versions of the exercises that it builds on.
"""

import math
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class RunCell:
    """Run a cell, or one statement of it. cell: its number in the notebook."""

    source: str
    cell: int | None = None


@dataclass(frozen=True)
class ObserveExercise:
    """Observe the object that has this name at this step, in all cases of the exercise."""

    name: str


@dataclass(frozen=True)
class RunTest:
    """Run an instructor's own test cell. name: its name in the results."""

    name: str
    source: str


@dataclass(frozen=True)
class UseStandIns:
    """Replace the objects with these names by stand-ins. sources: {exercise: source of its stand-in}."""

    sources: dict


STEPS = {kind.__name__: kind for kind in (RunCell, ObserveExercise, RunTest, UseStandIns)}
OBSERVING = ObserveExercise, RunTest  # steps that have a name, and whose answer is graded


@dataclass
class Job:
    """steps: RunCell, ObserveExercise, RunTest and UseStandIns, in order.
    exercises: {name: [Contract, [Case]]} of the exercises that the steps observe.
    library: {name: source of a stand-in} for `yours(name)` while the notebook does not define the name.
    own: {name: source} of the student's definitions, which `yours(name)` prefers to the library.
    points: {name: points} that a `check` in the notebook reports.
    seconds: a time limit for the job, if it is shorter than the usual one.
    """

    steps: list
    exercises: dict = field(default_factory=dict)
    library: dict = field(default_factory=dict)
    own: dict = field(default_factory=dict)
    points: dict = field(default_factory=dict)
    seconds: float = math.inf

    def as_plain(self):
        """Return the job as dicts and lists; contracts and cases stay objects, which the wire can encode."""
        steps = [{"step": type(step).__name__, **asdict(step)} for step in self.steps]
        return {**vars(self), "steps": steps}

    @classmethod
    def from_plain(cls, plain):
        """Rebuild the Job on the other side of the wire."""
        steps = [STEPS[step.pop("step")](**step) for step in plain.pop("steps")]
        return cls(steps, **plain)


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


TOO_SLOW = f"it did not finish in time (an endless loop? A cell has {Limits.step_seconds} seconds)"
MEMORY = "it used more memory than the grader allows"
DIED = "the process died (out of memory, os._exit, or a crash)"
TOO_LARGE = "it returned more data than the grader accepts"
NO_MESSAGE = "it sent something that is not a message"
GIVEN_UP = "grading of the notebook stopped after too many lost processes"
NO_TIME = "the rest of the notebook left no time for it"
NO_SETUP = "no setup"  # how a keeper's report begins if the job never began: the grader's own fault


class Lost(Exception):
    """The other side is dead, too slow, or sends something that is not a message."""
