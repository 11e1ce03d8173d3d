"""decks/TOPIC.toml and what a learner types or clicks come in, flashcards and remembered facts go out."""

from . import kind  # so that a notebook that works alone brings it along, for the schedule
from .desk import flashcards

__all__ = ["flashcards", "kind"]
