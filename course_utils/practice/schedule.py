"""Facts, a time and minutes come in; what is due, and sessions of a few minutes of all kinds, go out."""

import sys
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest

from . import log
from .card import Card
from .due import due_again, history
from .kinds import IN_ALL, kinds_of, prefix_of
from .questions import published

SOON = timedelta(days=1)
NOTHING = "Nothing is due now."
WITHIN_A_DAY = "Within a day: {}."
LONGER = "Also due, and longer than {}: {}."
DUE = "Due now: {}. `due(10)` makes a session of ten minutes{}."
IMPORT = ", after `from course_utils import due`"
PRACTISED = "{}: {} of {} practised, {} right the last time."


@dataclass(frozen=True)
class Item:
    """kind: from kinds.py. name: as its kind knows it. minutes: an estimate. due: since when, or when; None
    if it is new."""

    kind: object
    name: str
    minutes: float
    due: datetime | None = None

    @property
    def fact(self):
        """The name of its facts."""
        return self.kind.PREFIX + self.name

    def row(self, now):
        """What it is, how long it takes, and since when it is due."""
        days = (now - self.due).days if self.due else 0
        since = "new" if self.due is None else f"due for {log.counted(days, 'day')}" if days else "due today"
        return self.kind.title(self.name), log.counted(self.minutes, "minute"), since


def answered(facts, now):
    """[Item] of all that was ever answered, by the time when it is due again."""
    items, facts_of = [], history(facts)
    for kind in kinds_of(facts):
        minutes = kind.items()
        for fact, own in facts_of.items():
            name = fact.removeprefix(kind.PREFIX)
            if prefix_of(fact) == kind.PREFIX and name in minutes:
                items.append(Item(kind, name, minutes[name], due_again(own, now)))
    return sorted(items, key=lambda item: (item.due, item.fact))


def due_now(facts, now):
    return [item for item in answered(facts, now) if item.due <= now]


def new_items(facts):
    """[Item] that may be added when time is left, kinds mixed: of kinds and lessons that were begun."""
    names_now, items = {fact.name for fact in facts}, []
    for kind in kinds_of(facts):
        minutes = kind.items()
        names = kind.new(facts) if hasattr(kind, "new") else minutes
        items += [Item(kind, name, minutes[name]) for name in names if kind.PREFIX + name not in names_now]
    return mixed(items)


def make_session(facts, now, minutes):
    """([Item] that fit into these minutes, [Item] that are due and longer than all of them). What has been
    due longest comes first, then new items in the time that is left."""
    due = due_now(facts, now)
    selection = fitting(due, minutes)
    selection = mixed(selection) + fitting(
        new_items(facts), minutes - sum(item.minutes for item in selection)
    )
    return selection, [item for item in due if item.minutes > minutes]


def fitting(items, minutes):
    """The items in order, without those that no longer fit."""
    selection = []
    for item in items:
        if item.minutes <= minutes:
            selection.append(item)
            minutes -= item.minutes
    return selection


def mixed(items):
    """Kinds in turn, each in the order in which its items came."""
    of_kind = defaultdict(list)
    for item in items:
        of_kind[item.kind.PREFIX].append(item)
    return [item for row in zip_longest(*of_kind.values()) for item in row if item is not None]


# ---- what a person sees


def session_card(items, notes=()):
    """The list of a session, with estimated minutes; then notes."""
    card, now = Card(f"Session: {counted(items)}." if items else NOTHING), log.now()
    return (card.table([item.row(now) for item in items]) if items else card).quiet(*notes)


def longer_than(minutes, items):
    """[the sentence that names what is due and does not fit into these minutes], or []."""
    titles = ", ".join(f"{item.kind.title(item.name)} ({item.minutes:g} minutes)" for item in items)
    return [LONGER.format(log.counted(minutes, "minute"), titles)] if items else []


def counted(items, word="item"):
    """'3 items, about 5 minutes'"""
    minutes = sum(item.minutes for item in items)
    return f"{log.counted(len(items), word)}, about {log.counted(minutes, 'minute')}"


def due_lines(facts):
    """What is due now and within a day; nothing before the first answer."""
    now = log.now()
    items = answered(facts, now)
    due = [item for item in items if item.due <= now]
    soon = [item for item in items if now < item.due <= now + SOON]
    missing = "due" not in vars(sys.modules["__main__"])
    first = DUE.format(counted(due), IMPORT if missing else "") if due else NOTHING
    then = WITHIN_A_DAY.format(counted(soon, "more item" if due else "item")) if soon else ""
    return [f"{first} {then}".strip()] if items else []


def progress_lines():
    """What progress() says below the exercises: what was answered of each kind, and what is due."""
    facts, notes = log.recall()
    counted_kinds = [
        kind for kind in kinds_of(facts) if kind.PREFIX in IN_ALL and (kind.PREFIX or published())
    ]
    lines = [" ".join(count(kind, facts) for kind in counted_kinds)]
    return [*filter(None, lines), *due_lines(facts), *notes]


def count(kind, facts):
    """How many items of a kind were answered, how many there are, and how many were right the last time."""
    named = kind.new(facts) if kind.PREFIX and hasattr(kind, "new") else kind.items()
    every = {kind.PREFIX + name for name in named}
    last = {fact.name: fact.right for fact in facts if fact.name in every}
    return PRACTISED.format(IN_ALL[kind.PREFIX], len(last), len(every), sum(last.values()))
