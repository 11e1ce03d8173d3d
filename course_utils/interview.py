"""interview(topic): write it from memory, on a clock, in any layout; then follow-ups, and a sheet.
flashcards(): short questions with the common wrong answer and a follow-up."""

from .practice.flashcards import flashcards
from .practice.interview import interview

__all__ = ["flashcards", "interview"]
