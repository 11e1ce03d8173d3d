"""Turn what a worker sends into Observations that are safe to use and to print: with the right types, short
printable texts, and at most MOST_ENTRIES entries in each list and dict. Trusted code."""

import re
from typing import NamedTuple

from course_utils.model.case import Fact
from course_utils.model.observation import Observation

MISTAKE_NAME = re.compile(r"[a-z_]{1,40}")
LONGEST, MOST_ENTRIES, LARGEST = 400, 64, 2**40
NO_OBSERVATION = "it sent something that is not an observation"
UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    r"\ud800-\udfff\ufeff\ufff0-\ufffc\ufffe\uffff\U000e0000-\U000e0fff]+"
)


class Failure(NamedTuple):
    """Why a cell or an observation ended early: an exception's type and message, or the grader's own reason.
    The type of the grader's own reason is "" or "a lost process"."""

    type: str
    message: str

    def __str__(self):
        return ": ".join(filter(None, self))


def observations(messages, failed=None):
    """Return [Observation], None for "not defined", or a Failure that says why nothing was observed."""
    if failed is not None:
        return parse_failure(failed) or Failure("", "it failed")
    if messages is None:
        return None
    try:
        return [sanitize_observation(Observation.from_plain(plain)) for plain in check_length(messages)]
    except (TypeError, ValueError):
        return Failure("", NO_OBSERVATION)


def sanitize_observation(observation):
    """Make every field of the Observation harmless, in place, and return it."""
    for name in Observation.__dataclass_fields__:
        setattr(observation, name, sanitize_value(getattr(observation, name)))
    if observation.problem and not MISTAKE_NAME.fullmatch(observation.problem[0]):
        observation.problem[0] = "wrong_interface"
    return observation


def sanitize_value(value):
    """Return a field's value with short printable texts; raise ValueError if it is too large or too long."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, int) and abs(value) > LARGEST:
        raise ValueError("too large a number")
    if isinstance(value, Fact):
        return Fact(clean(value.name), sanitize_value(value.call))
    if isinstance(value, list):
        return [sanitize_value(item) for item in check_length(value)]
    if isinstance(value, dict):
        return {sanitize_value(key): sanitize_value(item) for key, item in check_length(value).items()}
    return value


def check_length(entries):
    if len(entries) > MOST_ENTRIES:
        raise ValueError("too many entries")
    return entries


def parse_failure(message):
    """Return [type, message] as a Failure; None for anything else."""
    is_pair = isinstance(message, list) and len(message) == 2 and all(isinstance(p, str) for p in message)
    return Failure(*map(clean, message)) if is_pair and any(message) else None


def clean(text):
    """Return at most LONGEST characters on one line, without control and invisible characters, marks that
    change the direction of writing, and lone surrogates."""
    return UNPRINTABLE.sub(" ", text[: 2 * LONGEST])[:LONGEST]
