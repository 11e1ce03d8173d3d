"""The ways to use a class that is given one entry, or one block, after another, and asked in the end."""

from itertools import product
from types import FunctionType

import numpy as np

from ..attention.calls import class_of, working_recipes
from ..build import make
from ..parameters import parameters
from ..values import dress, undress
from ..ways import Outcome, Way
from .calls import value

UPDATES = (
    "update",
    "add",
    "push",
    "step",
    "feed",
    "observe",
    "consume",
    "append",
    "absorb",
    "put",
    "process",
    "step_block",
    "__call__",
    "forward",
)
RESULTS = (
    "result",
    "finalize",
    "output",
    "get",
    "value",
    "normalizer",
    "normalise",
    "normalize",
    "finish",
    "weights",
    "softmax",
    "probs",
    "state",
    "compute",
    "read",
    "attend",
    "out",
    "end",
    "close",
    "done",
)


def streams(obj, first):
    """Iterator of Way: the class is made of nothing, of sizes, or of the queries."""
    cls = class_of(obj)
    own = [name for name in UPDATES if name in vars(cls)][:2]
    asked = set()  # how it could be asked for its result; where it could not, its first two attributes count
    for update, end in product(own, [*ends_of(cls, own), ""]):
        for library, step, layout in product(("torch", "numpy", "list"), (4, 1), STREAMED):
            if not end and (update, library, step, layout) in asked:
                continue
            for recipe in [{"q": "q"}] if layout else working_recipes(cls, first["sizes"])[:1]:
                name = f"{update} {end} {library} {step} {layout}"
                run = fed(cls, recipe, update, end, library, step, layout)
                yield Way(name, noting(run, asked, (update, library, step, layout)))


def ends_of(cls, updates):
    """Names of what may give the result: the usual ones, then all others that take nothing."""
    usual = [name for name in RESULTS if name in vars(cls)]
    plain = [name for name in vars(cls) if not name.startswith("_") and name not in (*updates, *usual)]
    return [*usual, *(name for name in plain if takes_nothing(vars(cls)[name]))]


def takes_nothing(member):
    if isinstance(member, property):
        return True
    return isinstance(member, FunctionType) and not any(one.needed for one in parameters(member)[1:])


def noting(run, asked, key):
    """The same, which notes where numbers came back."""

    def noted(given):
        outcome = run(given)
        found = undress(outcome.value)
        if found is not None and found.dtype != bool:
            asked.add(key)
        return outcome

    return noted


STREAMED = ("", "(T, d)", "(d,)", "(B, T, d)", "(B, H, T, d)")


def fed(cls, recipe, update, end, library, step, layout):
    """Fed with entries, with entries and values, or with keys and values."""

    def run(given):
        dialect = (library, layout or "one")
        if layout:
            thing = cls(value("q", given, dialect))
            parts = blocks_of(given, dialect, step)
        else:
            thing = make(cls, recipe, given["sizes"])
            parts = entries_of(given, library, step, len(parameters(getattr(cls, update))) > 2)
        for part in parts:
            getattr(thing, update)(*part)
        found = getattr(thing, end) if end else tuple(vars(thing).values())[:2]
        wants = len(parameters(getattr(cls, end))) - 1 if end and callable(getattr(cls, end)) else 0
        if callable(found):
            found = found(dress(given["x"][0], library)) if wants else found()
        plan = {"q": "q"} if layout else {"x": "x"} | ({"v": "v"} if len(parts[0]) > 1 else {})
        return Outcome(found, notes={"dialect": dialect, "plan": plan})

    return run


def entries_of(given, library, step, values):
    """[(entries,)] or [(entries, their values)]; one entry is a number."""
    found = []
    for a in range(0, given["n"], step):
        part = given["x"][0][a : a + step] if step > 1 else np.asarray(given["x"][0][a])
        row = given["v"][a : a + step] if step > 1 else given["v"][a]
        one = part.tolist() if library == "list" else dress(part, library)
        found.append((one, dress(row, library)) if values else (one,))
    return found


def blocks_of(given, dialect, step):
    """[(keys, values)] of the layout; with a step of 1 the axis of tokens is left out."""
    k, v = (value(role, given, dialect) for role in "kv")
    if dialect[0] == "list":
        return [(a, b) for a, b in zip(k, v, strict=True)]
    some = [(slice(a, a + step) if step > 1 else a) for a in range(0, given["n"], step)]
    return [(k[..., one, :], v[..., one, :]) for one in some]
