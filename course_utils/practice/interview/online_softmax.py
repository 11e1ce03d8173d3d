"""The topic online_softmax: softmax in one pass over its entries, with a running maximum and sum."""

import builtins
from types import FunctionType

import numpy as np
from torch.overrides import TorchFunctionMode

from .attention.calls import class_of, is_class, working_recipes
from .build import make
from .parameters import parameters
from .simple import ways
from .values import dress, parts_of, undress
from .ways import Outcome, Problem, Reading, Way, Wrong

READY_MADE = ("softmax", "log_softmax", "logsumexp", "Softmax", "LogSoftmax", "scaled_dot_product_attention")
NOT_ONLINE = (
    "not_online",
    "The numbers are right, but a maximum over all entries at once is taken: online means to read them once, "
    "in order, with a running maximum and a sum that is scaled anew whenever the maximum grows.",
)
HINTS = {
    "x": r"x.*|.*scores?|.*logits?|z|a|arr.*|stream|values|inp.*|t|s|row|xs|nums|data|seq|vec.*",
    "q": r"q.*",
    "k": r"k.*",
    "v": r"v.*|.*vals?",
    "block": r".*block.*|.*chunk.*|.*tile.*|.*size.*|bs|b|n|step",
    "blocks": r".*blocks|.*chunks|parts|tiles|stream",
}


