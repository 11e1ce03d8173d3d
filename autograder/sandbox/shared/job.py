"""A Job: what a worker has to do for one submission (steps, hidden inputs, sources of stand-ins).

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
