"""All of part 8: a program on a clock, a bug to find, flashcards, and 45 minutes of all of them."""

from .practice.flashcards import flashcards
from .practice.interview import interview
from .practice.interview.hunt import bug_hunt
from .practice.interview.mock import mock_interview

__all__ = ["bug_hunt", "flashcards", "interview", "mock_interview"]