def draw(seed, n, spread=2.0, order="", T_q=3, d=4, shift=0.0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((2, n)) * spread + shift
    x = np.sort(x)[:, :: -1 if order == "down" else 1] if order else x
    k, q = rng.standard_normal((n, d)) * spread, rng.standard_normal((T_q, d)) * spread
    return {
        "x": np.ascontiguousarray(x),
        "v": rng.standard_normal((n, d)),
        "k": k,
        "q": q,
        "sizes": {},
        "n": n,
    }


def value(role, given, dialect):
    library, what = dialect
    if role == "block":
        return 2 if given["n"] < 100 else 16
    if role == "blocks" or (role == "x" and what == "blocks"):
        parts = np.array_split(given["x"][0], max(1, given["n"] // 3))
        return [dress(part, library) for part in parts]
    if role == "x":
        x = given["x"] if what == "rows" else given["x"][0]
        return iter(dress(x, library)) if what == "iterator" else dress(x, library)
    array = given[role]
    if what == "one query":
        return dress(array[0] if role == "q" else array, library)
    if what == "batch":
        return dress(np.stack([array, array[..., ::-1]]), library)
    if what == "heads":
        return dress(np.stack([array, array[..., ::-1]])[None], library)
    return dress(array, library)


def meant(given, dialect, roles):
    what = dialect[1]
    rows = given["x"] if what == "rows" else given["x"][:1]
    queries = given["q"][:1] if what == "one query" else given["q"]
    sides = [(queries, given["k"], given["v"])]
    if what in ("batch", "heads"):
        sides.append(tuple(one[..., ::-1] for one in sides[0]))
    return {**given, "rows": rows, "sides": sides}


def readings(outcome, given):
    """The result, by what it may be: weights, (maximum, sum), a mixture of values, attention."""
    dialect, roles = outcome.notes["dialect"], set(outcome.notes["plan"].values())
    known = meant(given, dialect, roles)
    n, rows, d = given["n"], len(known["rows"]), given["v"].shape[1]
    for place, part in parts_of(outcome.value):
        array = undress(part)
        if array is None or array.dtype == bool:
            continue
        if "q" in roles:
            whole = len(known["sides"]) * len(known["sides"][0][0]) * d
            if array.size == whole and array.shape[-1] == d:
                yield Reading(
                    (place, "attention"),
                    array.reshape(-1, d),
                    {**known, "kind": "attention"},
                    ("a", dialect[1]),
                )
                plain = {**known, "kind": "attention unscaled"}
                yield Reading((place, "plain"), array.reshape(-1, d), plain, ("u", dialect[1]))
        elif "v" in roles:
            if array.size == rows * d:
                yield Reading(
                    (place, "mixed"), array.reshape(rows, d), {**known, "kind": "mixed"}, ("m", dialect[1])
                )
        elif array.shape in ((rows, n), (n,)):
            yield Reading(
                (place, "weights"), array.reshape(rows, n), {**known, "kind": "weights"}, ("w", dialect[1])
            )
        elif array.size == rows == 1 and not place:
            log = {**known, "kind": "log"}
            yield Reading((place, "log"), array.reshape(1), log, ("l", dialect[1]))
    yield from states(outcome.value, known, rows, dialect)


def states(result, known, rows, dialect):
    """(maximum, sum), in either order, where that is what came back."""
    if isinstance(result, (tuple, list)) and len(result) == 2:
        pair = [undress(one) for one in result]
        if all(one is not None and one.size == rows for one in pair):
            both = np.stack([one.reshape(-1).astype(float) for one in pair])
            yield Reading(("state", 0), both, {**known, "kind": "state"}, ("s", dialect[1]))
            yield Reading(("state", 1), both[::-1], {**known, "kind": "state"}, ("s", dialect[1]))


def softmax(how=""):
    """A reference with a slip, for each kind of result."""

    def made(given):
        with np.errstate(all="ignore"):
            if given["kind"] in ("weights", "state"):
                many = [run(row, None, how, given) for row in given["rows"]]
                return np.stack([one[given["kind"]] for one in many], 1 if given["kind"] == "state" else 0)
            if given["kind"] == "log":
                states = [run(row, None, how, given)["state"] for row in given["rows"]]
                return np.array([m + np.log(total) for m, total in states])
            if given["kind"] == "mixed":
                return np.stack([run(row, given["v"], how, given)["mixed"] for row in given["rows"]])
            scaled = given["kind"] == "attention"
            out = []
            for q, k, v in given["sides"]:
                scores = q @ k.T / (np.sqrt(q.shape[-1]) if scaled else 1.0)
                out += [run(row, v, how, given)["mixed"] for row in scores]
            return np.stack(out)

    return made


def run(row, v, how, given):
    """One pass with the slip: {"weights", "state", "mixed"}. A block of `step` entries at a time."""
    v = np.zeros((len(row), 1)) if v is None else v
    step = (2 if len(row) < 100 else 16) if how.endswith("blocks") else 1
    kind = how.removesuffix(" blocks")
    whole, kept = row, len(row)
    if kind in ("last dropped", "last cut"):
        row = row[: len(row) // step * step]
    if kind == "first dropped":
        row, v = row[1:], v[1:]
    m, total, acc = (
        (0.0 if kind == "starts at 0" else -np.inf),
        float(kind == "one too many"),
        np.zeros(v.shape[1]),
    )
    if kind == "no maximum":
        e = np.exp(row)
        return made(e, e.sum(), e @ v[: len(row)], row.max() if len(row) else 0, kept)
    for a in range(0, len(row), step):
        part = row[a : a + step]
        new = max(m, part.max()) if kind != "last maximum" else part.max()
        scale = (
            1.0
            if kind == "one too many" and m == -np.inf
            else np.exp(m - new)
            if np.isfinite(m) or kind == "starts at 0"
            else 0.0
        )
        if kind == "inverted" and np.isfinite(m):
            scale = np.exp(new - m)
        e = np.exp(part - new)
        total = total * (1.0 if kind in ("sum not scaled", "nothing scaled") else scale) + e.sum()
        acc = acc * (1.0 if kind in ("output not scaled", "nothing scaled") else scale) + e @ v[a : a + step]
        m = new
    e = np.exp((whole if kind == "last dropped" else row) - m)
    if kind == "kept as they came":
        tops = np.maximum.accumulate(row)
        e = np.exp(row - tops)
    return made(e, 1.0 if kind == "not divided" else total, acc, m, kept)


def made(e, total, acc, m, n):
    weights = np.zeros(n)
    weights[: len(e)] = e / total
    return {"weights": weights, "state": np.array([m, total]), "mixed": acc / total}


def of(*hows):
    return [softmax(f"{how}{blocks}") for how in hows for blocks in ("", " blocks")]


WRONGS = {
    "sum_not_scaled": Wrong(
        "The running sum is not scaled when the maximum grows: what is in it belongs to the old maximum, so "
        "multiply it by exp(old - new).",
        of("sum not scaled", "nothing scaled"),
    ),
    "output_not_scaled": Wrong(
        "The output that was collected is not scaled when the maximum grows: multiply it by exp(old - "
        "new), as the sum.",
        of("output not scaled"),
    ),
    "scaled_inversely": Wrong(
        "The sum is scaled by exp(new - old): it has to shrink when the maximum grows, by exp(old - new).",
        of("inverted"),
    ),
    "last_maximum": Wrong(
        "The maximum is that of the newest entries alone: it is the larger of the old one and theirs.",
        of("last maximum"),
    ),
    "starts_at_0": Wrong(
        "The running maximum begins at 0: where all entries are far below 0, the sum becomes 0. Begin at "
        "-inf.",
        of("starts at 0"),
        overflows=True,
    ),
    "not_divided": Wrong("The division by the sum is missing at the end.", of("not divided")),
    "last_dropped": Wrong(
        "What is left over after the last full block is not read.", of("last dropped", "last cut")
    ),
    "kept_as_they_came": Wrong(
        "Each weight is taken with the maximum of its own moment: all need the last one.",
        of("kept as they came"),
    ),
    "no_maximum": Wrong(
        "No maximum is subtracted: large entries overflow.", of("no maximum"), overflows=True
    ),
    "one_too_many": Wrong("The running sum begins at 1: it begins at 0.", of("one too many")),
    "first_dropped": Wrong("The first entry is not counted.", of("first dropped")),
}


# ---- is it online?


class Passes(TorchFunctionMode):
    """Notes whether a maximum over at least `n` entries is taken at once."""

    def __init__(self, n):
        super().__init__()
        self.n, self.whole = n, False

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        if name in (
            "max",
            "amax",
            "aminmax",
            "sort",
            "topk",
            "argmax",
            "cummax",
            "logcumsumexp",
            "logsumexp",
        ):
            shape = getattr(args[0], "shape", ())
            self.whole = self.whole or bool(shape) and max(shape) >= self.n
        return function(*args, **(kwargs or {}))


class Watched(np.ndarray):
    """The same for NumPy."""

    whole = False

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **named):
        plain = [one.view(np.ndarray) if isinstance(one, Watched) else one for one in inputs]
        if (
            ufunc is np.maximum
            and method in ("reduce", "accumulate")
            and max(plain[0].shape, default=0) >= LONG
        ):
            Watched.whole = True
        if out is not None:
            named["out"] = tuple(one.view(np.ndarray) if isinstance(one, Watched) else one for one in out)
        result = getattr(ufunc, method)(*plain, **named)
        return result.view(Watched) if isinstance(result, np.ndarray) else result


LONG = 300  # more than any usual block


def is_online(obj, way, reading):
    """The sentence for an answer that looks at all entries at once."""
    given = draw(3, LONG, d=2, T_q=2)
    Watched.whole, seen = False, []
    given |= {name: given[name].view(Watched) for name in ("x", "q", "k", "v")}
    written = [obj, *vars(obj).values()] if isinstance(obj, type) else [obj]
    spaces = [one.__globals__ for one in written if isinstance(one, FunctionType)]
    before = [(space, space.get("max", LEFT_OUT)) for space in spaces]

    def watched_max(*args, **named):
        if len(args) == 1 and hasattr(args[0], "__len__") and len(args[0]) >= LONG:
            seen.append(True)
        return builtins.max(*args, **named)

    for space, own in before:
        if own is LEFT_OUT:
            space["max"] = watched_max
    passes = Passes(LONG)
    try:
        with passes:
            way.run(given)
    except Exception:  # what cannot be watched is not held against it
        return None
    finally:
        for space, own in before:
            if own is LEFT_OUT:
                space.pop("max", None)
    return NOT_ONLINE if passes.whole or Watched.whole or seen else None


LEFT_OUT = object()
DIALECTS = [
    *(
        (library, what)
        for what in ("one", "rows", "batch", "heads", "one query")
        for library in ("torch", "numpy")
    ),
    ("list", "one"),
    ("torch", "blocks"),
    ("numpy", "blocks"),
    ("list", "blocks"),
    ("list", "iterator"),
]


UPDATES = ("update", "add", "push", "step", "feed", "observe", "consume", "__call__", "forward")
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
)


def streams(obj, first):
    """Ways of a class that is given one entry, or one block, after another, and asked in the end."""
    cls = class_of(obj)
    own = [name for name in UPDATES if name in vars(cls)]
    for recipe in working_recipes(cls, first["sizes"])[:1] if own else []:
        for library in ("list", "torch", "numpy"):
            for blocks in (False, True):
                for end in (*(name for name in RESULTS if name in vars(cls)), ""):
                    yield Way(
                        f"{own[0]} {end} {library} {blocks}", fed(cls, recipe, own[0], end, library, blocks)
                    )


def fed(cls, recipe, update, end, library, blocks):
    def run(given):
        thing, values = make(cls, recipe, given["sizes"]), bool(len(parameters(getattr(cls, update))) > 2)
        step = 4 if blocks else 1
        for a in range(0, given["n"], step):
            part = given["x"][0][a : a + step] if blocks else np.asarray(given["x"][0][a])
            row = given["v"][a : a + step] if blocks else given["v"][a]
            some = [part.tolist() if library == "list" else dress(part, library)]
            getattr(thing, update)(*some, *([dress(row, library)] if values else []))
        wants = len(parameters(getattr(cls, end))) - 1 if end and callable(getattr(cls, end)) else 0
        found = getattr(thing, end) if end else tuple(vars(thing).values())[:2]
        if callable(found):
            found = found(dress(given["x"][0], library)) if wants else found()
        return Outcome(
            found, notes={"dialect": (library, "one"), "plan": {"x": "x"} | ({"v": "v"} if values else {})}
        )

    return run


def all_ways(obj, said, first, forms):
    if is_class(obj):
        yield from streams(obj, first)
    yield from ways(obj, said, first, forms, HINTS, value, DIALECTS)


def base():
    draws = [
        draw(1, 7),
        draw(2, 1),
        draw(3, 9, 700.0, "up"),
        draw(4, 12, 3.0, "down", shift=-900.0),
        draw(5, 120),
    ]
    forms = [
        ("x",),
        ("x", "block"),
        ("q", "k", "v"),
        ("q", "k", "v", "block"),
        ("x", "v"),
        ("x", "v", "block"),
    ]
    return Problem(
        "online_softmax",
        draws,
        lambda obj, said: all_ways(obj, said, draws[0], forms),
        readings,
        {"right": softmax()},
        WRONGS,
        look=is_online,
        roles=tuple(HINTS),
        ready_made=READY_MADE,
    )
