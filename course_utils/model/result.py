"""What a check gives back: did it pass, how many points, which mistake, and what to show."""

from dataclasses import dataclass, field

import torch

from .case import Fact


@dataclass
class Picture:
    """A wrong result beside the wanted one, with the names of its axes."""

    fact: Fact
    yours: torch.Tensor
    wanted: torch.Tensor
    axes: list[str]


@dataclass
class Result:
    """passed, message, mistake (a stable name, None when unrecognised or when several
    mistakes fit equally), points of max_points.

    status: passed, wrong, not_started, error (it ended with an exception or a limit: `ended` says which) or
    broken (our fault, not the student's). picture: the result that failed. trail: (case name, outcome) for
    each case and for the probes. printed: what the code wrote. note: what else to know, such as a wrong
    exercise that this one builds on.
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
    look_at: str = ""
    trail: list = field(default_factory=list)
    printed: str = ""
    note: str = ""

    def __repr__(self):
        points = f"points={self.points:g} of {self.max_points:g}"
        return f"Result({self.name!r}, passed={self.passed}, {points}, mistake={self.mistake!r})"
