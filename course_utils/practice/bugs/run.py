"""Run a program and compare: its main object and an input come in; the outcome goes out, {place: a result, or
an argument's value after the call}, or {"": Raised}.

The object gets copies of the input, and each run starts with the same random seed, so that both versions draw
the same numbers. Code runs as in the lessons' checks (observe); numbers are compared with their tolerances
(compare), or a larger one.
"""

import math
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from itertools import chain, islice
from pathlib import Path

import numpy as np
import torch

from ...compare.tolerance import TOLERANCE, is_close
from ...observe.limit import TimeUp, time_limit
from ...observe.trial import exception_of, in_words, quiet, seeded, snapshot
from ..card import Refusal, sentences
from .inputs import Bound
from .program import load, right_lines

LEAST_TOLERANCE = 1e-4  # two right programs may add in different orders
MARGIN = 0.1  # a loss is wrong if it is higher by more: right programs may round differently
DRAWS = 60  # random inputs on which a fix has to be right
text = sentences(Path(__file__).with_name("sentences.toml"))


class Raised(str):
    """The message of an error, in place of a result."""


OUT_OF_TIME = Raised("it did not finish in time")


@contextmanager
def one_thread():
    """Let torch compute in one thread: with small tensors more of them only wait for each other."""
    count = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(count)


def run(program, main, values):
    """The outcome of one call. Only a keyboard interrupt is raised."""
    copies, parts = deepcopy(values), {}

    def call():
        result = program.tried(main, **copies) if program.tried else main(*copies.values())
        parts.update(parts_of("", result))
        for name, value in copies.items():
            parts.update(parts_of(f"`{name}` after the call", value))

    with quiet(), seeded(0), one_thread(), torch.no_grad(), np.errstate(all="ignore"):
        try:
            with time_limit():
                error = exception_of(call)
        except TimeUp:
            return {"": OUT_OF_TIME}
    return parts if error is None else {"": Raised(": ".join(in_words(error)).rstrip(": "))}


def parts_of(path, value):
    """Iterate over (place, value) of a result. Arrays, numbers and lists of numbers become CPU tensors."""
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        for name, item in value.items():
            yield from parts_of(name, item)
        return
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)) or type(value) in (int, float):
        try:
            value = torch.tensor(value, dtype=torch.float64)
        except (TypeError, ValueError, RuntimeError, OverflowError):
            for number, item in enumerate(value, 1):
                yield from parts_of(f"{path} result {number}".strip(), item)
            return
    if isinstance(value, (torch.Tensor, np.ndarray, np.generic)):
        value = np.array(value) if isinstance(value, np.generic) else value
        value = torch.as_tensor(snapshot(value)).detach().cpu()
    yield path, value


def difference(own, right, same_dtype=False):
    """(place, own value, right value) where two outcomes first differ; None if nowhere, or both raised.
    same_dtype: do floats have to be of the same dtype?"""
    if own.keys() != right.keys():
        return "", *(parts.get("", list(parts.values())) for parts in (own, right))
    triples = ((where, own[where], value) for where, value in right.items())
    return next((triple for triple in triples if not equal(*triple[1:], same_dtype)), None)


def equal(own, right, same_dtype):
    if isinstance(own, Bound) and isinstance(right, Bound):
        return own <= right + MARGIN or math.isnan(right)
    if not isinstance(own, torch.Tensor) or not isinstance(right, torch.Tensor):
        return type(own) is type(right) and (own == right or isinstance(own, Raised))
    near = max(TOLERANCE.get(right.dtype, 0), LEAST_TOLERANCE)
    return (own.dtype == right.dtype or not same_dtype) and is_close(own, right, near)


# ---- the versions of a program


@cache
def object_of(name, *lines):
    """The main object with these lines, (number, text), replaced."""
    program = load(name)
    return program.object_of(program.code_with(dict(lines)))


def versions(name):
    """(the main object with the bugs, the right one)."""
    return object_of(name), object_of(name, *right_lines(load(name).bugs).items())


def run_both(program, values, fixes=None, bugs=None):
    """(the outcome of the program with its fixes, the outcome if these bugs are fixed as well). fixes: {line
    number: text}. bugs: all by default."""
    fixes, right = fixes or {}, right_lines(program.bugs if bugs is None else bugs)
    own, right = (object_of(program.name, *texts.items()) for texts in (fixes, right | fixes))
    return run(program, own, values), run(program, right, values)


@cache
def example(name, number=None):
    """An input that shows the bugs, small if possible; None if no drawn input does. number: of one bug, the
    others being fixed."""
    program, g = load(name), np.random.default_rng(0)
    fixes = {} if number is None else right_lines([b for b in program.bugs if b is not program.bugs[number]])
    inputs = chain(program.edges, (program.draw(g) for _ in range(min(200, program.draws))))
    outcomes = ((values, run_both(program, values, fixes)) for values in inputs)
    shows = (values for values, both in outcomes if difference(*both, program.same_dtype))
    return min(islice(shows, 10), key=number_of_entries, default=None)


def number_of_entries(values):
    return sum(np.asarray(value).size for value in values.values())


def number_of_inputs(program):
    """On how many inputs is a fix tried?"""
    return 1 + len(program.edges) + min(DRAWS, program.draws)


def fault_of(program, main):
    """(input, difference) for the first input on which `main`, in place of the program's own object, is
    wrong; else None. Tries the example that shows the bug, the program's edges, then random inputs; if there
    is no time left for one, a Refusal."""
    right, g = versions(program.name)[1], np.random.default_rng()
    with time_limit():  # one limit for all runs
        drawn = (program.draw(g) for _ in range(min(DRAWS, program.draws)))
        for count, values in enumerate(filter(None, [example(program.name), *program.edges, *drawn])):
            wanted = run(program, right, values)
            if wanted.get("") is OUT_OF_TIME:
                raise Refusal(text("no_time", count, number_of_inputs(program)))
            own = run(program, main, values)
            differs = difference(own, wanted, program.same_dtype)
            if differs or isinstance(own.get(""), Raised):
                return values, differs or ("", own[""], wanted[""])
    return None
