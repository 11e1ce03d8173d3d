"""Exceptions that everybody meets: the first entry of errors.toml that fits an exception, and the learner's
line."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("errors.toml")
LONGEST = 1000  # characters of a message that are searched: a forged one may be endless


@dataclass(frozen=True)
class Error:
    """An entry; errors.toml explains the fields."""

    name: str
    pattern: str
    sentence: str
    line: str = ""
    of_self: bool = False
    without_self: bool = False

    def match(self, raised, crash):
        """The match of the pattern with [type, message], if the learner's line is as it must be; else
        None."""
        match = re.search(self.pattern, ": ".join(raised)[:LONGEST])
        if match is None or not (self.line or self.of_self or self.without_self):
            return match
        return match if crash is not None and self.fits(match, crash) else None

    def fits(self, match, crash):
        groups = [re.escape(group or "") for group in match.groups()]
        line = re.sub(r"\{(\d)\}", lambda number: groups[int(number[1]) - 1], self.line)
        return (
            re.search(line, crash.line) is not None
            and (not self.of_self or match[1] in crash.of_self)
            and (not self.without_self or match[1] in crash.without_self)
        )


@cache
def errors():
    tables = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return [Error(name, **table) for name, table in tables.items()]


def everyday_error(raised, crash):
    """(name, sentence) of the first entry that fits [type, message] and the Crash (None: unknown), or
    None."""
    for error in errors():
        if match := error.match(raised, crash):
            return error.name, error.sentence.format("", *match.groups(), error=raised[1])
    return None
