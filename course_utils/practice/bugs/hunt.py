"""The search in one program, as a Session: a line, an input or a fix comes in, a Verdict goes out."""

from dataclasses import dataclass, field
from functools import cache
from itertools import islice

import numpy as np

from ...observe.limit import time_limit
from ..card import Refusal
from ..session import Session
from .program import levels, load
from .run import Outcome, difference, run

DRAWS = 60  # random inputs on which a fix has to agree


@dataclass
class Verdict:
    """kind: "found", "line" (wrong line), "same" (right line, the input does not show it), "both" (neither),
    "clean", "not_clean", "fixed", "not_fixed". reason: why an input does not show it. values: the input.
    shown, right: the Outcomes of both versions on it. tried: how many inputs a fix was tried on."""

    kind: str
    reason: str = ""
    values: dict = field(default_factory=dict)
    shown: Outcome | None = None
    right: Outcome | None = None
    tried: int = 0


class Hunt(Session):
    """Its events: a "try" of a line, "clean", "hint", "place" (another line where a fix is right), "end";
    and "clock" in files of November 2026."""

    SUBJECT, EVENTS = "program", {"start", "try", "clean", "hint", "place", "clock", "end"}

    @property
    def program(self):
        return load(self.subject)

    @property
    def closed(self):
        return super().closed or self.subject not in levels()

    @property
    def tries(self):
        return len(self.of("try") + self.of("clean"))

    @property
    def hints(self):
        return len(self.of("hint"))

    @property
    def found(self):
        """The line that was found, with an input that shows it; None before that."""
        return next((event["line"] for event in self.of("try", result="found")), None)

    @property
    def counts(self):
        """Is it found in time, at the first or second try, and without a hint?"""
        return self.tries <= 2 and not self.hints and not self.time_over

    def guess(self, line, values):
        """The Verdict on a line and a valid input; an input on which both versions raise is no try."""
        shown, right = both(self.program, values)
        shows = difference(shown, right) is not None
        if shown.error and right.error:
            raise Refusal(f"The program cannot take this input: both versions end with {right.error}.")
        places = [*self.program.places, *(event["line"] for event in self.of("place"))]
        kind = ("found" if shows else "same") if line in places else "line" if shows else "both"
        reason = self.program.reason(values) if kind == "same" else ""
        self.keep("try", line=line, result=kind)
        return Verdict(kind, reason, values, shown, right)

    def try_object(self, main):
        """The Verdict on an object in the place of the program's own: it has to agree on random inputs, and
        on one that shows the bug."""
        right, g = versions(self.program.name)[1], np.random.default_rng()
        inputs = [example(self.program.name), *(self.program.draw(g) for _ in range(DRAWS))]
        with time_limit():  # one for all runs
            for values in inputs:
                wanted, results = run(self.program, right, values), run(self.program, main, values)
                if results.error or difference(results, wanted):
                    return Verdict("not_fixed", "", values, results, wanted)
        return Verdict("fixed", tried=len(inputs))

    def region(self):
        """(first, last) of five lines among which the bug is."""
        bug, last = self.program.bug, len(self.program.lines)
        first = max(1, min((bug - 1) // 5 * 5 + 1, last - 4))
        return first, min(last, first + 4)


@cache
def versions(name):
    """(the program's object as it is shown, the right one)."""
    program = load(name)
    return program.object_of(program.code), program.object_of(program.right_code)


def both(program, values):
    return tuple(run(program, main, values) for main in versions(program.name))


@cache
def example(name):
    """An input on which the bug shows, small if possible; None where there is none."""
    program, g = load(name), np.random.default_rng(0)
    inputs = (program.draw(g) for _ in range(200))
    shows = islice((values for values in inputs if difference(*both(program, values))), 10)
    return min(shows, key=lambda values: sum(np.asarray(v).size for v in values.values()), default=None)
