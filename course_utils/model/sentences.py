"""The general sentences on cards, by key: they stand in diagnose/sentences.toml. [why] is a table of its
own."""

import tomllib
from functools import cache
from pathlib import Path

SENTENCES = Path(__file__).parents[1] / "diagnose/sentences.toml"


def say(key, **values):
    """The sentence of this key, with its {names} filled in."""
    return all_sentences()[key].format(**values)


@cache
def all_sentences():
    return tomllib.loads(SENTENCES.read_text(encoding="utf-8"))
