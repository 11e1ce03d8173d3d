"""Inputs of a program, looked for at random: one on which its bug shows, one on which it does not."""

import numpy as np
import torch

from course_utils.practice.interview.hunt.hunter import both
from course_utils.practice.interview.hunt.program import holds, sizes_of
from course_utils.practice.interview.hunt.trial import difference

TRIES = 600


def drawn(program, number, seed=0):
    g = np.random.default_rng(seed)
    return (program.draw(g) for _ in range(number))


def shows(program, given):
    return difference(*both(program, given)) is not None


def exposing(program):
    """The first drawn input on which the bug shows."""
    return next((given for given in drawn(program, TRIES) if shows(program, given)), None)


def where(program, condition):
    """The first drawn input that holds the condition; also with every float set to 0."""
    for given in drawn(program, TRIES):
        for candidate in (given, zeroed(given)):
            valid = all(true(one, program, candidate) for one in program.holds)
            if valid and true(condition, program, candidate):
                return candidate
    return None


def true(condition, program, given):
    return holds(condition, given, sizes_of(program.inputs, given))


def zeroed(given):
    return {name: zero(value) for name, value in given.items()}


def zero(value):
    if isinstance(value, float):
        return 0.0
    is_float = isinstance(value, torch.Tensor) and value.is_floating_point()
    is_float = is_float or isinstance(value, np.ndarray) and value.dtype.kind == "f"
    return value * 0 if is_float else value
