"""The ways to call what somebody wrote for a mask."""

import numpy as np
import torch

from ..parameters import parameters
from ..simple import ways
from ..ways import Outcome, Way
from .inputs import HINTS, value
from .sense import sense_of


def all_ways(obj, said, draws, forms, dialects):
    """Iterator of Way; last, what says of one query and one key whether they meet."""
    sense = sense_of(obj)
    for way in ways(obj, said, draws[0], forms, HINTS, value, dialects, ("mask",)):
        yield with_sense(way, sense)
    names = [one.name for one in parameters(obj) if one.needed]
    if not isinstance(obj, type) and len(names) in (2, 4):
        yield Way(f"cell by cell {names}", lambda given: cell_by_cell(obj, len(names), given))


def with_sense(way, sense):
    """The same way; its outcome knows what the words say."""
    run = way.run

    def noted(given):
        outcome = run(given)
        outcome.notes["sense"] = sense
        return outcome

    return Way(way.name, noted)


def cell_by_cell(obj, number, given):
    """The mask that a rule for one cell makes: f(i, j), or f(b, h, i, j)."""
    rows = [
        [
            bool(obj(*[torch.tensor(0)] * (number - 2), torch.tensor(i + given["past"]), torch.tensor(j)))
            for j in range(given["T_k"])
        ]
        for i in range(given["T"])
    ]
    return Outcome(np.array(rows), notes={"dialect": ("torch", "T"), "plan": {"i": "q", "j": "k"}})
