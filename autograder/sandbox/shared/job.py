"""What a worker is asked to do for one submission: steps, hidden inputs, pieces of code.

A *right piece* of an exercise is the source text of the course's own stand-in for it. A job holds some, so
that an answer can be observed beside right versions of what it builds on.
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
    """Observe what stands under this name now, in all cases of the exercise."""

    name: str


@dataclass(frozen=True)
class RunTest:
    """Run an instructor's own test cell; `name` is what the results call it."""

    name: str
    source: str


@dataclass(frozen=True)
class GivePieces:
    """Replace what stands under these names now by right pieces. sources: {exercise: right piece}."""

    sources: dict


STEPS = {kind.__name__: kind for kind in (RunCell, ObserveExercise, RunTest, GivePieces)}
OBSERVING = ObserveExercise, RunTest  # steps that have a name, and an answer that counts


@dataclass
class Job:
    """steps: RunCell, ObserveExercise, RunTest and GivePieces, in their order.
    exercises: {name: [Contract, [Case]]} of those that steps observe.
    library: {name: right piece} that `yours(name)` gives where the notebook has nothing of that name yet.
    own: {name: source} of the student's, which `yours(name)` prefers to the library's.
    points: {name: points} that a check of the student's own reports.
    seconds: the most that the job may take, where that is less than usual.
    """

    steps: list
    exercises: dict = field(default_factory=dict)
    library: dict = field(default_factory=dict)
    own: dict = field(default_factory=dict)
    points: dict = field(default_factory=dict)
    seconds: float = math.inf

    def as_plain(self):
        """Dicts and lists, with the contracts and cases as they are: the wire knows these."""
        steps = [{"step": type(step).__name__, **asdict(step)} for step in self.steps]
        return {**vars(self), "steps": steps}

    @classmethod
    def from_plain(cls, plain):
        """The same Job on the other side of the wire."""
        steps = [STEPS[step.pop("step")](**step) for step in plain.pop("steps")]
        return cls(steps, **plain)
