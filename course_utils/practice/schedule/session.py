"""Facts, a time and minutes come in, a session goes out: what is due, oldest first, then a few new items."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from types import ModuleType

from ..due import due_again
from .kinds import kinds_of, prefix_of


@dataclass(frozen=True)
class Item:
    """name: as its kind knows it. minutes: an estimate. due: since when, or when; None if it is new."""

    kind: ModuleType
    name: str
    minutes: float
    due: datetime | None = None

    @property
    def fact(self):
        """The name of its facts."""
        return self.kind.PREFIX + self.name


@dataclass(frozen=True)
class Session:
    """items: in the order in which they are asked. longer: due, and longer than the whole session."""

    items: list
    longer: list


def answered(facts, now):
    """[Item] of all that was ever answered, by the time when it is due again."""
    facts_of = defaultdict(list)
    for fact in facts:
        facts_of[fact.name].append(fact)
    found = []
    for kind in kinds_of(facts):
        items = kind.items()
        for fact, its in facts_of.items():
            name = fact.removeprefix(kind.PREFIX)
            if prefix_of(fact) == kind.PREFIX and name in items:
                found.append(Item(kind, name, items[name], due_again(its, now)))
    return sorted(found, key=lambda item: (item.due, item.fact))


def due_now(facts, now):
    return [item for item in answered(facts, now) if item.due <= now]


def new_items(facts):
    """[Item] that may be added when time is left, kinds mixed: of kinds and lessons that were begun."""
    known, found = {fact.name for fact in facts}, []
    for kind in kinds_of(facts):
        minutes = kind.items()
        names = kind.new(facts) if hasattr(kind, "new") else minutes
        found += [Item(kind, name, minutes[name]) for name in names if kind.PREFIX + name not in known]
    return mixed(found)


def make_session(facts, now, minutes):
    """What fits into these minutes: what has been due longest, then new items in the time that is left."""
    due = due_now(facts, now)
    chosen = fitting(due, minutes)
    chosen = mixed(chosen) + fitting(new_items(facts), minutes - minutes_of(chosen))
    return Session(chosen, [item for item in due if item.minutes > minutes])


def fitting(items, minutes):
    """The items in order, without those that no longer fit."""
    chosen = []
    for item in items:
        if item.minutes <= minutes:
            chosen.append(item)
            minutes -= item.minutes
    return chosen


def mixed(items):
    """Kinds in turn, each in the order in which its items came."""
    of_kind = defaultdict(list)
    for item in items:
        of_kind[item.kind.PREFIX].append(item)
    return [item for some in zip_longest(*of_kind.values()) for item in some if item is not None]


def minutes_of(items):
    return sum(item.minutes for item in items)
