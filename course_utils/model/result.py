"""What a check gives back: did it pass, how many points, which mistake, and what to show."""

from dataclasses import dataclass, field


@dataclass
class Result:
    """passed, message, mistake (a stable name, None when unrecognised or tied), points of max_points.

    status: passed, wrong, not_started or broken (our fault, not the student's). picture: {"label", "yours", "wanted",
    "axes"} of the result that failed. trail: (case name, outcome) for each case and for the probes.
    """

    name: str
    passed: bool
    message: str
    mistake: str | None = None
    points: float = 0.0
    max_points: float = 0.0
    status: str = "wrong"
    picture: dict | None = None
    look_at: str = ""
    trail: list = field(default_factory=list)
    printed: str = ""
    note: str = ""

    def __repr__(self):
        return f"Result({self.name!r}, passed={self.passed}, points={self.points:g} of {self.max_points:g}, mistake={self.mistake!r})"
