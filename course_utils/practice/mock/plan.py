"""A level and a seed come in, the parts of a mock interview go out, with what an interviewer needs for each.
The same seed gives the same parts on any machine."""

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path

from .. import bugs, flashcards
from ..bugs.program import levels as hunt_levels
from ..bugs.program import load
from ..card import sentences
from ..flashcards.deck import decks
from ..interview import models, topics
from ..log import counted
from ..schedule import Item, fitting

KINDS = {"hunt": bugs, "cards": flashcards}  # of which as many are asked as fit


@cache
def table(name):
    """The content of a TOML file beside this one."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))


def levels():
    return table("plan")


text = sentences(Path(__file__).with_name("sentences.toml"))


@dataclass(frozen=True)
class Part:
    """kind: as in kinds.toml. minutes: planned. names: what is asked; several for bugs and flashcards."""

    kind: str
    minutes: float
    names: tuple

    @cached_property
    def notes(self):
        """What the interviewer needs: heading, title and criteria; and where there are any, revise (where the
        lessons teach it), listen, hints, follow, and for a question aloud prompt and answer."""
        first, kind = self.names[0], table("kinds")[self.kind]
        if self.kind == "cards":
            own = {"title": counted(len(self.names), "flashcard")}
        elif self.kind == "hunt":
            own = {"title": "; ".join(load(name).title for name in self.names)}
        elif self.kind == "program":
            topic, own = topics.topic(first), models.notes()[first]
            hints = list(zip(kind["when"], own["hints"], strict=False))
            own = {**own, "title": topic.title, "revise": topic.parts[0].revise, "hints": hints}
        else:
            own = table(self.kind)[first]
        return {"listen": [], "hints": [], "follow": [], **kind, **own}

    @property
    def criteria(self):
        """{name: {title, looks}} by which it is rated, in their order."""
        return {name: table("rubric")[name] for name in self.notes["criteria"]}


def paragraphs(answer):
    """The paragraphs of an answer, each on one line."""
    return [" ".join(part.split()) for part in answer.split("\n\n")]


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
        return [name for name, number in hunt_levels().items() if number in about["hunts"]]
    return [name for name, item in table(kind).items() if level in item["levels"]]
