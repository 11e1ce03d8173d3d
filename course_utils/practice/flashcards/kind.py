"""Flashcards as a kind of question, for the schedule: names, minutes and titles go out, a name comes in."""

from .deck import decks
from .desk import flashcards
from .visit import LAST, PREFIX

__all__ = ["PREFIX", "ask", "ask_all", "items", "title"]
MINUTES = 1


def items():
    """{name: estimated minutes} of all cards."""
    return dict.fromkeys(decks()[0], MINUTES)


def title(name):
    """The card's line for a list, without the answer."""
    return decks()[0][name].title


def ask(name, then=LAST, since=None):
    """Show one card; answering or rating it is remembered as PREFIX + name. then: what is said after it."""
    flashcards.ask([name], then)


def ask_all(names):
    """Show these cards one after the other: what is typed goes to the one that is open."""
    flashcards.ask(names)
