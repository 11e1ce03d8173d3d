"""Flashcards: `desk.py` is what a learner calls, `decks/` holds the cards. As a kind of practice
(schedule.py), names, minutes and titles go out, and a name comes in."""

from .deck import decks
from .desk import PREFIX, Flashcards

__all__ = ["PREFIX", "ask", "ask_all", "flashcards", "items", "title"]
MINUTES = 1
flashcards = Flashcards()
ask_all = flashcards.ask  # one after the other: what is typed goes to the one that is open


def items():
    return dict.fromkeys(decks(), MINUTES)


def title(name):
    return decks()[name].title


def ask(name):
    """Show one card; answering or rating it is remembered as PREFIX + name."""
    flashcards.ask([name])
