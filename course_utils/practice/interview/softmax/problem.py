"""The topic stable_softmax: a vector or rows; then any leading axes; then with a mask."""

import numpy as np

from ..loops import has_loop
from ..simple import ways
from ..values import same, undress
from ..ways import Problem
from .inputs import BIG, HINTS, LIBRARIES, draw, meant, readings, value
from .looks import temperature_look
from .mistakes import MASKED, WRONGS
from .reference import softmax

READY_MADE = ("softmax", "log_softmax", "logsumexp", "Softmax", "LogSoftmax")
ONE_VECTOR = (
    "vector",
    "For a table of rows it does not give the softmax of each row. Is it meant for one vector at a time? "
    "Then say so: `interview.check(NAME, vector=True)`.",
    ("another_top", "one_maximum_for_all", "sum_of_all", "wrong_axis"),
)


def base_ways(draws):
    """Rows first. One vector at a time counts where rows raise an error, or where the learner says so."""

    def found(obj, said):
        forms = [("x",), ("x", "axis")]
        plain = {role: name for role, name in said.items() if role != "vector"}
        rows = list(ways(obj, plain, draws[0], forms, HINTS, value, [(lib, "rows") for lib in LIBRARIES]))
        seen, loop = [], has_loop(obj)
        for way in rows:
            yield noting(way, ("rows",), seen, draws[0], loop)
        shapes = [array for array in seen if array is not None and array.shape == (3, 4)]
        if not all(perhaps_of_a_vector(array, draws[0], loop) for array in shapes):
            return
        variant = "one vector?" if shapes else "vector"
        vectors = [(lib, "vector") for lib in LIBRARIES]
        for way in ways(obj, plain, draws[0], forms, HINTS, value, vectors):
            yield noting(way, (variant,), [], draws[0], False)

    return found


def perhaps_of_a_vector(array, first, loop):
    """Is this what a softmax of one vector gives for a table: one of all entries, or where it is a loop over
    the entries, which then are rows, one of each column?"""
    axes = (None, 0) if loop else (None,)
    return any(same(array, softmax(axis=axis)(first), 1e-4) for axis in axes)


def noting(way, variants, seen, first, loop):
    """The same way, which also says as what it may be right, and keeps what came back."""
    run = way.run

    def noted(given):
        outcome = run(given)
        outcome.notes["variants"] = variants
        if given["x"] is first["x"]:
            found = undress(outcome.value)
            seen.append(found)
            # then it may be meant for a vector, and its mistakes are looked for there first
            outcome.notes["last"] = perhaps_of_a_vector(found, first, loop)
        return outcome

    way.run = noted
    return way


def base():
    rng = np.random.default_rng(5)
    draws = [
        draw(rng.standard_normal((3, 4)) * 2),
        draw([[2.5]]),
        draw(BIG),
        draw([[-2000.0, 3.0, 1.5, -60.0, 0.2], [96.0, -50.0, 20.0, 94.0, -130.0]]),
        draw(BIG[::-1]),  # one vector at a time meets numbers far below 0
    ]
    right = softmax()
    return Problem(
        "stable_softmax",
        draws,
        base_ways(draws),
        readings,
        {"rows": right, "vector": right, "one vector?": right},
        WRONGS,
        roles=("x", "axis", "vector"),
        look=temperature_look,
        vague={"one vector?": ONE_VECTOR},
        ready_made=READY_MADE,
        meant=meant,
    )


def any_axes():
    rng = np.random.default_rng(6)
    draws = [
        draw(rng.standard_normal((2, 3, 4)) * 2),
        draw(rng.standard_normal((2, 1, 2, 3))),
        draw([BIG]),
        draw(rng.standard_normal((1, 5, 1))),
    ]
    forms, dialects = [("x",), ("x", "axis")], [("torch", "rows"), ("numpy", "rows")]
    return Problem(
        "softmax over the last axis",
        draws,
        lambda obj, said: ways(obj, said, draws[0], forms, HINTS, value, dialects),
        readings,
        {"right": softmax()},
        WRONGS,
        roles=("x", "axis"),
        ready_made=READY_MADE,
        meant=meant,
    )


def in_any_sense(way):
    """The same way. True may stand for masked or for open, so an inverted mask is no mistake; lengths
    have one sense."""
    run = way.run

    def noted(given):
        outcome = run(given)
        if outcome.notes["dialect"][1] != "lengths":
            outcome.notes["left out"] = ("mask_inverted",)
        return outcome

    way.run = noted
    return way


def masked():
    rng = np.random.default_rng(7)
    some = rng.random((3, 5)) < 0.4
    some[:, 0], some[1] = False, True
    draws = [
        draw(rng.standard_normal((3, 5)) * 2, some),
        draw(BIG, np.array(BIG) > 1e4 - 0.5),
        draw([[1.0]], [[True]]),
        draw([[1e4, 0.0, 1.0, 2.0]], [[True, False, False, False]]),  # the maximum is a masked entry
    ]
    dialects = [(lib, what) for what in ("masked", "attend") for lib in ("torch", "numpy")]
    dialects += [(lib, "lengths") for lib in ("torch", "numpy")]
    forms = [("x", "mask"), ("x", "mask", "axis"), ("mask", "x"), ("x", "lengths"), ("lengths", "x")]
    return Problem(
        "masked softmax",
        draws,
        lambda obj, said: map(in_any_sense, ways(obj, said, draws[0], forms, HINTS, value, dialects)),
        readings,
        {"right": softmax(mask=True)},
        {**MASKED, **WRONGS},
        roles=("x", "mask", "axis"),
        ready_made=READY_MADE,
        meant=meant,
    )
