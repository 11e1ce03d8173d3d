"""The ways to call what somebody wrote for RoPE."""

from dataclasses import replace
from itertools import product

import numpy as np

from ..simple import ways
from ..ways import Outcome
from .inputs import HINTS, LAYOUTS, value

POSITIONS, TABLES = ("positions", "start", "rows"), ("whole vectors", "neighbours", "pairs")
USUAL = list(zip(POSITIONS, TABLES, strict=True))
OTHERS = [pair for pair in product(POSITIONS, TABLES) if pair not in USUAL]  # where both come in
DIALECTS = [
    (library, layout, *extra)
    for extras in (USUAL, OTHERS)
    for layout in LAYOUTS
    for library in ("torch", "numpy", "list")
    for extra in extras
]


def all_ways(obj, said, first, forms):
    """Iterator of Way; what takes one vector and its position is called for each token. A table of angles
    that comes in beside a position begins at position 0, and one that comes in alone where the tokens do."""
    for way in ways(obj, said, first, forms, HINTS, value, DIALECTS, ("rotate",)):
        _, layout, positions, kind = way.dialect
        place, table = "pos" in way.plan.values(), takes_table(way)
        if (positions, kind) in OTHERS and not (place and table):
            continue
        if place and table:
            way = replace(way, run=from_zero(way.run))
        if layout != "(d,)":
            yield way
        elif place and positions == "start":
            yield replace(way, run=token_by_token(way.run))


def takes_table(way):
    """Is it handed sines and cosines, or the angles?"""
    return bool({"cos", "sin", "freqs"} & set(way.plan.values()))


def from_zero(run):
    return lambda given: run({**given, "whole table": True})


def token_by_token(run):
    def inner(given):
        results = []
        for t in range(given["T"]):
            one = {**given, "start": given["start"] + t, "T": 1, "vector": True}
            results.append(run({**one, "x": given["x"][:, :, t : t + 1], "k": given["k"][:, :, t : t + 1]}))
        values = [one.value if isinstance(one.value, tuple) else (one.value,) for one in results]
        stacked = tuple(np.stack([np.asarray(part) for part in parts]) for parts in zip(*values, strict=True))
        return Outcome(stacked if len(stacked) > 1 else stacked[0], notes=results[0].notes)

    return inner
