"""Flashcards: a few are asked one after the other; answers are recorded, and the cards come back.

`desk.py` has what a learner calls, `deck.py` reads the cards from `decks/`.
"""

from ..kinds import Kind
from .deck import decks
from .desk import PREFIX, Flashcards

MINUTES = 1
flashcards = Flashcards()
KIND = Kind(
    prefix=PREFIX,
    head="Flashcards",
    minutes=lambda: dict.fromkeys(decks(), MINUTES),
    title=lambda name: decks()[name].title,
    ask=lambda names: flashcards.ask([decks()[name] for name in names]),
    desk="flashcards",
)
