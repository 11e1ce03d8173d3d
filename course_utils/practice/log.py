"""The event log: JSON lines in the folder .progress, next to the notebook.

Events and Facts come in, and all records go out. `predictions.jsonl` holds Facts, one per answer;
`interviews`, `mocks` and `hunts` hold the events of sessions (session.py). Lines are only ever appended, so
the files of two machines can be concatenated in any order, and a broken line affects no other. What could not
be read or saved is noted here, and shown once, at the end of the learner's call (`card.for_learners`).
"""

import json
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime

from ..own.saved import FOLDER, lesson_folders

FACTS = "predictions"
VERSION = 1
NOT_READ = "Skipped because damaged or written by a newer version of the course: {}. All other lines count."
NAME = re.compile("[a-z]{1,40}")  # a file's name up to the dot, or to what a synced folder adds
UNSOUND = (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError)
NOT_SAVED = "{} cannot be written to: this counts until the kernel stops, but is not saved."
_backlog = {}  # {file name: lines that this kernel could not write}
_notes = []  # sentences on what could not be read or saved


@dataclass(frozen=True)
class Fact:
    """One answer to an item, right or wrong. when: in UTC."""

    name: str
    when: datetime
    right: bool

    def to_line(self):
        return line_of(name=self.name, when=self.when, right=self.right)

    @classmethod
    def from_line(cls, line):
        plain = read_line(line)
        fact = cls(plain["name"], plain["when"], plain["right"])
        if not isinstance(fact.name, str) or not isinstance(fact.right, bool):
            raise ValueError(line)
        return fact


def now():
    """The current time in UTC, cut to the millisecond as in a line."""
    time = datetime.now(UTC)
    return time.replace(microsecond=time.microsecond // 1000 * 1000)


def line_of(when, **fields):
    when = when.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return json.dumps({"v": VERSION, **fields, "when": when})


def read_line(line):
    """Parse a line into a dict, its time in UTC; raises one of UNSOUND if it is damaged or of a newer
    version."""
    plain = json.loads(line)
    when = datetime.fromisoformat(plain["when"])
    if plain["v"] > VERSION or when.tzinfo is None:
        raise ValueError(line)
    return {**plain, "when": when.astimezone(UTC)}


def take_notes():
    """The sentences on what could not be read or saved since the last call, each once."""
    notes = list(dict.fromkeys(_notes))
    _notes.clear()
    return notes


def remember(fact):
    write_line(FACTS, fact.to_line())


def write_line(name, line):
    """Append a line to a file, or note that this failed."""
    path = FOLDER / f"{name}.jsonl"
    try:
        add_lines(path, [line])
    except OSError:
        _backlog.setdefault(name, []).append(line)
        _notes.append(NOT_SAVED.format(path))


def add_lines(path, lines):
    """Append lines to a file, on a new line even if its last line was cut off."""
    path.parent.mkdir(exist_ok=True)
    with path.open("ab+") as file:
        if file.seek(0, 2):
            file.seek(-1, 2)
            lines = lines if file.read(1) == b"\n" else ["", *lines]
        file.write("".join(f"{line}\n" for line in lines).encode())
        file.flush()
        os.fsync(file.fileno())


def recall():
    """[Fact] of all lessons' folders and of this kernel, oldest first."""
    return in_order(read(FACTS, Fact.from_line))


def in_order(facts):
    """Facts without duplicates, oldest first; the order does not depend on the files they come from."""
    return sorted(set(facts), key=lambda fact: (fact.when, fact.name, fact.right))


def read(name, parse):
    """[parse(line)] of all files of this name. For a line that is not valid, `parse` raises one of UNSOUND;
    such lines are noted."""
    records = []
    for path, lines in lines_of_files(name):
        broken = 0
        for line in filter(None, map(str.strip, lines)):
            try:
                records.append(parse(line))
            except UNSOUND:
                broken += 1
        if broken:
            _notes.append(NOT_READ.format(f"{amount(broken, 'line')} of {os.path.relpath(path)}"))
    return records


def lines_of_files(name=""):
    """Iterate over (path, lines) of the files of one name, or of all: first what this kernel could not write,
    then this folder's and the other lessons', with a synced folder's copies: `predictions (conflicted
    copy).jsonl`, `predictions.sync-conflict-20261123.jsonl`."""
    yield from ((FOLDER / f"{own}.jsonl", lines) for own, lines in _backlog.items() if name in ("", own))
    for folder in lesson_folders():
        for path in sorted((folder / FOLDER).glob(f"{name}*.jsonl")):
            yield path, path.read_bytes().decode("utf-8", "replace").split("\n")


def amount(number, word):
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
