"""What happened in mock interviews: one line of JSON each in .progress/mocks.jsonl, beside the notebook.

In: an event to keep. Out: the mock interviews with their events. Lines are only ever added, so files of two
machines may be put together in any order, and a broken line costs nothing but itself. The programs, bugs and
flashcards of a mock interview are kept where they are always kept; here stands only which they were.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from ....own.saved import FOLDER
from ..events import by_key, event_in, keep_event, read_events
from .compose import Part
from .kinds import TITLES
from .levels import LEVELS
from .programs import PROGRAMS

FILE = "mocks.jsonl"
VERSION = 1
KINDS = ("start", "program", "asked", "hint", "reveal", "mark", "done", "end")
NOT_KEPT = "{} cannot be written to: this mock interview is remembered until the kernel stops, and not later."
_not_kept = []  # lines of this kernel that no file holds


@dataclass
class Mock:
    """key: its own name. level, seed, people, parts, start: of its first line. events: of the others."""

    key: str
    level: str
    seed: object
    people: int
    parts: list
    start: datetime
    events: list = field(default_factory=list)

    @property
    def minutes(self):
        return sum(part.minutes for part in self.parts)

    @property
    def end(self):
        """When its time is over."""
        return self.start + timedelta(minutes=self.minutes)

    @property
    def closed(self):
        return any(event["event"] == "end" for event in self.events)

    def of(self, event, part=None):
        """Its events of a kind, those of one part if that is given."""
        return [one for one in self.events if one["event"] == event and part in (None, one.get("part"))]

    def part(self):
        """The number of the part that it is at; that of the last one plus 1 when all are done."""
        return min(1 + max((one["part"] for one in self.of("done")), default=-1), len(self.parts))

    def just_went_on(self, now, span):
        """Was a step to what comes next the last that was done, less than this span ago? The program that
        such a step begins is part of it."""
        done = [one for one in self.events if one["event"] != "program"]
        step = bool(done) and done[-1]["event"] in ("asked", "done")
        return step and timedelta(0) <= now - done[-1]["when"] < span

    def part_start(self):
        """When the part that it is at began."""
        return max([one["when"] for one in self.of("done")], default=self.start)

    def part_end(self):
        """When that part should end."""
        part = self.parts[min(self.part(), len(self.parts) - 1)]
        return min(self.part_start() + timedelta(minutes=part.minutes), self.end)

    def marks(self, part):
        """{criterion: 0, 1 or 2} of a part: the last mark counts."""
        found = {}
        for event in self.of("mark", part):
            found |= event["marks"]
        return found

    def asked(self, part):
        """How many of a part's names were asked already; one at least, as the first is asked at once."""
        return min(1 + len(self.of("asked", part)), len(self.parts[part].names))

    def interview(self, part):
        """The key of the interview in which a part's program was written; None before it began."""
        return next((one["interview"] for one in self.of("program", part)), None)

    def times(self):
        """[minutes that a part took, None for one that was not reached]."""
        over = min([one["when"] for one in self.of("end")] + [self.end])
        began, minutes = self.start, []
        for number in range(len(self.parts)):
            ends = [one["when"] for one in self.of("done", number)]
            until = min([*ends, over])
            reached = ends or (number <= self.part() and began < over)
            minutes.append(max((until - began).total_seconds() / 60, 0.0) if reached else None)
            began = max(began, until) if ends else over
        return minutes


def keep(key, event, **more):
    """Add a line; the sentence that says why it could not be kept, else None."""
    kept = keep_event(FILE, VERSION, {"key": key, "event": event, **more}, _not_kept)
    return None if kept else NOT_KEPT.format(FOLDER / FILE)


def mocks():
    """([Mock] in the order of their starts, [sentence on what could not be read])."""
    events, said = read_events(FILE, from_line, _not_kept)
    return list(by_key(events, begun).values()), said


def begun(event):
    about = event["level"], event.get("seed"), event["people"], event["parts"], event["when"]
    return Mock(event["key"], *about)


def from_line(line):
    """The event of a line; Newer, or another error for what is none."""
    event = event_in(line, VERSION)
    sound = isinstance(event["key"], str) and event["event"] in KINDS
    if event["event"] == "start":
        event["parts"] = [Part(kind, float(minutes), tuple(names)) for kind, minutes, names in event["parts"]]
        sound = sound and event["level"] in LEVELS and event["people"] in (1, 2) and bool(event["parts"])
        sound = sound and all(well_formed(part) for part in event["parts"])
    elif event["event"] != "end":
        sound = sound and isinstance(event["part"], int) and event["part"] >= 0
    if event["event"] == "mark":
        sound = sound and all(mark in (0, 1, 2) for mark in event["marks"].values())
    if event["event"] == "program":
        sound = sound and isinstance(event["interview"], str)
    if not sound:
        raise ValueError(line)
    return event


def well_formed(part):
    sound = bool(part.names) and all(isinstance(name, str) for name in part.names)
    sound = sound and part.kind in TITLES and 0 < part.minutes <= 600
    return sound and (part.kind != "program" or part.names[0] in PROGRAMS)
