"""What a check gives back: did it pass, how many points, which mistake, and what to show."""

from dataclasses import dataclass, field

import torch

from .case import Fact
from .crash import Crash

MOST_SHOWN = 12  # rows and columns of a table on a card


@dataclass
class Picture:
    """A wrong result beside the wanted one, with the names of its axes. whose: who gave it."""

    fact: Fact
    yours: torch.Tensor
    wanted: torch.Tensor
    axes: list[str]
    whose: str = "yours"


@dataclass
class Result:
    """passed, message, mistake (a stable name, None when unrecognised or when several
    mistakes fit equally), points of max_points.

    status: passed, one_left (all values are right, and something else that a result should have is missing),
    wrong, not_started, error (it ended with an exception or a limit: `ended` says which) or broken (our
    fault, not the student's). why: what the missing thing is good for, where one is left;
    left: how many things are; spoils: whether a lesson's own cells could not go on with the object because of
    one of them. unwritten: whether it is still what was given out. picture: the result that failed. trail:
    (case name, outcome) for each case and for the probes. printed: what the code wrote. note: what else to
    know, such as a wrong exercise that this one builds on. crash: where it raised, in a student's own
    notebook.
    """

    name: str
    passed: bool
    message: str
    mistake: str | None = None
    points: float = 0.0
    max_points: float = 0.0
    status: str = "wrong"
    ended: str = ""
    picture: Picture | None = None
    crash: Crash | None = None
    look_at: str = ""
    trail: list = field(default_factory=list)
    printed: str = ""
    note: str = ""
    why: str = ""
    left: int = 0
    spoils: bool = False
    unwritten: bool = False

    @property
    def accepted(self):
        """Does the exercise count as done, and is the object kept? (For full points it has to pass.)"""
        return self.passed or self.status == "one_left"

    def _ipython_display_(self):
        """Nothing below a cell that ends with a check: its card has said it all."""

    def __repr__(self):
        return f"Result({self.name!r}, status={self.status!r}, mistake={self.mistake!r})"
