"""A program's main object and an input come in, an Outcome goes out; two Outcomes are compared.

The object gets copies, and random numbers begin anew in each run, so that both versions draw the same. Code
is run as the lessons' checks run it (observe), and numbers are equal by the same tolerances (compare).
"""

import zlib
from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np
import torch

from ...compare.tolerance import TOLERANCE, is_close
from ...observe.limit import TimeUp, time_limit
from ...observe.trial import exception_of, in_words, quiet, seeded, snapshot

TOO_LONG = "it ran for ten seconds without finishing"
LEAST_TOLERANCE = 1e-4  # two right programs may add up in another order


@dataclass
class Outcome:
    """value: what came back. after: {argument: what it holds after the call}. error: of the call, as text."""

    value: object = None
    after: dict = field(default_factory=dict)
    error: str = ""


def run(program, main, values):
    """The Outcome of one call. Only a keyboard interrupt passes through."""
    copies, outcome, state = deepcopy(values), Outcome(), np.random.get_state()

    def call():
        outcome.value = plain(program.tried(main, **copies) if program.tried else main(*copies.values()))

    with quiet(), seeded(0), torch.no_grad(), np.errstate(all="ignore"):
        np.random.seed(0)
        try:
            with time_limit():
                error = exception_of(call)
        except TimeUp:
            return Outcome(error=TOO_LONG)
        finally:
            np.random.set_state(state)
    if error is not None:
        return Outcome(error=": ".join(in_words(error)).rstrip(": "))
    outcome.after = {name: plain(value) for name, value in copies.items()}
    return outcome


def with_weights(layer):
    """The layer with weights that depend on their names and shapes, and not on the order of their making."""
    for name, weight in layer.named_parameters():
        g = np.random.default_rng(zlib.crc32(f"{name} {tuple(weight.shape)}".encode()))
        numbers = g.standard_normal(tuple(weight.shape)) / max(weight.shape[-1], 1) ** 0.5
        weight.data.copy_(torch.from_numpy(numbers))
    return layer


def plain(value):
    """The value with arrays, numbers and lists of numbers as tensors on the CPU, copied; tuples as lists."""
    if type(value) in (int, float):
        return torch.tensor(value, dtype=torch.float64)
    if isinstance(value, (torch.Tensor, np.ndarray, np.generic)):
        return snapshot(np.array(value) if isinstance(value, np.generic) else value).detach().cpu()
    if isinstance(value, (tuple, list)):
        try:
            return torch.tensor(value, dtype=torch.float64) if value else []
        except (TypeError, ValueError, RuntimeError, OverflowError):
            return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


# ---- compare


def difference(mine, right):
    """(words, my part, the right part) of the first difference of two outcomes; None where there is none."""
    if mine.error or right.error:
        both = mine.error and right.error
        return None if both else ("", mine.error or mine.value, right.error or right.value)
    pairs = [("", mine.value, right.value)]
    pairs += [(f"`{name}` after the call", mine.after[name], value) for name, value in right.after.items()]
    return next(filter(None, (differing(*pair) for pair in pairs)), None)


def differing(words, mine, right):
    """The first place where two values differ, as `difference` gives it."""
    if isinstance(mine, dict) and isinstance(right, dict) and mine.keys() == right.keys():
        mine, right = list(mine.values()), [right[key] for key in mine]
    if isinstance(mine, list) and isinstance(right, list) and len(mine) == len(right):
        pairs = enumerate(zip(mine, right, strict=True), 1)
        parts = (differing(f"{words} result {n}".strip(), *pair) for n, pair in pairs)
        return next(filter(None, parts), None)
    return None if equal(mine, right) else (words, mine, right)


def equal(mine, right):
    if not isinstance(mine, torch.Tensor) or not isinstance(right, torch.Tensor):
        return type(mine) is type(right) and mine == right
    near = max(TOLERANCE.get(right.dtype, 0), LEAST_TOLERANCE)
    return mine.dtype == right.dtype and is_close(mine, right, near)
