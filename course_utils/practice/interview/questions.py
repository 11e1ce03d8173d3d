"""The questions between the parts of an interview, about costs: asked and judged as those of `predict`
are."""

from pathlib import Path

from ..questions import questions_in

QUESTIONS = questions_in(Path(__file__).with_name("questions.toml"))
