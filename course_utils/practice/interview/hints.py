"""The name of a parameter comes in, what it probably stands for (its role) goes out, or None.
The patterns are in hints.toml."""

import re
import tomllib
from functools import cache
from pathlib import Path

TABLES = tomllib.loads(Path(__file__).with_name("hints.toml").read_text(encoding="utf-8"))
SIZES, ARRAYS, WEIGHTS = (TABLES[name] for name in ("sizes", "arrays", "weights"))


class Words:
    """What a family of topics calls its arguments: hints, {role: pattern}; forms and cached, tuples of roles;
    optional, roles."""

    def __init__(self, family):
        table = TABLES[family]
        self.hints = table["names"]
        self.forms, self.cached = (
            [tuple(form.split()) for form in table.get(k, ())] for k in ("forms", "cached")
        )
        self.optional = table["optional"].split() if "optional" in table else [*self.hints]


def role_of(name, table):
    """The role that a name hints at; an upper-case letter counts like a lower-case one."""
    return looked_up(name.strip("_").lower(), tuple(table.items()))


@cache
def looked_up(plain, patterns):
    """A check asks for the same few names thousands of times."""
    return next((role for role, pattern in patterns if re.fullmatch(pattern, plain)), None)
