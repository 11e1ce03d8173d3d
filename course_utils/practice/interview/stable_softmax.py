"""The topic stable_softmax: a vector or rows; then any leading axes; then with a mask."""

import numpy as np
import torch

from .parameters import parameters
from .simple import ways
from .values import dress, parts_of, same, undress
from .ways import Problem, Reading, Wrong

READY_MADE = ("softmax", "log_softmax", "logsumexp", "Softmax", "LogSoftmax")
ONE_VECTOR = (
    "vector",
    "For a table of rows it divides by the sum of all entries. Is it meant for one vector at a time? "
    "Then say so: `interview.check(NAME, vector=True)`.",
    ("another_top", "one_maximum_for_all", "sum_of_all", "wrong_axis"),
)
HINTS = {
    "x": r"x.*|.*scores?|.*logits?|z|a|arr.*|v|vec.*|values?|inp.*|t|tensor|s|row|xs|nums|numbers|data",
    "axis": r"axis|dim|d|ax",
    "mask": r".*mask.*|m|keep|allowed|visible|hide.*|valid|pad.*|open.*|real",
    "lengths": r".*len.*|lens|n_valid|sizes",
    "temperature": r"temp.*|tau|t",
}
BIG = [[1e4, 1e4 - 1, 9990.0, 3.0], [0.0, 1.0, 2.0, 3.0], [-1e4, -1e4 + 2, -1e4, -1e4 - 1.5]]


def draw(x, mask=None):
    x = np.array(x, dtype=np.float64)
    mask = np.zeros(x.shape, bool) if mask is None else np.array(mask)
    sizes = {"d_model": -1}  # what a class calls dim is the axis
    return {"x": x, "mask": mask, "sizes": sizes}


def softmax(axis=-1, top="row", mask=False, how="", narrow=False):
    """A reference with a slip. top: what is subtracted. narrow: in float32, where exp overflows early."""

    def made(given):
        x, axes = given["x"].astype(np.float32 if narrow else np.float64), axis
        if axis == -2 and x.ndim < 2:
            axes = -1
        with np.errstate(all="ignore"):
            if mask:
                hidden = given["mask"] if how != "inverted" else ~given["mask"]
                if how in ("ignored", "late"):
                    hidden = np.zeros_like(hidden)
                x = np.where(hidden, {"zero": 0.0, "low": -1e9, "ignored": 0.0}.get(how, -np.inf), x)
            tops = {
                "row": x.max(axes, keepdims=True),
                "none": 0.0,
                "all": x.max(),
                "min": x.min(-1, keepdims=True),
                "abs": np.abs(x).max(-1, keepdims=True),
                "added": -x.max(-1, keepdims=True),
                "mean": x.mean(-1, keepdims=True),
                "column": x.max(0, keepdims=True),
            }[top]
            tops = np.where(np.isfinite(tops), tops, 0.0) if how != "nan" else tops
            e = np.exp(x - np.asarray(tops, dtype=x.dtype))
            if how == "top above":
                return (e / np.exp(x).sum(axes, keepdims=True)).astype(np.float64)
            if how.startswith("clipped") or how == "divided by top":
                low = 0.0 if how == "divided by top" else float(how.split()[1])
                e = np.exp(np.clip(x, -low, low) if low else x / x.max(axes, keepdims=True))
            if how == "unnormalised":
                return e.astype(np.float64)
            if how == "divided by max":
                return (e / e.max(axes, keepdims=True)).astype(np.float64)
            if how == "log":
                return x - tops - np.log(e.sum(axes, keepdims=True))
            if how == "late":
                e = e / e.sum(axes, keepdims=True)
                return np.where(given["mask"], 0.0, e)
            total = e.sum(axes, keepdims=True)
            if how == "rows of exp":
                total = e.sum()
            out = e / total
            return (np.where(total == 0, 0.0, out) if mask and not how else out).astype(np.float64)

    return made


def everywhere(**slip):
    return [softmax(**slip), softmax(**slip, narrow=True)]


