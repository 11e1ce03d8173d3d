"""Plan a mock interview: a level comes in; its parts go out, each with the notes by which it is rated.

Also the questions that are answered aloud, as a kind of practice: they come back as cards that a learner
rates.
"""

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from random import SystemRandom

from .. import bugs, flashcards, interview
from ..bugs.program import levels as hunt_levels
from ..bugs.program import load
from ..card import Card, sentences
from ..flashcards.deck import decks
from ..interview import texts, topics
from ..log import amount
from ..schedule import Item, Kind, select_fitting

MINUTES = {"spoken": 3, "design": 10}  # {a file of questions: minutes for each}
HEAD = "margin-top:.5em;font-weight:600"
text = sentences(Path(__file__).with_name("sentences.toml"))


@cache
def table(name):
    """The content of a TOML file next to this one."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))


def levels():
    return table("plan")


# ---- questions that are answered aloud


@dataclass(frozen=True)
class Spoken:
    """A question as flashcards ask it: no program can judge its answer. notes: its table."""

    fact: str
    title: str
    prompt: str
    notes: dict
    topic: str = "aloud"
    check: None = None

    def back(self):
        return add_answer(Card(), self.notes)


def questions():
    """{name: its table}: prompt, answer, listen, follow and more."""
    return {name: question for file in MINUTES for name, question in table(file).items()}


def ask(names):
    notes = [(SPOKEN.prefix + name, questions()[name]) for name in names]
    flashcards.flashcards.ask([Spoken(fact, own["title"], own["prompt"], own) for fact, own in notes])


def add_answer(card, notes):
    """Add a model answer, if there is one, what to listen for, follow-ups, and where the lessons teach it."""
    if "answer" in notes:
        card.say("A model answer:", style=HEAD).markdown(notes["answer"])
    card.points("To listen for", notes["listen"])
    card.points("Follow-ups", [" ".join(pair) for pair in notes["follow"]])
    return card.say(f"In the lessons: {notes['revise']}." if "revise" in notes else "")


SPOKEN = Kind(
    prefix="aloud:",
    head="Spoken questions",
    minutes=lambda: {name: minutes for file, minutes in MINUTES.items() for name in table(file)},
    title=lambda name: f"Aloud: {questions()[name]['title']}",
    ask=ask,
    new=lambda _: [],  # a mock interview asks the new ones
    desk="flashcards",
)
PRACTICE = {  # {kind of part, from kinds.toml: the kind of practice that its tasks belong to}
    "spoken": SPOKEN,
    "design": SPOKEN,
    "program": interview.KIND,
    "hunt": bugs.KIND,
    "cards": flashcards.KIND,
}


# ---- the parts


@dataclass(frozen=True)
class Part:
    """kind: from kinds.toml. minutes: planned. names: of the tasks; several for bug hunts and flashcards."""

    kind: str
    minutes: float
    names: tuple

    @property
    def is_spoken(self):
        return PRACTICE[self.kind] is SPOKEN

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


def compose(level, avoid: Collection[str] = (), random=None):
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
