"""The event log: lines of JSON in .progress, beside the notebook.

In: an event or a Fact to keep. Out: all that was kept, in the order of time, and sentences on what could
not be read. `predictions.jsonl` holds Facts, one for each answer; `interviews`, `mocks` and `hunts` hold
the events of sessions (session.py). Lines are only ever added, so the files of two machines may be put
together in any order, and a broken line costs nothing but itself.
"""

import json
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ..own.saved import FOLDER, lesson_folders

FACTS = "predictions"
VERSION = 1
NAME = re.compile("[a-z]{1,40}")  # of `interviews.jsonl` and of a synced folder's copies of it
NOT_KEPT = "{} cannot be written to: this counts until the kernel stops, but is not saved."
BROKEN = "Cannot be read, and skipped: {} of {}. All others count."
NEWER = "Written by a newer version of the course, so not counted here: {} of {}."
CLOSED = "{} cannot be read: what it holds does not count now."
UNSOUND = (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError)
_unwritten = {}  # {name of a file: lines of this kernel that no file holds}


class Newer(ValueError):
    """A line of a version that is not known yet."""


@dataclass(frozen=True)
class Fact:
    """One answer. when: UTC. sure: True, False, or None when it was not said. at: the lesson where it was
    answered, None when that is not known."""

    name: str
    when: datetime
    right: bool
    sure: bool | None = None
    at: str | None = None

    def to_line(self):
        return json.dumps({"v": VERSION, **vars(self), "when": written(self.when)})

    @classmethod
    def from_line(cls, line):
        plain = read_line(line)
        fact = cls(plain["name"], plain["when"], plain["right"], plain.get("sure"), plain.get("at"))
        sound = isinstance(fact.name, str) and isinstance(fact.right, bool)
        if not sound or fact.sure not in (True, False, None) or not isinstance(fact.at, (str, type(None))):
            raise ValueError(line)
        return fact


def now():
    """The time as a line holds it, to the millisecond."""
    time = datetime.now(UTC)
    return time.replace(microsecond=time.microsecond // 1000 * 1000)


def written(when):
    return when.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_line(line):
    """The dict of a line, its time in UTC; Newer, or one of UNSOUND."""
    plain = json.loads(line)
    if plain["v"] > VERSION:
        raise Newer
    plain["when"] = datetime.fromisoformat(plain["when"])
    if plain["when"].tzinfo is None:
        raise ValueError(line)
    return {**plain, "when": plain["when"].astimezone(UTC)}


# ---- write


def write_event(name, event):
    """Add an event to a file; the sentence that says why it could not be kept, else None."""
    return write_line(name, json.dumps({"v": VERSION, **event, "when": written(now())}))


def remember(fact):
    return write_line(FACTS, fact.to_line())


def write_line(name, line):
    path = FOLDER / f"{name}.jsonl"
    try:
        add_lines(path, [line])
    except OSError:
        _unwritten.setdefault(name, []).append(line)
        return NOT_KEPT.format(path)
    return None


def add_lines(path, lines):
    """Add lines at the end of a file, also where its last line was cut off."""
    path.parent.mkdir(exist_ok=True)
    with path.open("ab+") as file:
        file.seek(0, 2)
        if file.tell():
            file.seek(-1, 2)
            lines = lines if file.read(1) == b"\n" else ["", *lines]
        file.write("".join(f"{line}\n" for line in lines).encode())
        file.flush()
        os.fsync(file.fileno())


# ---- read


def recall():
    """([Fact] in the order of time, [sentence]) of this folder, its neighbours and this kernel."""
    facts, notes = read(FACTS, Fact.from_line)
    return in_order(facts), notes


def in_order(facts):
    """Each fact once, in one order, whatever files they come from."""
    return sorted(dict.fromkeys(facts), key=lambda fact: (fact.when, *map(str, vars(fact).values())))


def read(name, parse):
    """([parse(line)], [sentence]) of the files of a name. parse raises Newer or one of UNSOUND."""
    records, notes = parsed(_unwritten.get(name, []), parse)[0], []
    for path in files(name):
        try:
            lines = path.read_bytes().decode("utf-8", "replace").split("\n")
        except OSError:
            notes.append(CLOSED.format(place(path)))
            continue
        more, broken, newer = parsed(lines, parse)
        records += more
        for sentence, number in ((BROKEN, broken), (NEWER, newer)):
            notes += [sentence.format(counted(number, "line"), place(path))] if number else []
    return records, notes


def parsed(lines, parse):
    """([parse(line)], how many lines are broken, how many are from a newer version)."""
    records, broken, newer = [], 0, 0
    for line in filter(None, map(str.strip, lines)):
        try:
            records.append(parse(line))
        except Newer:
            newer += 1
        except UNSOUND:
            broken += 1
    return records, broken, newer


def files(name):
    """The files of a name ("": all), here and beside other lessons, with a synced folder's copies of them:
    `predictions (conflicted copy).jsonl`, `predictions.sync-conflict-20261123.jsonl`."""
    return [path for folder in lesson_folders() for path in sorted((folder / FOLDER).glob(f"{name}*.jsonl"))]


def unwritten(name):
    return list(_unwritten.get(name, []))


def place(path):
    """A path as a learner knows it: from this folder, or from the one above."""
    path, here = Path(path), Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path.relative_to(here.parent)


def counted(number, word):
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
