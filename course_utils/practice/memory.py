"""Answers that were given: one line of JSON each in .progress/predictions.jsonl, beside the notebook.

In: a Fact to keep, or a place to read from. Out: facts in the order of time, and sentences on what could not
be read or kept. Lines are only ever added, so files of two machines may be put together in any order; copies
that a synced folder makes where two machines wrote at once are read too.
"""

import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ..own.saved import FOLDER, lesson_folders

FILE = "predictions.jsonl"
VERSION = 1
NOT_KEPT = "Your answer counts until the kernel stops; {} cannot be written to, so it is not kept for later."
UNREADABLE = "{} of {} cannot be read and {} left as {}: all others count."
NEWER = "{} of {} {} written by a newer version of the course: {} kept, and not counted here."
_not_kept = []  # facts of this kernel that no file holds


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
        when = self.when.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return json.dumps({"v": VERSION, **vars(self), "when": when})


class Newer(ValueError):
    """A line of a version that is not known yet."""


def now():
    """The time as a line holds it, to the millisecond."""
    time = datetime.now(UTC)
    return time.replace(microsecond=time.microsecond // 1000 * 1000)


def from_line(line):
    """The Fact of a line; Newer, or another ValueError, KeyError or TypeError for what is none."""
    plain = json.loads(line)
    if plain["v"] > VERSION:
        raise Newer
    when = datetime.fromisoformat(plain["when"])
    fact = Fact(plain["name"], when, plain["right"], plain.get("sure"), plain.get("at"))
    sound = isinstance(fact.name, str) and isinstance(fact.right, bool) and fact.sure in (True, False, None)
    if not sound or when.tzinfo is None or not isinstance(fact.at, (str, type(None))):
        raise ValueError(line)
    return fact


def remember(fact):
    """Keep a fact; the sentence that says why it could not be, else None."""
    try:
        add_lines(FOLDER / FILE, [fact.to_line()])
    except OSError:
        _not_kept.append(fact)
        return NOT_KEPT.format(FOLDER / FILE)
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


def files(name):
    """The files of lines of this name ("": all), here and beside other lessons, with a synced folder's copies
    of them: `predictions (conflicted copy).jsonl`, `predictions.sync-conflict-20261123.jsonl`."""
    pattern = f"{Path(name).stem}*.jsonl"
    return [path for folder in lesson_folders() for path in sorted((folder / FOLDER).glob(pattern))]


def not_kept():
    """The lines of this kernel that no file holds."""
    return [fact.to_line() for fact in _not_kept]


def recall():
    """([Fact] in the order of time, each once, [sentence]) of this folder, of its neighbours, this kernel."""
    facts, said = list(_not_kept), []
    for path in files(FILE):
        found, told = read_file(path)
        facts, said = facts + found, said + told
    return in_order(facts), said


def in_order(facts):
    """The facts by time, in one order whatever files they come from; those that are written down twice count
    once."""
    return sorted(dict.fromkeys(facts), key=lambda fact: (fact.when, *map(str, vars(fact).values())))


def read_file(path):
    """([Fact], [sentence]) of a file, whatever is in it."""
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return [], [f"{place(path)} cannot be read: answers are remembered until the kernel stops."]
    return read_text(text, place(path))


def read_text(text, where):
    """The same of a text; `where` names it."""
    facts, broken, newer = [], 0, 0
    for line in filter(None, map(str.strip, text.split("\n"))):
        try:
            facts.append(from_line(line))
        except Newer:
            newer += 1
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            broken += 1
    said = []
    if broken:
        said.append(
            UNREADABLE.format(
                lines(broken), where, *(("is", "it is") if broken == 1 else ("are", "they are"))
            )
        )
    if newer:
        said.append(
            NEWER.format(lines(newer), where, *(("was", "it is") if newer == 1 else ("were", "they are")))
        )
    return facts, said


def lines(number):
    return "1 line" if number == 1 else f"{number} lines"


def place(path):
    """A path as a learner knows it: from this folder, or from the one above."""
    path, here = Path(path), Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path.relative_to(here.parent)
