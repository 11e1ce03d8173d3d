"""The texts of an interview: its questions about costs, judged like those of `predict`, and its sentences."""

from pathlib import Path

from ..card import sentences
from ..questions import questions_in

QUESTIONS = questions_in(Path(__file__).with_name("questions.toml"))
text = sentences(Path(__file__).with_name("sentences.toml"))


def named_mistake(mistake, *values):
    """(mistake, its sentence with the values filled in)."""
    return mistake, text(mistake, *values)
