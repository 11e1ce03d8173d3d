"""Plan a mock interview: a level comes in; its parts go out, each with the notes by which it is rated."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import SystemRandom

from .. import bugs, flashcards, interview
from ..bugs.program import levels as hunt_levels
from ..bugs.program import load
from ..card import sentences
from ..flashcards.deck import decks
from ..interview import texts, topics
from ..log import amount
from ..schedule import Item, select_fitting
from . import spoken
from .spoken import table

PRACTICE = {  # {kind of part, from kinds.toml: the kind of practice that its tasks belong to}
    "spoken": spoken.KIND, "design": spoken.KIND, "program": interview.KIND, "hunt": bugs.KIND,
    "cards": flashcards.KIND,
}  # fmt: skip
text = sentences(Path(__file__).with_name("sentences.toml"))


def levels():
    return table("plan")


@dataclass(frozen=True)
class Part:
    """kind: from kinds.toml. minutes: planned. names: of the tasks; several for bug hunts and flashcards."""

    kind: str
    minutes: float
    names: tuple

    @property
    def is_spoken(self):
        return PRACTICE[self.kind] is spoken.KIND

    @property
    def facts(self):
        """{name: the name of its facts}"""
        return {name: PRACTICE[self.kind].prefix + name for name in self.names}

    @cached_property
    def notes(self):
        """heading, title, criteria, listen, follow and hints; if known, revise (where the lessons teach it);
        for a question to answer aloud, prompt and answer."""
        first = self.names[0]
        if self.kind == "cards":
            own = {"title": amount(len(self.names), "flashcard")}
        elif self.kind == "hunt":
            own = {"title": "; ".join(load(name).title for name in self.names)}
        elif self.kind == "program":
            topic = topics.topic(first)
            own = {**texts.notes()[first], "title": topic.title, "revise": topic.parts[0].revise}
        else:
            own = table(self.kind)[first]
        return {"listen": [], "hints": [], "follow": [], **table("kinds")[self.kind], **own}

    @property
    def criteria(self):
        """{name: {title, looks}}: how the part is rated, in order."""
        return {name: table("rubric")[name] for name in self.notes["criteria"]}


def compose(level, avoid=frozenset(), random=None):
    """Choose [Part] whose minutes add up to 45; each asks as many tasks as fit, and at least one. avoid:
    names that are used only if there are no others."""
    parts, questions_used = [], set()
    for kind, minutes in levels()[level]["parts"]:
        names = [name for name in pool(kind, level) if name not in questions_used]
        names = [name for name in names if name not in avoid] or names
        (random or SystemRandom()).shuffle(names)
        minutes_of = PRACTICE[kind].minutes()
        items = [Item(PRACTICE[kind], name, minutes_of[name]) for name in names]
        selection = [item.name for item in select_fitting(items, minutes)] or names[:1]
        questions_used.update(selection)
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
