"""The ways to call what somebody wrote for RoPE."""

import numpy as np

from ..simple import ways
from ..ways import Outcome, Way
from .inputs import HINTS, LAYOUTS, value

DIALECTS = [
    (library, layout, extra)
    for layout in LAYOUTS
    for library in ("torch", "numpy", "list")
    for extra in ("positions", "start", "rows")
]


def all_ways(obj, said, first, forms):
    """Iterator of Way; what takes one vector and its position is called for each token."""
    for way in ways(obj, said, first, forms, HINTS, value, DIALECTS, ("rotate",)):
        if "'(d,)'" in way.name:
            if "'pos'" in way.name and "'start'" in way.name:
                yield Way(way.name, token_by_token(way.run))
        else:
            yield way


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
