"""A level and a seed come in, the parts go out, with what an interviewer knows of each. The same seed gives
the same parts on any machine. plan.toml has the levels, kinds.toml the kinds of parts; spoken, design, hunts
and rubric the texts."""

import secrets
import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path

from .. import bugs, flashcards
from ..bugs.program import load
from ..flashcards.deck import decks
from ..interview import models, topics
from ..log import counted
from ..schedule import Item, fitting

SEEDS, TRIES = 10_000, 300
KINDS = {"hunt": bugs, "cards": flashcards}  # of which as many are asked as fit
WHEN = ("after two minutes without a line", "if the same error comes twice", "when half of the time is over")


@cache
def table(name):
    """The content of a TOML file beside this one."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))


def levels():
    return table("plan")


@dataclass(frozen=True)
class Part:
    """kind: as in kinds.toml. minutes: planned. names: what is asked; several for bugs and flashcards."""

    kind: str
    minutes: float
    names: tuple

    @property
    def heading(self):
        return table("kinds")[self.kind]["title"]

    @cached_property
    def notes(self):
        """What the interviewer knows: its title in one line; and where there are any, revise (where the
        lessons teach it), criteria, listen, hints, follow, and for a question aloud prompt and answer."""
        first = self.names[0]
        if self.kind == "cards":
            return {"title": counted(len(self.names), "flashcard")}
        if self.kind == "hunt":
            return {"title": "; ".join(load(name).title for name in self.names), **table("hunts")}
        if self.kind == "program":
            notes, topic = models.notes()[first], topics.topic(first)
            hints = list(zip(WHEN, notes["hints"], strict=False))
            return {**notes, "title": topic.title, "revise": topic.parts[0].revise, "hints": hints}
        return table(self.kind)[first]

    @property
    def criteria(self):
        """{name: {title, looks}} by which it is rated, in their order."""
        names = self.notes.get("criteria") or table("kinds")[self.kind]["criteria"]
        return {name: table("rubric")[name] for name in names}


def paragraphs(text):
    """The paragraphs of an answer, each on one line."""
    return [" ".join(part.split()) for part in text.split("\n\n")]


def compose(level, seed, avoid=frozenset()):
    """[Part] whose minutes add up to 45, of names that are not to be avoided, as far as there are others.
    Hashes make the order, so that a new name does not change that of the others."""
    parts, used = [], set()
    for kind, minutes in levels()[level]["parts"]:
        hashes = {name: sha256(f"{seed}:{kind}:{name}".encode()).digest() for name in pool(kind, level)}
        names = [name for name in sorted(hashes, key=hashes.get) if name not in used]
        names = [name for name in names if name not in avoid] or names
        items = [Item(KINDS[kind], name, KINDS[kind].items()[name]) for name in names if kind in KINDS]
        selection = [item.name for item in fitting(items, minutes)] or names[:1]
        used.update(selection)
        parts.append(Part(kind, minutes, tuple(selection)))
    return parts


def pool(kind, level):
    """The names to choose from for a part of this kind, at this level."""
    about = levels()[level]
    if kind == "program":
        return about["programs"]
    if kind == "cards":
        return [name for name, card in decks().items() if int(card.section[0]) in about["lessons"]]
    if kind == "hunt":
        minutes = bugs.items()
        names = sorted(minutes, key=lambda name: (minutes[name], name))
        half = len(names) // 2
        return {"shorter": names[: half + 1], "longer": names[half:], "all": names}[about["hunts"]]
    return [name for name, item in table(kind).items() if level in item["levels"]]


def fresh(level, avoid):
    """(seed, [Part]) by chance that ask nothing of `avoid`. Where no seed does, there is none: (None,
    [Part])."""
    for seed in (secrets.randbelow(SEEDS) for _ in range(TRIES)):
        parts = compose(level, seed)
        if not any(name in avoid for part in parts for name in part.names):
            return seed, parts
    return None, compose(level, secrets.randbelow(SEEDS), avoid)
