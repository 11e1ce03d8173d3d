"""A level and a seed come in, the parts go out. The same seed gives the same parts on any machine."""

import secrets
from dataclasses import dataclass
from hashlib import sha256

from .kinds import TITLES, pool
from .levels import MINUTES
from .others import items

SEEDS, TRIES = 10_000, 100
ABSENT = "{} is left out, as this notebook does not have it: its {} minutes go to the program."
SEVERAL = ("hunt", "cards")
WHAT = {"hunt": "The bug hunt", "cards": "The part with flashcards"}


@dataclass(frozen=True)
class Part:
    """kind: as in levels.py. minutes: planned. names: what is asked; several for bugs and flashcards."""

    kind: str
    minutes: float
    names: tuple

    @property
    def title(self):
        return TITLES[self.kind]


def compose(level, seed):
    """([Part], [sentence on what was left out]); the minutes add up to 45."""
    parts, said, used = [], [], []
    for kind, minutes in level.parts:
        names = [name for name in shuffled(pool(kind, level), seed, kind) if name not in used]
        if not names:
            said.append(ABSENT.format(WHAT.get(kind, TITLES[kind]), minutes))
            continue
        chosen = that_fit(names, items(kind), minutes) if kind in SEVERAL else names[:1]
        used += chosen
        parts.append(Part(kind, minutes, tuple(chosen)))
    return with_all_minutes(parts), said


def with_all_minutes(parts):
    """The program gets the minutes of what was left out."""
    more = MINUTES - sum(part.minutes for part in parts)
    return [Part(part.kind, part.minutes + more * (part.kind == "program"), part.names) for part in parts]


def shuffled(names, seed, kind):
    """In an order that the seed makes: by hashes, so that a new name does not change that of the others."""
    return sorted(names, key=lambda name: sha256(f"{seed}:{kind}:{name}".encode()).digest())


def that_fit(names, minutes, most):
    """As many as fit into the minutes, in their order; one at least."""
    chosen, left = [], most
    for name in names:
        if minutes[name] <= left or not chosen:
            chosen.append(name)
            left -= minutes[name]
    return chosen


def fresh_seed(level, last):
    """A seed by chance that asks nothing that was asked the last time (a set of names), but for flashcards;
    as little as can be, where that is not found."""
    best, fewest = None, None
    for seed in (secrets.randbelow(SEEDS) for _ in range(TRIES)):
        same = len(last & names_of(compose(level, seed)[0]))
        if best is None or same < fewest:
            best, fewest = seed, same
        if not fewest:
            break
    return best


def names_of(parts):
    """What the parts ask, without flashcards."""
    return {name for part in parts if part.kind != "cards" for name in part.names}
