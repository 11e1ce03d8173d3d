"""Trusted: what a worker says it saw, made harmless: right types, short printable texts, no more entries than make sense."""

import re

from course_utils.model.observation import Observation

MISTAKE = re.compile(r"[a-z_]{1,40}")
LONGEST, MOST_ENTRIES = 400, 64
UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\U000e0000-\U000e0fff]+"
)


def observations(seen, failed=None):
    """[Observation], None for "not defined", or a sentence that says why there is none."""
    if failed is not None:
        return sentence(failed) or "it failed"
    if seen is None:
        return None
    try:
        return [tamed(Observation.from_plain(plain)) for plain in few(seen)]
    except (TypeError, ValueError):
        return "it sent what is no observation"


def tamed(observation):
    """The same with every text made harmless."""
    for name in ("values", "errors", "where", "narrow", "gradients"):
        if isinstance(getattr(observation, name), dict):
            few(getattr(observation, name))
    observation.values = {key: text_or(value) for key, value in observation.values.items()}
    observation.narrow = {key: narrow(value) for key, value in observation.narrow.items()}
    observation.errors = {key: clean(value) for key, value in observation.errors.items()}
    observation.where = {key: clean(value) for key, value in observation.where.items()}
    for name in ("second", "met", "gradients", "printed"):
        setattr(observation, name, text_or(getattr(observation, name)))
    for name in ("raised", "problem", "changed", "moved"):
        words = getattr(observation, name)
        setattr(observation, name, words and [clean(word) for word in few(words)])
    if observation.problem and not MISTAKE.fullmatch(observation.problem[0]):
        observation.problem[0] = "wrong_interface"
    return observation


def narrow(value):
    return (
        {key: text_or(item) for key, item in few(value).items()} if isinstance(value, dict) else clean(value)
    )


def text_or(value):
    return clean(value) if isinstance(value, str) else value


def few(entries):
    if len(entries) > MOST_ENTRIES:
        raise ValueError("too many entries")
    return entries


def sentence(text):
    """A text for a person, or None for what is no text."""
    return clean(text) if isinstance(text, str) else None


def clean(text):
    """Short, on one line, without control characters, changes of direction, or halves of characters."""
    return UNPRINTABLE.sub(" ", text[: 2 * LONGEST])[:LONGEST]
