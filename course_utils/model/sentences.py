"""The general sentences on cards, by key: they stand in diagnose/sentences.toml. [why] is a table of its
own."""

import pkgutil
import tomllib
from functools import cache


def say(key, **values):
    """The sentence of this key, with its {names} filled in."""
    return all_sentences()[key].format(**values)


@cache
def all_sentences():
    data = pkgutil.get_data("course_utils", "diagnose/sentences.toml") or b""  # from the sandbox's zip, too
    return tomllib.loads(data.decode())
