"""Questions that are answered aloud, as a kind of practice: they come back as cards that a learner rates."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..card import Card
from ..flashcards import flashcards
from ..schedule import Kind

MINUTES = {"spoken": 3, "design": 10}  # {a file of questions: minutes for each}
HEAD = "margin-top:.5em;font-weight:600"


@cache
def table(name):
    """The content of a TOML file next to this one."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))


def questions():
    """{name: its table}: prompt, answer, listen, follow and more."""
    return {name: question for file in MINUTES for name, question in table(file).items()}


@dataclass(frozen=True)
class Spoken:
    """A question as flashcards ask it (desk.py there): no program can judge its answer. notes: its table."""

    fact: str
    title: str
    prompt: str
    notes: dict
    topic: str = "aloud"
    check: None = None

    def back(self):
        return add_answer(Card(), self.notes)


def ask(names):
    notes = [(KIND.prefix + name, questions()[name]) for name in names]
    flashcards.ask([Spoken(fact, own["title"], own["prompt"], own) for fact, own in notes])


def add_answer(card, notes):
    """Add a model answer, if there is one, what to listen for, follow-ups, and where the lessons teach it."""
    if "answer" in notes:
        card.say("A model answer:", style=HEAD).markdown(notes["answer"])
    card.points("To listen for", notes["listen"])
    card.points("Follow-ups", [" ".join(pair) for pair in notes["follow"]])
    return card.say(f"In the lessons: {notes['revise']}." if "revise" in notes else "")


KIND = Kind(
    prefix="aloud:",
    head="Spoken questions",
    minutes=lambda: {name: minutes for file, minutes in MINUTES.items() for name in table(file)},
    title=lambda name: f"Aloud: {questions()[name]['title']}",
    ask=ask,
    new=lambda _: [],  # a mock interview asks the new ones
    desk="flashcards",
)
