"""Guess a parameter's role (what it stands for) from its name, by the patterns in hints.toml."""

import re
import tomllib
from functools import cache
from pathlib import Path

TABLES = tomllib.loads(Path(__file__).with_name("hints.toml").read_text(encoding="utf-8"))
SIZES, ARRAYS, WEIGHTS = (TABLES[name] for name in ("sizes", "arrays", "weights"))


class Words:
    """The arguments of a family of topics. hints: {role: pattern}. forms, cached: their usual orders, tuples
    of roles, without and with a cache. optional: roles that a parameter with a default may have."""

    def __init__(self, family):
        table = TABLES[family]
        self.hints = table["names"]
        self.forms, self.cached = (
            [tuple(form.split()) for form in table.get(k, ())] for k in ("forms", "cached")
        )
        self.optional = table["optional"].split() if "optional" in table else [*self.hints]


def role_of(name, table):
    """The role that a name suggests, in upper or lower case; None if no pattern matches."""
    return match_role(name.strip("_").lower(), tuple(table.items()))


@cache
def match_role(plain, patterns):
    """Cached, as a check looks up the same few names thousands of times."""
    return next((role for role, pattern in patterns if re.fullmatch(pattern, plain)), None)
