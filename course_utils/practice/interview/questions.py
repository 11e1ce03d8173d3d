"""What an interview asks and says: the questions between its parts, about costs, which are asked and judged
as those of `predict` are, and the sentences of its cards."""

from pathlib import Path

from ..card import sentences
from ..questions import questions_in

QUESTIONS = questions_in(Path(__file__).with_name("questions.toml"))
text = sentences(Path(__file__).with_name("sentences.toml"))


def named_mistake(mistake, *values):
    """(mistake, its sentence)."""
    return mistake, text(mistake, *values)
