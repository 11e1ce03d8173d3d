"""decks/TOPIC.toml and what a learner types or clicks come in, flashcards and remembered facts go out."""

from .desk import flashcards

__all__ = ["flashcards"]
