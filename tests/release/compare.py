"""Compare two sets of outcomes; changed.json lists the intended differences."""

import json
from dataclasses import dataclass
from fnmatch import fnmatchcase

from .record import HERE


@dataclass
class Change:
    """An intended difference. Other fields are patterns; "nothing" in `was` or `now` is a missing outcome.
    words_only: the mistake's name and sentence may differ, status and points may not."""

    reason: str
    record: str = "*"
    who: str = "*"
    was: str = "*"
    now: str = "*"
    words_only: bool = False

    def covers(self, record, who, was, now):
        if self.words_only and not (was and now and was[:2] == now[:2]):
            return False
        arguments = (record, who, text(was), text(now))
        return all(map(fnmatchcase, arguments, (self.record, self.who, self.was, self.now)))


def text(outcome):
    return "nothing" if outcome is None else str(outcome)


def intended_changes():
    return [Change(**entry) for entry in json.loads((HERE / "changed.json").read_text(encoding="utf-8"))]


def differences(record, recorded, result, changes=()):
    """{(who, was, now): seeds} of all differences that are not intended."""
    differing = {}
    for who, seed in sorted(recorded.keys() | result.keys()):
        was, now = recorded.get((who, seed)), result.get((who, seed))
        if was != now and not any(change.covers(record, who, was, now) for change in changes):
            differing.setdefault((who, text(was), text(now)), []).append(seed)
    return differing
