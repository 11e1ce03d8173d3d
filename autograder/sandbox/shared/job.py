"""What a worker is asked to do for one submission: steps, hidden inputs, pieces of code."""

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
    """Put right versions, {exercise: source}, in the place of what stands under these names now."""

    sources: dict


STEPS = {kind.__name__: kind for kind in (RunCell, ObserveExercise, RunTest, GivePieces)}
OBSERVING = ObserveExercise, RunTest  # steps that have a name, and an answer that counts


@dataclass
class Job:
    """exercises: {name: [Contract, [Case]]} of those that steps observe. library: {name: source} of right
    pieces, and own: {name: source} of the student's, that `yours(name)` gives where the notebook has none
    yet. points: {name: points} that a check of the student's own reports. seconds: the most that the job may
    take, where that is less than usual.
    """

    steps: list
    exercises: dict = field(default_factory=dict)
    library: dict = field(default_factory=dict)
    own: dict = field(default_factory=dict)
    points: dict = field(default_factory=dict)
    seconds: float | None = None

    def as_plain(self):
        """Dicts and lists, with the contracts and cases as they are: the wire knows these."""
        steps = [{"step": type(step).__name__, **asdict(step)} for step in self.steps]
        return {**vars(self), "steps": steps}

    @classmethod
    def from_plain(cls, plain):
        """The same Job on the other side of the wire."""
        steps = [STEPS[step.pop("step")](**step) for step in plain.pop("steps")]
        return cls(steps, **plain)
