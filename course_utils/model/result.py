"""A Result: what a check returns. Did it pass, how many points, which mistake, and what to show."""

from dataclasses import dataclass, field

import torch

from .case import Fact
from .crash import Crash

MOST_SHOWN = 12  # rows and columns of a table on a card


@dataclass
class Picture:
    """A wrong result next to the wanted one, with the names of its axes. whose: the caption for the wrong
    one."""

    fact: Fact
    yours: torch.Tensor
    wanted: torch.Tensor
    axes: list[str]
    whose: str = "yours"


@dataclass
class Result:
    """passed, message, mistake (a stable name; None if unrecognised or if several mistakes fit equally),
    points out of max_points.

    status: passed, one_left (all values are right, but something else that a result needs is missing), wrong,
        not_started, error (it ended with an exception or a limit; `ended` says which) or broken (our fault,
        not the student's). why: why the missing thing matters, if one is left; left: how many are left;
        spoils: whether one of them breaks a lesson's own cells. unwritten: whether the code is still the
        stub.
    picture: the result that failed. trail: (case name, outcome) for each case and for the probes. printed:
        what the code wrote. note: other information, such as a failing exercise that this one builds on.
        crash: where the code raised, in a student's own notebook.
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
        """Does the exercise count as done, so that the object is saved? (Full points require `passed`.)"""
        return self.passed or self.status == "one_left"

    def _ipython_display_(self):
        """Show nothing below a cell that ends with a check: its card has shown everything."""

    def __repr__(self):
        return f"Result({self.name!r}, status={self.status!r}, mistake={self.mistake!r})"