WRONGS = {
    "no_maximum": Wrong(
        "It overflows for large entries: exp(1000) is infinite. Subtract the row's maximum first; the result "
        "stays the same.",
        everywhere(top="none"),
        overflows=True,
    ),
    "another_top": Wrong(
        "What is subtracted is not the maximum of the row, so exp can still overflow, or all of a row can "
        "become 0.",
        [
            *everywhere(top="mean"),
            *everywhere(top="min"),
            *everywhere(top="abs"),
            *everywhere(top="added"),
            *everywhere(top="column"),
        ],
        overflows=True,
    ),
    "one_maximum_for_all": Wrong(
        "One maximum is taken of all rows: a row far below it becomes 0 / 0. Each row needs its own.",
        everywhere(top="all"),
        overflows=True,
    ),
    "wrong_axis": Wrong(
        "It runs along the wrong axis: a row sums to 1 along the last axis.",
        [
            *everywhere(axis=0),
            *everywhere(axis=-2),
            *everywhere(axis=0, top="all"),
            *everywhere(axis=0, top="none"),
            *everywhere(axis=None),
        ],
    ),
    "sum_of_all": Wrong(
        "It divides by the sum of all rows: each row has a sum of its own.",
        [
            *everywhere(how="rows of exp"),
            *everywhere(how="rows of exp", top="none"),
            *everywhere(how="rows of exp", top="all"),
        ],
    ),
    "not_divided": Wrong(
        "The division by the sum is missing.",
        [*everywhere(how="unnormalised"), *everywhere(how="unnormalised", top="none")],
    ),
    "divided_by_max": Wrong(
        "It divides by the largest exp: divide by their sum.", everywhere(how="divided by max")
    ),
    "maximum_in_one_place": Wrong(
        "The maximum is subtracted above the line and not below it: both exp need it.",
        everywhere(how="top above"),
        overflows=True,
    ),
    "clipped": Wrong(
        "Entries are cut off, or divided, so that exp stays small: that changes the weights. Subtracting the "
        "maximum does not.",
        [
            maker
            for how in (
                "clipped 20",
                "clipped 50",
                "clipped 80",
                "clipped 88",
                "clipped 100",
                "divided by top",
            )
            for maker in everywhere(how=how)
        ],
    ),
    "log": Wrong("These are logarithms: the task asks for weights that sum to 1.", everywhere(how="log")),
}
MASKED = {
    "mask_ignored": Wrong("The mask changes nothing.", everywhere(mask=True, how="ignored")),
    "mask_inverted": Wrong(
        "It counts what is masked and leaves out what is open.", everywhere(mask=True, how="inverted")
    ),
    "filled_with_zero": Wrong(
        "Masked entries become 0 before exp, and exp(0) is 1: make them -inf.",
        everywhere(mask=True, how="zero"),
    ),
    "row_of_nan": Wrong(
        "A row in which everything is masked becomes NaN: give zeros there.", everywhere(mask=True, how="nan")
    ),
    "even_row": Wrong(
        "A row in which everything is masked gets even weights, on masked entries: give zeros there.",
        everywhere(mask=True, how="low"),
    ),
    "mask_after": Wrong(
        "The mask comes after the division: what is left does not sum to 1.",
        everywhere(mask=True, how="late"),
    ),
}


def value(role, given, dialect):
    library, what = dialect
    if role == "axis":
        return -1 if what != "vector" else 0
    if role == "mask":
        return dress(given["mask"] if what == "masked" else ~given["mask"], library)
    if role == "lengths":
        return dress(lengths_of(given), library)
    if role == "temperature":
        return given.get("temperature", 1.0)
    if what == "lengths" and given["x"].ndim == 2:
        return dress(given["x"][:, None], library)
    return dress(given["x"][0] if what == "vector" else given["x"], library)


def lengths_of(given):
    """How many entries of each row count, where lengths come in and no mask."""
    n = given["x"].shape[-1]
    return np.arange(len(given["x"])) % n + 1


def readings(outcome, given):
    vector = outcome.notes["dialect"][1] == "vector"
    meant = {**given, "x": given["x"][0], "mask": given["mask"][0]} if vector else given
    lengths = "lengths" in outcome.notes["plan"].values()
    if lengths:
        places = np.arange(given["x"].shape[-1])[None, :]
        meant = {**given, "mask": places >= lengths_of(given)[:, None]}
    for place, part in parts_of(outcome.value):
        array = undress(part)
        if array is not None and lengths and array.ndim == 3 and array.shape[1] == 1:
            array = array[:, 0]
        if array is not None and array.shape == meant["x"].shape:
            yield Reading((place,), array, meant, (vector, lengths))


def base_ways(draws):
    """Rows first. One vector at a time counts where rows raise an error, or where the learner says so."""

    def found(obj, said):
        forms = [("x",), ("x", "axis")]
        plain = {role: name for role, name in said.items() if role != "vector"}
        rows = list(ways(obj, plain, draws[0], forms, HINTS, value, [(lib, "rows") for lib in LIBRARIES]))
        seen = []
        for way in rows:
            yield noting(way, ("rows",), seen, draws[0])
        shapes = [array for array in seen if array is not None and array.shape == (3, 4)]
        global_ = all(same(array, softmax(axis=None)(draws[0]), 1e-4) for array in shapes)
        if shapes and not global_:
            return
        variant = "one vector?" if shapes else "vector"
        vectors = [(lib, "vector") for lib in LIBRARIES]
        for way in ways(obj, plain, draws[0], forms, HINTS, value, vectors):
            yield noting(way, (variant,), [], draws[0])

    return found


