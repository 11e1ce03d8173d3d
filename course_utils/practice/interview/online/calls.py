"""Inputs, what each role of a call is given, and what came back by what it may be."""

import numpy as np

from ..values import dress, parts_of, undress
from ..ways import Reading

HINTS = {
    "x": r"x.*|.*scores?|.*logits?|z|a|arr.*|stream|values|inp.*|t|s|row|xs|nums|data|seq|vec.*",
    "q": r"q.*",
    "k": r"k|keys?|ks",
    "v": r"v|v(al)?s|.*values?",
    "pairs": r"pairs|kvs?|items|it|stream|tokens|cache",
    "d": r"d|dim|head_dim|d_head|d_k",
    "n": r"n|n_?(keys|k|tokens)|t|seq_?len|length",
    "block": r".*block.*|.*chunk.*|.*tile.*|.*size.*|bs|bc|b|n|step",
    "blocks": r".*blocks|.*chunks|parts|tiles|stream",
}
SQUARE = 150  # most queries
LAYOUTS = {  # q, k and v as (one side or more, T, d)
    "(T, d)": lambda one: one[0],
    "(B, T, d)": lambda one: one,
    "(B, H, T, d)": lambda one: one[None],
    "(B, T, H, d)": lambda one: one.transpose(1, 0, 2)[None],
    "(T, H, d)": lambda one: one.transpose(1, 0, 2),
    "(d,)": lambda one: one[0],
}

BLOCK = 3  # less than d, so that blocks of features are no blocks of tokens


def draw(seed, n, spread=2.0, order="", T_q=3, d=4, shift=0.0):
    """square: queries as many as keys, for what is causal."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((2, n)) * spread + shift
    x = np.sort(x)[:, :: -1 if order == "down" else 1] if order else x
    k, q = rng.standard_normal((n, d)) * spread, rng.standard_normal((n, d)) * spread
    return {
        "x": np.ascontiguousarray(x),
        "v": rng.standard_normal((n, d)),
        "k": k,
        "q": q[:T_q],
        "square": q,
        # what a constructor takes as a length is the size of its blocks
        "sizes": {"d_model": d, "head_dim": d, "batch": 1, "max_len": BLOCK, "heads": 1},
        "n": n,
    }


def sides(given, dialect):
    """[(q, k, v)]: two of them where there is an axis for it."""
    what = dialect[1].removesuffix(" square")
    q = given["square"] if dialect[1].endswith("square") else given["q"][: 1 if what == "(d,)" else None]
    one = (q, given["k"], given["v"])
    if dialect[1].endswith("square"):  # for plain Python too, in time
        one = tuple(array[:SQUARE] for array in one)
    return (
        [one] if what in ("(T, d)", "(d,)") or what not in LAYOUTS else [one, tuple(a[:, ::-1] for a in one)]
    )


def value(role, given, dialect):
    library, what = dialect
    if role == "block":
        return 2 if given["n"] < 100 else 16
    if role in ("n", "d"):
        n = min(given["n"], SQUARE) if what.endswith("square") else given["n"]
        return {"n": n, "d": given["v"].shape[1]}[role]
    if role == "blocks" or (role == "x" and what == "blocks"):
        parts = np.array_split(given["x"][0], max(1, given["n"] // 3))
        return [dress(part, library) for part in parts]
    if role == "x":
        x = given["x"] if what == "rows" else given["x"][0]
        return iter(dress(x, library)) if what == "iterator" else dress(x, library)
    if role == "pairs":
        return zip(dress(given["k"], library), dress(given["v"], library), strict=True)
    plain = what.removesuffix(" square")
    if plain not in LAYOUTS:
        return dress(given[role], library)
    stacked = np.stack([one["qkv".index(role)] for one in sides(given, dialect)])
    array = LAYOUTS[plain](stacked)
    return dress(np.ascontiguousarray(array[0] if plain == "(d,)" and role == "q" else array), library)


def meant(given, memo):
    """The input as it was meant. memo: the kind of result, and how the input was handed over."""
    kind, what = memo
    rows = given["x"] if what == "rows" else given["x"][:1]
    return {**given, "rows": rows, "sides": sides(given, ("", what)), "kind": KINDS.get(kind, kind)}


KINDS = {"s": "state"}  # as a memo names them


def readings(outcome, given):
    """The result, by what it may be: weights, (maximum, sum), a mixture of values, attention."""
    dialect, roles = outcome.notes["dialect"], set(outcome.notes["plan"].values())
    known = meant(given, (None, dialect[1]))
    rows = len(known["rows"])
    for place, part in parts_of(outcome.value):
        array = undress(part)
        if array is None or array.dtype == bool:
            continue
        if "q" in roles:
            yield from attended(array, known, dialect, place)
        else:
            yield from of_scores(array, known, dialect, place, "v" in roles)
    yield from states(outcome.value, known, rows, dialect)


def attended(array, known, dialect, place):
    """Attention: scaled or not, causal or not. Features may be scaled by their number or by a given one."""
    n_sides, (q, _, v) = len(known["sides"]), known["sides"][0]
    if array.size != n_sides * len(q) * v.shape[1] or array.shape[-1] != v.shape[1]:
        return
    if "H, d" in dialect[1]:  # heads come after tokens
        array = array.reshape(len(q), n_sides, -1).transpose(1, 0, 2)
    array = array.reshape(-1, v.shape[1])
    for kind in ("attention", "attention unscaled", "attention causal"):
        yield Reading((place, kind), array, {**known, "kind": kind}, (kind, dialect[1]))


def of_scores(array, known, dialect, place, with_values):
    n, rows, d = known["n"], len(known["rows"]), known["v"].shape[1]
    kind = None
    if with_values:
        kind, shape = ("mixed", (rows, d)) if array.size == rows * d else (None, None)
    elif array.shape in ((rows, n), (n,)):
        kind, shape = "weights", (rows, n)
    elif array.size == rows == 1 and not place:
        kind, shape = "log", (1,)
    if kind:
        yield Reading((place, kind), array.reshape(shape), {**known, "kind": kind}, (kind, dialect[1]))


def states(result, known, rows, dialect):
    """(maximum, sum), in either order, where that is what came back."""
    result = tuple(result.values()) if isinstance(result, dict) else result
    if isinstance(result, (tuple, list)) and len(result) == 2:
        pair = [undress(one) for one in result]
        if all(one is not None and one.size == rows for one in pair):
            both = np.stack([one.reshape(-1).astype(float) for one in pair])
            yield Reading(("state", 0), both, {**known, "kind": "state"}, ("s", dialect[1]))
            yield Reading(("state", 1), both[::-1], {**known, "kind": "state"}, ("s", dialect[1]))


DIALECTS = [
    *((library, what) for what in ("one", "rows") for library in ("torch", "numpy")),
    *((library, what) for what in LAYOUTS for library in ("torch", "numpy")),
    *((library, f"{what} square") for what in list(LAYOUTS)[:-1] for library in ("torch", "numpy")),
    ("list", "one"),
    ("list", "(T, d)"),
    ("list", "(T, d) square"),
    ("list", "(d,)"),
    *((library, "blocks") for library in ("torch", "numpy", "list")),
    ("list", "iterator"),
]
