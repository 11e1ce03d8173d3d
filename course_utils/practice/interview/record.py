"""What happened in interviews: one line of JSON each in .progress/interviews.jsonl, beside the notebook.

In: an event to keep. Out: the interviews with their events. Lines are only ever added, so files of two
machines may be put together in any order, and a broken line costs nothing but itself.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from ...own.saved import FOLDER
from .events import by_key, event_in, keep_event, read_events

FILE = "interviews.jsonl"
VERSION = 1
KINDS = ("start", "try", "answer", "skip", "end")
NOT_KEPT = "{} cannot be written to: this interview is remembered until the kernel stops, and not for later."
_not_kept = []  # lines of this kernel that no file holds


@dataclass
class Interview:
    """key: its own name. topic, minutes, start: of its first line. events: the others, by time."""

    key: str
    topic: str
    minutes: float
    start: datetime
    events: list = field(default_factory=list)

    @property
    def end(self):
        """When its time is over."""
        return self.start + timedelta(minutes=self.minutes)

    @property
    def closed(self):
        return any(event["event"] == "end" for event in self.events)

    def stage(self):
        """The number of the stage that it is at."""
        return 1 + max((event["stage"] for event in self.events if event.get("done")), default=-1)

    def spent(self):
        """Minutes from its start to its end, or to the last event."""
        last = self.events[-1]["when"] if self.events else self.start
        return min(max((last - self.start).total_seconds() / 60, 0.0), self.minutes)


def keep(key, event, **more):
    """Add a line; the sentence that says why it could not be kept, else None."""
    kept = keep_event(FILE, VERSION, {"key": key, "event": event, **more}, _not_kept)
    return None if kept else NOT_KEPT.format(FOLDER / FILE)


def interviews():
    """([Interview] in the order of their starts, [sentence on what could not be read])."""
    events, said = read_events(FILE, from_line, _not_kept)
    return list(by_key(events, begun).values()), said


def begun(event):
    return Interview(event["key"], event["topic"], float(event["minutes"]), event["when"])


def from_line(line):
    """The event of a line; Newer, or another error for what is none."""
    event = event_in(line, VERSION)
    sound = isinstance(event["key"], str) and event["event"] in KINDS
    if event["event"] == "start":
        sound = sound and isinstance(event["topic"], str) and 0 < float(event["minutes"]) <= 10_000
    elif event["event"] != "end":
        sound = sound and isinstance(event["stage"], int) and isinstance(event["done"], bool)
        sound = sound and isinstance(event.get("mistake", ""), str) and isinstance(event["right"], bool)
    if not sound:
        raise ValueError(line)
    return event