LIBRARIES = ("torch", "numpy", "list")


def noting(way, variants, seen, first):
    """The same way, which also says as what it may be right, and keeps what came back."""
    run = way.run

    def noted(given):
        outcome = run(given)
        outcome.notes["variants"] = variants
        if given["x"] is first["x"]:
            seen.append(undress(outcome.value))
        return outcome

    way.run = noted
    return way


TEMPERED = (
    "temperature_multiplies",
    "The entries are multiplied by the temperature: divide by it, so that a high one makes weights even.",
)


UNTEMPERED = (
    "temperature_cancels",
    "The temperature changes nothing: the entries are to be divided by it before exp.",
)
NO_AXIS = (
    "sum_drops_axis",
    "The sum drops its axis, so that it divides along the columns: keep the axis, with size 1.",
)


def temperature_look(obj, way, reading):
    """The mistake of a temperature that works the wrong way round; None where there is none."""
    if isinstance(obj, type) and issubclass(obj, torch.autograd.Function):
        return gradient_look(obj)
    given = draw([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5]])
    dialects = [(lib, what) for what in ("rows", "vector") for lib in LIBRARIES]
    for one in ways(obj, {}, given, [("x", "temperature")], HINTS, value, dialects):
        try:
            outcome = one.run({**given, "temperature": 2.0})
        except Exception:  # no such way to call it
            continue
        x = given["x"][0] if outcome.notes["dialect"][1] == "vector" else given["x"]
        if same(undress(outcome.value), softmax()({"x": x * 2.0}), 1e-4):
            return TEMPERED
        if same(undress(outcome.value), softmax()({"x": x}), 1e-4):
            return UNTEMPERED
    return sum_without_axis(obj)


GRADIENT = (
    "wrong_gradient",
    "The gradient is another one: it is y * (g - sum of g * y along the row), where g is what comes back.",
)


def gradient_look(obj):
    """The mistake of a torch.autograd.Function with a backward of its own that is wrong."""
    x = torch.tensor([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5]], requires_grad=True)
    g = torch.tensor([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]])
    more = len(parameters(obj.forward)) - 2  # an axis
    obj.apply(x, *[-1] * more).backward(g)
    y = torch.tensor(softmax()({"x": x.detach().numpy()}))
    wanted = y * (g - (g * y).sum(-1, keepdim=True))
    return None if torch.allclose(x.grad.double(), wanted, atol=1e-4) else GRADIENT


def sum_without_axis(obj):
    """The mistake of an answer that raises for most tables, and divides columns in a square one."""
    given = draw([[0.5, -1.0], [1.0, 3.0]])
    e = np.exp(given["x"] - given["x"].max(-1, keepdims=True))
    for one in ways(obj, {}, given, [("x",)], HINTS, value, [("torch", "rows"), ("numpy", "rows")]):
        try:
            found = undress(one.run(given).value)
        except Exception:  # no such way to call it
            continue
        if same(found, e / e.sum(-1), 1e-4):
            return NO_AXIS
    return None


def base():
    rng = np.random.default_rng(5)
    draws = [
        draw(rng.standard_normal((3, 4)) * 2),
        draw([[2.5]]),
        draw(BIG),
        draw(rng.standard_normal((2, 5)) * 60),
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
    )


def masked():
    rng = np.random.default_rng(7)
    some = rng.random((3, 5)) < 0.4
    some[:, 0], some[1] = False, True
    draws = [
        draw(rng.standard_normal((3, 5)) * 2, some),
        draw(BIG, np.array(BIG) > 1e4 - 0.5),
        draw([[1.0]], [[True]]),
    ]
    dialects = [(lib, what) for what in ("masked", "attend") for lib in ("torch", "numpy")]
    dialects += [(lib, "lengths") for lib in ("torch", "numpy")]
    forms = [("x", "mask"), ("x", "mask", "axis"), ("mask", "x"), ("x", "lengths"), ("lengths", "x")]
    return Problem(
        "masked softmax",
        draws,
        lambda obj, said: ways(obj, said, draws[0], forms, HINTS, value, dialects),
        readings,
        {"right": softmax(mask=True)},
        {**MASKED, **WRONGS},
        roles=("x", "mask", "axis"),
        ready_made=READY_MADE,
    )
