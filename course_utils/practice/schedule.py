"""The schedule: facts, a time and a number of minutes come in; due items, and a session that fits, go out."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest

from . import log
from .card import Card
from .due import history, state_of
from .kinds import Kind, kinds_of

NOTHING = "Nothing is due now."


@dataclass(frozen=True)
class Item:
    """An item to practise. name: within its kind. minutes: an estimate. due: when it is or was due again;
    None if it is new. right: was its last answer right?"""

    kind: Kind
    name: str
    minutes: float
    due: datetime | None = None
    right: bool = False

    @property
    def fact(self):
        """The name under which its facts are recorded."""
        return self.kind.prefix + self.name


def answered_items(facts, now):
    """[Item] of everything that was ever answered: first what was not known, then what was, by due time."""
    items, facts_of = [], history(facts)
    for kind in kinds_of(facts):
        for name, minutes in kind.minutes().items():
            if own := facts_of.get(kind.prefix + name):
                items.append(Item(kind, name, minutes, *state_of(own, now)))
    return sorted(items, key=lambda item: (item.right, item.due, item.fact))


def due_now(facts, now):
    return [item for item in answered_items(facts, now) if item.due <= now]


def new_items(facts):
    """[Item] never answered, to offer when time is left, kinds mixed; only of kinds and lessons begun."""
    answered, items = {fact.name for fact in facts}, []
    for kind in kinds_of(facts):
        minutes = kind.minutes()
        items += [Item(kind, name, minutes[name]) for name in kind.to_offer(facts)]
    return mix_kinds(item for item in items if item.fact not in answered)


def make_session(facts, now, minutes):
    """([Item] that fit into these minutes, [Item] that are due but longer than all of them): what was not
    known before what was, kinds mixed in both; new items fill the rest."""
    due = due_now(facts, now)
    order = [item for right in (False, True) for item in mix_kinds(i for i in due if i.right is right)]
    selection = select_fitting(order, minutes)
    left = minutes - sum(item.minutes for item in selection)
    longer = [item for item in due if item.minutes > minutes]
    return selection + select_fitting(new_items(facts), left), longer


def select_fitting(items, minutes):
    """Take the items in order, skipping those that no longer fit."""
    selection = []
    for item in items:
        if item.minutes <= minutes:
            selection.append(item)
            minutes -= item.minutes
    return selection


def mix_kinds(items):
    """Alternate between kinds; the items of one kind stay in order."""
    of_kind = defaultdict(list)
    for item in items:
        of_kind[item.kind.prefix].append(item)
    return [item for row in zip_longest(*of_kind.values()) for item in row if item is not None]


# ---- what a learner sees


def session_card(items, notes=()):
    """A Card with the items of a session, estimated minutes and how long each has been due; then notes."""
    rows = []
    for item in items:
        days = (log.now() - item.due).days if item.due else 0
        since = "new" if item.due is None else f"due for {log.amount(days, 'day')}" if days else "due today"
        rows.append((item.kind.title(item.name), log.amount(item.minutes, "minute"), since))
    card = Card(f"Session: {total_of(items)}.").table(rows) if items else Card(NOTHING)
    return card.quiet(*notes)


def longer_than(minutes, items):
    """[a sentence that names the due items that are too long for these minutes], or []."""
    titles = ", ".join(f"{item.kind.title(item.name)} ({item.minutes:g} minutes)" for item in items)
    return [f"Also due, and longer than {log.amount(minutes, 'minute')}: {titles}."] if items else []


def total_of(items, word="item"):
    """'3 items, about 5 minutes'"""
    minutes = sum(item.minutes for item in items)
    return f"{log.amount(len(items), word)}, about {log.amount(minutes, 'minute')}"


def due_lines(facts):
    """[a sentence on what is due now and within a day]; [] before the first answer."""
    now = log.now()
    items = answered_items(facts, now)
    due = [item for item in items if item.due <= now]
    soon = [item for item in items if now < item.due <= now + timedelta(days=1)]
    first = f"Due now: {total_of(due)}. `due(10)` makes a session of ten minutes." if due else NOTHING
    then = f"Within a day: {total_of(soon, 'more item' if due else 'item')}." if soon else ""
    return [f"{first} {then}".strip()] if items else []


def progress_lines():
    """What progress() shows below the exercises: how much of each kind was practised, and what is due."""
    facts, notes = log.recall()
    right, counts = {fact.name: fact.right for fact in facts}, []
    for kind in kinds_of(facts):
        names = {kind.prefix + name for name in kind.minutes()}
        if kind.head and names:
            last = [right[name] for name in names & right.keys()]
            practised = f"{len(last)} of {len(names)} practised, {sum(last)} right the last time"
            counts.append(f"{kind.head}: {practised}.")
    return [*filter(None, [" ".join(counts)]), *due_lines(facts), *notes]
