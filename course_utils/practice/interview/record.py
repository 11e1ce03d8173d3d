"""What happened in interviews: one line of JSON each in .progress/interviews.jsonl, beside the notebook.

In: an event to keep. Out: the interviews with their events. Lines are only ever added, so files of two
machines may be put together in any order, and a broken line costs nothing but itself.
"""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from ...saved import FOLDER
from ..memory import Newer, add_lines, files, now, place

FILE = "interviews.jsonl"
VERSION = 1
KINDS = ("start", "try", "answer", "skip", "end")
NOT_KEPT = "{} cannot be written to: this interview is remembered until the kernel stops, and not for later."
UNREADABLE = "{} of {} cannot be read; nothing is changed there, and all others count."
NEWER = "{} of {} from a newer version of the course; nothing is changed there, and all others count."
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
    when = now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
    line = json.dumps({"v": VERSION, "key": key, "event": event, "when": when, **more})
    try:
        add_lines(FOLDER / FILE, [line])
    except OSError:
        _not_kept.append(line)
        return NOT_KEPT.format(FOLDER / FILE)
    return None


def interviews():
    """([Interview] in the order of their starts, [sentence on what could not be read])."""
    found, said = [event for event, _ in read_lines(_not_kept)[0]], []
    for path in files(FILE):
        events, told = read_file(path)
        found, said = found + events, said + told
    return put_together(found), said


def read_file(path):
    try:
        lines = path.read_bytes().decode("utf-8", "replace").split("\n")
    except OSError:
        return [], [f"{place(path)} cannot be read: what is in it does not count now."]
    events, broken, newer = read_lines(lines)
    counts = ((broken, UNREADABLE), (newer, NEWER))
    return [event for event, _ in events], [
        text.format("1 line" if n == 1 else f"{n} lines", place(path)) for n, text in counts if n
    ]


def read_lines(lines):
    """([(event, line)], how many are broken, how many are newer)."""
    events, broken, newer = [], 0, 0
    for line in filter(None, map(str.strip, lines)):
        try:
            events.append((from_line(line), line))
        except Newer:
            newer += 1
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
            broken += 1
    return (events, broken, newer)


def from_line(line):
    """The event of a line; Newer, or another error for what is none."""
    event = json.loads(line)
    if event["v"] > VERSION:
        raise Newer
    event["when"] = datetime.fromisoformat(event["when"]).astimezone(UTC)
    sound = isinstance(event["key"], str) and event["event"] in KINDS
    if event["event"] == "start":
        sound = sound and isinstance(event["topic"], str) and 0 < float(event["minutes"]) <= 10_000
    elif event["event"] != "end":
        sound = sound and isinstance(event["stage"], int) and isinstance(event["done"], bool)
        sound = sound and isinstance(event.get("mistake", ""), str) and isinstance(event["right"], bool)
    if not sound:
        raise ValueError(line)
    return event


def put_together(events):
    """[Interview]; an event that is written down twice counts once, one without a start not at all."""
    some = {json.dumps(event, default=str, sort_keys=True): event for event in events}.values()
    started = {}
    for event in sorted((one for one in some if one["event"] == "start"), key=lambda one: one["when"]):
        started.setdefault(
            event["key"], Interview(event["key"], event["topic"], float(event["minutes"]), event["when"])
        )
    for event in sorted((one for one in some if one["event"] != "start"), key=lambda one: one["when"]):
        if event["key"] in started:
            started[event["key"]].events.append(event)
    return list(started.values())
