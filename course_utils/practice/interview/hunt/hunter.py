"""One program's search: tries, hints and time. A line, an input or a fix comes in, a Verdict goes out."""

from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache

import numpy as np

from ....observe.limit import time_limit
from ...memory import now
from .files import load
from .program import Program
from .trial import Outcome, difference, run

COUNTS = 2  # found at one of so many tries, a bug counts as found
FIX_DRAWS = 60  # random inputs on which a fix has to agree
REGION = 4  # lines on either side that a hint leaves, at most


@dataclass
class Verdict:
    """kind: "found", "line" (wrong line), "same" (right line, the input does not show it), "both" (neither),
    "clean", "not_clean", "fixed", "not_fixed". reason: why an input does not show it. given: the input.
    shown, right: the Outcomes of both versions on it."""

    kind: str
    reason: str = ""
    given: dict = field(default_factory=dict)
    shown: Outcome | None = None
    right: Outcome | None = None


@dataclass
class Hunt:
    """program, and what happened: tries (a line with a valid input, or clean()), hints, the line that was
    found, the input on which it shows. places: lines that count as the place of the bug. then: the sentence
    on what to type after it, None for the usual one."""

    program: Program
    minutes: float | None = None
    start: object = field(default_factory=now)
    tries: int = 0
    hints: int = 0
    found: bool = False
    line: int | None = None
    over: bool = False
    places: set = field(default_factory=set)
    exposing: dict | None = None
    then: str | None = None

    def __post_init__(self):
        self.places = set(self.program.places)

    def start_clock(self, minutes):
        self.minutes, self.start = minutes, now()

    @property
    def end(self):
        return self.start + timedelta(minutes=self.minutes)

    def late(self):
        return self.minutes is not None and now() >= self.end

    def counts(self):
        """Is it found in time, at the first or second try, and without a hint?"""
        return self.tries <= COUNTS and not self.hints and not self.late()

    def guess(self, line, given):
        """The Verdict on a line and a valid input."""
        self.tries += 1
        shown, right = both(self.program, given)
        shows = difference(shown, right) is not None
        if line not in self.places:
            return Verdict("line" if shows else "both", "", given, shown, right)
        if not shows:
            return Verdict("same", self.program.reason(given), given, shown, right)
        self.found, self.line, self.exposing = True, line, given
        return Verdict("found", "", given, shown, right)

    def say_clean(self):
        self.tries += 1
        self.found = self.over = not self.program.bug
        return Verdict("not_clean" if self.program.bug else "clean")

    def try_object(self, main):
        """The Verdict on an object in the place of the program's own: it has to agree on random inputs."""
        with time_limit():  # one for all runs
            for given in self.draws():
                wanted = run(self.program, versions(self.program.name)[1], given)
                came = run(self.program, main, given)
                if came.error or difference(came, wanted):
                    return Verdict("not_fixed", "", given, came, wanted)
        return Verdict("fixed")

    def draws(self):
        g = np.random.default_rng()
        yield from [self.exposing] if self.exposing else []
        yield from (self.program.draw(g) for _ in range(FIX_DRAWS))

    def region(self):
        """(first, last) line of the part in which the bug is; where in it differs from program to program."""
        number, last = self.program.bug, len(self.program.lines)
        before = sum(map(ord, self.program.name)) % (REGION + 1)
        first = max(1, min(number - before, last - REGION))
        return first, min(last, first + REGION)


@cache
def versions(name):
    """(the program's object as it is shown, the right one)."""
    program = load(name)
    return program.object_of(program.code), program.object_of(program.right_code())


def both(program, given):
    return tuple(run(program, main, given) for main in versions(program.name))


def example(program):
    """An input on which the bug shows, small if possible; None where there is none."""
    g, found = np.random.default_rng(0), []
    for _ in range(200):
        given = program.draw(g)
        if difference(*both(program, given)):
            found.append(given)
        if len(found) == 10:
            break
    return min(found, key=size_of, default=None)


def size_of(given):
    return sum(np.asarray(value).size for value in given.values())
