"""Trusted: what a worker sends comes in, Observations go out: right types, short printable texts, no more
entries than make sense."""

import re

from course_utils.model.case import Fact
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
        return [sanitized(Observation.from_plain(plain)) for plain in few(seen)]
    except (TypeError, ValueError):
        return "it sent what is no observation"


def sanitized(observation):
    """The same with every text made harmless."""
    for name in Observation.__dataclass_fields__:
        setattr(observation, name, harmless(getattr(observation, name)))
    if observation.problem and not MISTAKE.fullmatch(observation.problem[0]):
        observation.problem[0] = "wrong_interface"
    return observation


def harmless(value):
    """The same value, of any field of an observation, with short printable texts and few entries."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Fact):
        return Fact(clean(value.name), value.call)
    if isinstance(value, list):
        return [harmless(item) for item in few(value)]
    if isinstance(value, dict):
        return {harmless(key): harmless(item) for key, item in few(value).items()}
    return value


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
