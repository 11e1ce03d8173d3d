"""Turn what a worker sends into Observations that are safe to use and to print: with the right types, short
printable texts, and at most MOST_ENTRIES entries in each list and dict. Trusted code."""

import re
from typing import NamedTuple

from autograder.notes import clean, quoted
from course_utils.model.case import Fact
from course_utils.model.observation import Observation

MISTAKE_NAME, TYPE_NAME = re.compile(r"[a-z_]{1,40}"), re.compile(r"[A-Za-z_]\w{0,60}", re.A)
OWN = "", "a lost process"
LONGEST, MOST_ENTRIES, LARGEST = 400, 64, 2**40
NO_OBSERVATION = "it sent something that is not an observation"


class Failure(NamedTuple):
    """Why a cell or an observation ended early: an exception's type and message, which the student may have
    chosen, or the grader's own reason. The type of the grader's own reason is in OWN."""

    type: str
    message: str

    def __str__(self):
        own = self.type in OWN or not self.message
        return ": ".join(filter(None, [self.type, self.message if own else quoted(self.message)]))


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
        return clean(value, LONGEST)
    if isinstance(value, int) and abs(value) > LARGEST:
        raise ValueError("too large a number")
    if isinstance(value, Fact):
        return Fact(clean(value.name, LONGEST), sanitize_value(value.call))
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
    """Return [type, message] from a worker as a Failure, with "an error" for a type that is no name; None for
    anything else."""
    is_pair = isinstance(message, list) and len(message) == 2 and all(isinstance(p, str) for p in message)
    if not is_pair or not any(message):
        return None
    kind, text = (clean(part, LONGEST) for part in message)
    return Failure(kind if TYPE_NAME.fullmatch(kind) else "an error", text)
