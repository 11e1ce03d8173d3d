"""A program's main object and an input come in, an Outcome goes out; two Outcomes are compared.

The object gets copies, and random numbers begin anew in each run, so that both versions draw the same.
"""

import math
import warnings
import zlib
from dataclasses import dataclass, field

import numpy as np
import torch

from ....observe.limit import TimeUp, interruptible, time_limit
from ....observe.trial import first_line, quiet, seeded

TOO_LONG = "it did not come to an end within ten seconds"
NEAR = {torch.float16: 4e-3, torch.bfloat16: 3e-2, torch.float64: 1e-5}
NEAR_BY_DEFAULT = 1e-4


@dataclass
class Outcome:
    """value: what came back. after: {argument: what it holds after the call}. error: of the call, as text."""

    value: object = None
    after: dict = field(default_factory=dict)
    error: str = ""


def run(program, main, given):
    """The Outcome of one call. Only a keyboard interrupt passes through."""
    copies = {name: copied(value) for name, value in given.items()}
    with quiet(), seeded(0), torch.no_grad(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        before = np.random.get_state()
        np.random.seed(0)
        try:
            with time_limit():
                value = interruptible(lambda: call(program, main, copies))
            return Outcome(plain(value), copies)
        except TimeUp:
            return Outcome(error=TOO_LONG)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a learner's code may raise anything
            return Outcome(error=f"{type(error).__name__}: {first_line(error)}".rstrip(": "))
        finally:
            np.random.set_state(before)


def call(program, main, given):
    return program.tried(main, **given) if program.tried else main(*given.values())


def with_weights(layer):
    """The layer with weights that depend on their names and shapes, and not on the order of their making."""
    for name, weight in layer.named_parameters():
        g = np.random.default_rng(zlib.crc32(f"{name} {tuple(weight.shape)}".encode()))
        numbers = g.standard_normal(tuple(weight.shape)) / max(weight.shape[-1], 1) ** 0.5
        weight.data.copy_(torch.from_numpy(numbers))
    return layer


def copied(value):
    return (
        value.clone()
        if isinstance(value, torch.Tensor)
        else np.array(value)
        if isinstance(value, np.ndarray)
        else value
    )


def plain(value):
    """The value with arrays as tensors on the CPU, copied."""
    if isinstance(value, torch.Tensor):
        return value.detach().cpu().clone()
    if isinstance(value, (np.ndarray, np.generic)):
        return torch.as_tensor(np.array(value))
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return value


# ---- compare


def difference(one, other):
    """(words, one's part, the other's part) of the first difference of two outcomes; None where there is
    none."""
    if one.error or other.error:
        return None if one.error and other.error else ("", one.error or one.value, other.error or other.value)
    found = differing("", one.value, other.value)
    if found:
        return found
    for name, value in other.after.items():
        found = differing(f"`{name}` after the call", plain(one.after[name]), plain(value))
        if found:
            return found
    return None


def differing(words, one, other):
    """The first place where two values differ, as `difference` gives it. Lists of numbers are compared, and
    shown, as one table."""
    tables = table_of(one), table_of(other)
    if None not in tables:
        return None if equal(*tables) else (words, *tables)
    if isinstance(one, (list, dict)) and type(one) is type(other) and len(one) == len(other):
        pairs = (
            zip(one, other, strict=True)
            if isinstance(one, list)
            else ((one[key], other.get(key)) for key in one)
        )
        found = (differing(f"{words} result {n}".strip(), *pair) for n, pair in enumerate(pairs, 1))
        return next(filter(None, found), None)
    return None if equal(one, other) else (words, one, other)


def table_of(value):
    """A list of numbers, or of rows of numbers of one length, as a float64 tensor; else None."""
    if not isinstance(value, list) or not value:
        return None
    try:
        return torch.tensor(value, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        return None


def equal(one, other):
    if not isinstance(one, torch.Tensor) or not isinstance(other, torch.Tensor):
        if is_number(one) and is_number(other):
            both_nan = one != one and other != other
            return both_nan or math.isclose(one, other, rel_tol=NEAR_BY_DEFAULT, abs_tol=1e-6)
        return type(one) is type(other) and one == other
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if not one.is_floating_point():
        return torch.equal(one, other)
    near = NEAR.get(one.dtype, NEAR_BY_DEFAULT)
    return torch.allclose(one.double(), other.double(), rtol=near, atol=near, equal_nan=True)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)
