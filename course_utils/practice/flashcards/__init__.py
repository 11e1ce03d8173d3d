"""Flashcards, as a kind of practice (kinds.py): `desk.py` has what a learner calls, `decks/` the cards."""

from .deck import decks
from .desk import PREFIX, Flashcards

__all__ = ["PREFIX", "ask", "ask_all", "flashcards", "items", "title"]
MINUTES = 1
flashcards = Flashcards()
ask_all = flashcards.ask  # one after the other: an answer goes to the open card


def items():
    return dict.fromkeys(decks(), MINUTES)


def title(name):
    return decks()[name].title


def ask(name):
    """Show one card; answering or rating it records a Fact called PREFIX + name."""
    flashcards.ask([name])
