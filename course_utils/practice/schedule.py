"""Spaced repetition: facts (recorded answers), a time and a number of minutes come in; what is due, and a
session that fits, go out.

The rule: a wrong answer brings an item back after 1 day. Consecutive right answers bring it back after 1, 3,
7, 21 and then always 60 days, counted from the answer. A wrong answer always counts, a right answer only if
the item is new or due; so answering twice in a day advances it only once.

Here, n days are 24 n - 4 hours: an item answered yesterday evening is due this evening, even a little
earlier. No calendar is used, so time zones and servers' clocks make no difference.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from importlib.util import find_spec
from itertools import zip_longest

from . import log
from .card import Card
from .log import Fact

DAYS = 1, 3, 7, 21, 60
EARLY = timedelta(hours=4)
AFTER = timedelta(days=1) - EARLY
NOTHING = "Nothing is due now."
MODULES = {  # {what the names of a kind's facts begin with: where its Kind is}
    "": "ask",
    "memory:": "from_memory",
    "card:": "flashcards",
    "hunt:": "bugs",
    "interview:": "interview",
    "aloud:": "mock",
}
ALWAYS = "", "memory:"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of practice. prefix: the names of its facts begin with it. head: its name in progress(), "" to
    leave it out.

    minutes(): {name: estimated minutes} of all its items; quick, as every list calls it. title(name): a short
    line for a list, which does not give the answer away. ask(names): shows items; answering one records a
    Fact. new(facts): the names to offer when time is left; by default all. at_once: how many to ask at a
    time. desk: the object that takes typed answers to the open item; "" if a typed answer names its item.
    """

    prefix: str
    minutes: Callable[[], dict[str, float]]
    title: Callable[[str], str]
    ask: Callable[[list[str]], None]
    new: Callable[[list[Fact]], list[str]] | None = None
    head: str = ""
    at_once: int = 3
    desk: str = ""


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


def kinds_of(facts):
    """[Kind]: those that are always practised, and those with a fact. Most are imported only then, and a
    notebook that works alone (in Colab) may not carry them."""
    begun = {fact.name.partition(":")[0] + ":" for fact in facts} | {*ALWAYS}
    modules = [f".{module}" for prefix, module in MODULES.items() if prefix in begun]
    return [import_module(name, __package__).KIND for name in modules if find_spec(name, __package__)]


# ---- the rule


def state_of(facts, now):
    """(when an item is due again, was the last answer right?). facts: the item's, one or more, oldest first.

    A fact from more than a day ahead comes from a wrong clock and is ignored until then. Without another
    fact, the item is due now.
    """
    in_a_row, right, due = 0, False, None
    for fact in facts:
        if fact.when > now + timedelta(days=1):
            break
        right = fact.right
        if not right:
            in_a_row, due = 0, fact.when + AFTER
        elif due is None or fact.when >= due:
            in_a_row += 1
            due = fact.when + timedelta(days=DAYS[min(in_a_row, len(DAYS)) - 1]) - EARLY
    return due or now, right


def states(facts, now):
    """{name of an answered item: its state}"""
    facts_of = defaultdict(list)
    for fact in facts:
        facts_of[fact.name].append(fact)
    return {name: state_of(own, now) for name, own in facts_of.items()}


def in_turn(names, prefix, facts, now):
    """A kind's names in the order in which to ask them: those due, longest first; those never answered; the
    rest by due time. prefix: of the names of the kind's facts."""
    state = states(facts, now)
    due = {name: state[prefix + name][0] for name in names if prefix + name in state}
    when = sorted(due, key=lambda name: due[name])
    new = [name for name in names if name not in due]
    return [name for name in when if due[name] <= now] + new + [name for name in when if due[name] > now]


# ---- a session


def answered_items(facts, now):
    """[Item] of everything that was ever answered: first what was not known, then what was, by due time."""
    items, state = [], states(facts, now)
    for kind in kinds_of(facts):
        for name, minutes in kind.minutes().items():
            if kind.prefix + name in state:
                items.append(Item(kind, name, minutes, *state[kind.prefix + name]))
    return sorted(items, key=lambda item: (item.right, item.due, item.fact))


def due_now(facts, now):
    return [item for item in answered_items(facts, now) if item.due <= now]


def new_items(facts):
    """[Item] never answered, to offer when time is left, kinds mixed; only of kinds and lessons begun."""
    answered, items = {fact.name for fact in facts}, []
    for kind in kinds_of(facts):
        minutes = kind.minutes()
        items += [Item(kind, name, minutes[name]) for name in (kind.new(facts) if kind.new else minutes)]
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


def session_card(items, longer=(), minutes=0):
    """A Card with the items of a session, estimated minutes and how long each has been due; below, the due
    items that are too long for these minutes."""
    rows = []
    for item in items:
        days = (log.now() - item.due).days if item.due else 0
        since = "new" if item.due is None else f"due for {log.amount(days, 'day')}" if days else "due today"
        rows.append((item.kind.title(item.name), log.amount(item.minutes, "minute"), since))
    card = Card(f"Session: {total_of(items)}.").table(rows) if items else Card(NOTHING)
    titles = ", ".join(f"{item.kind.title(item.name)} ({item.minutes:g} minutes)" for item in longer)
    return card.quiet(
        f"Also due, and longer than {log.amount(minutes, 'minute')}: {titles}." if longer else ""
    )


def total_of(items, word="item"):
    """'3 items, about 5 minutes'"""
    minutes = sum(item.minutes for item in items)
    return f"{log.amount(len(items), word)}, about {log.amount(minutes, 'minute')}"


def due_line(facts):
    """A sentence on what is due now and within a day; "" before the first answer."""
    now = log.now()
    items = answered_items(facts, now)
    due = [item for item in items if item.due <= now]
    soon = [item for item in items if now < item.due <= now + timedelta(days=1)]
    first = f"Due now: {total_of(due)}. `due(10)` makes a session of ten minutes." if due else NOTHING
    then = f"Within a day: {total_of(soon, 'more item' if due else 'item')}." if soon else ""
    return f"{first} {then}".strip() if items else ""


def progress_lines():
    """What progress() shows below the exercises: how much of each kind was practised, and what is due."""
    facts = log.recall()
    right, counts = {fact.name: fact.right for fact in facts}, []
    for kind in kinds_of(facts):
        names = {kind.prefix + name for name in kind.minutes()}
        if kind.head and names:
            last = [right[name] for name in names & right.keys()]
            practised = f"{len(last)} of {len(names)} practised, {sum(last)} right the last time"
            counts.append(f"{kind.head}: {practised}.")
    return " ".join(counts), due_line(facts)
