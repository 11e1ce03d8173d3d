"""Flashcards as a kind of question, for the schedule: names, minutes and titles go out, a name comes in."""

from .deck import decks
from .desk import ask_cards, flashcards
from .visit import LAST, PREFIX

__all__ = ["PREFIX", "ask", "items", "title"]
MINUTES = 1


def items():
    """{name: estimated minutes} of all cards."""
    return dict.fromkeys(decks()[0], MINUTES)


def title(name):
    """The card's line for a list, without the answer."""
    return decks()[0][name].title


def ask(name, then=LAST):
    """Show one card; answering or rating it is remembered as PREFIX + name. `then` says what to type after
    it."""
    ask_cards(flashcards, [decks()[0][name]], then)
