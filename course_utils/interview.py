"""All of part 8: a program on a clock, a bug to find, flashcards. Each is loaded when this file is."""

from .practice.flashcards import flashcards
from .practice.interview import interview
from .practice.interview.hunt import bug_hunt

__all__ = ["bug_hunt", "flashcards", "interview"]
