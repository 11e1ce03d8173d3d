"""Rotary positions: vectors come in, in any layout, with or without positions, and come back rotated."""

import re

import numpy as np

from ..calls import functions_of
from ..hints import role_of
from ..layouts import fits, looped, names_in, rearrange
from ..parameters import LEFT_OUT, parameters
from ..values import Skip, Unread, parts_of, undress

FORMS = [("x",), ("q", "k"), ("x", "positions"), ("q", "k", "positions"), ("x", "cos", "sin")]
FORMS += [
    ("q", "k", "cos", "sin"),
    ("q", "k", "freqs"),
    ("x", "freqs"),
    ("q", "k", "cos", "sin", "positions"),
]
FORMS += [("x", "head_dim", "base")]
FORMS += [("x", "base"), ("x", "positions", "base"), ("x", "freqs", "positions"), ("x", "length")]
OPTIONAL = ("positions", "base")
HINTS = {
    "partial": r"rot(ary)?_?(dim|d|features)",
    "positions": r".*pos.*|offset|start.*|m|idx|ind.*|.*ids|step|p|past.*|.*shift|t",
    "cos": r".*cos.*",
    "sin": r".*sin.*",
    "freqs": r".*freq.*|angles?|.*table.*|(?!.*dim)rot.*|cis",
    "base": r".*base|.*theta.*",
    "head_dim": r".*dim.*|d|d_.*|features",
    "q": r"x?q.*|.*quer.*",
    "k": r"x?k.*|.*key.*",
    "x": r"x.*|.*vec.*|tensor|inp.*|h|hidden.*|emb.*|states?|a|u|rows|some|v|seq",
}
LAYOUTS = ("b h t d", "b t h d", "t d", "t h d", "h t d", "b t d", "d")
PAIRS = {"halves": "(p i)", "neighbours": "(i p)"}
PLACES = {
    "numbers": lambda positions: positions,
    "start": lambda positions: positions,  # one by one
    "rows": lambda positions: positions[None],
    "list": lambda positions: positions.tolist(),
}
TABLES = ("whole", "neighbours", "pairs", "complex")
BASE = 10000.0
ONE_ALONE = (
    "Queries and keys with the same numbers at the same positions come back different: one of the two is not "
    "rotated by its position."
)


def sizes(request):
    """The request with all that a size can be called."""
    _, heads, _, width = request["x"].shape
    more = {"head_dim": width, "d_model": width, "max_len": 64, "heads": heads, "batch": 1, "base": BASE}
    return request | more


def options(way):
    tables = bool(way.roles & {"cos", "sin", "freqs"})
    return {
        "pairs": PAIRS,
        "x": LAYOUTS,
        "places": PLACES if "positions" in way.roles else ("numbers",),
        "table": TABLES if tables else ("whole",),
        "from": ("zero", "start") if tables else ("zero",),
    }


def value(role, request, way):
    if role in ("x", "q", "k"):
        return request["vectors"]
    if role == "positions":
        return request["places"]
    if role in ("cos", "sin", "freqs"):
        return table_of(role, request, way.choice)
    return {"base": BASE, "length": request["length"], "head_dim": request["head_dim"]}.get(role, LEFT_OUT)


def table_of(role, request, choice):
    """Cosines, sines or angles of all positions up to the last one."""
    begin = 0 if choice["from"] == "zero" else request["first"]
    angles = np.arange(begin, request["length"])[:, None] * request["speeds"]
    if role == "freqs":
        return np.exp(1j * angles) if choice["table"] == "complex" else angles
    wide = {"whole": np.concatenate([angles, angles], -1), "neighbours": np.repeat(angles, 2, -1)}
    return {"cos": np.cos, "sin": np.sin}[role](wide.get(choice["table"], angles))


def run(way, request):
    """(B, H, T, d), rotated in halves whatever the pairs of the learner are."""
    if way.step.later and not way.roles & {"positions", "cos", "sin", "freqs"}:
        raise Skip
    cut = "positions" not in way.roles or way.choice["from"] == "start"
    if way.step.later and cut and has_start(way):  # it has to count in a whole table from there
        raise Skip
    x, positions = (
        request["x"],
        np.broadcast_to(request["positions"], (request["x"].shape[0], request["x"].shape[2])),
    )
    d = x.shape[-1]
    features = PAIRS[way.choice["pairs"]]
    x = rearrange(x, f"b h t (p i) -> b h t {features}", p=2)
    rotated = np.stack([example(way, request, x[b], positions[b]) for b in range(len(x))])
    return rearrange(rotated, f"b h t {features} -> b h t (p i)", p=2, i=d // 2)


def has_start(way):
    """Does it take a position to begin at, 0 if none comes?"""
    own = parameters(way.target.signed)[way.target.skip :]
    return any(parameter.default == 0 and role_of(parameter.name, HINTS) == "positions" for parameter in own)


def example(way, request, x, positions):
    """(H, T, d) of one example. A program that counts from 0 is given a longer text, with the vectors at
    their positions; one that takes a start, neighbours; one that takes positions, all as they are."""
    heads, _, d = x.shape
    takes, kind = "positions" in way.roles, way.choice["places"]
    request = request | {"speeds": BASE ** (-np.arange(0, d, 2) / d), "head_dim": d}

    def rotated(x, places, first, length):
        return laid_out(way, request | {"places": places, "first": first, "length": length}, x)

    if takes and kind == "start":
        parts = [rotated(x[:, t : t + 1], int(p), int(p), int(p) + 1) for t, p in enumerate(positions)]
        return np.concatenate(parts, 1)
    if "t" not in names_in(way.choice["x"]):
        raise Skip
    if takes and not way.roles & {"cos", "sin"}:
        return rotated(x, PLACES[kind](positions), 0, int(positions.max()) + 1)
    long = np.cos(np.arange(heads * (positions.max() + 1) * d) * 0.7).reshape(heads, -1, d)
    result, length = np.empty_like(x), long.shape[1]
    later = way.choice["from"] == "start" or takes and way.step.later
    first = int(positions.min()) if later else 0
    for t, place in enumerate(positions):  # two tokens may have the same position
        text = long.copy()
        text[:, place] = x[:, t]
        places = PLACES[kind](np.arange(first, length))
        result[:, t] = rotated(text[:, first:], places, first, length)[:, place - first]
    return result


def laid_out(way, request, x):
    """(H, T, d) handed over in the layout, head by head where it has no such axis."""
    pattern = way.choice["x"]
    if "t" not in names_in(pattern) and x.shape[1] > 1:
        raise Skip

    def once(arrays):
        x = arrays["x"]
        value = way.once(request | {"vectors": rearrange(x, f"h t d -> {pattern}")})
        sizes = dict(zip("bhtd", (1, *x.shape), strict=True))
        results = [undress(part) for _, part in parts_of(value)]
        fitting = [a for a in results if a is not None and fits(a, pattern, sizes)]
        results = [rearrange(a, f"{pattern} -> h t d", **sizes) for a in fitting]
        if not results:
            raise Unread(value)
        both = len(results) > 1 and {"q", "k"} <= way.roles
        if both and not np.allclose(results[0], results[1], atol=1e-4):
            raise Unread(value, "one_alone", ONE_ALONE)
        return results[0]

    return looped(once, {"x": x}, {"": "htd", "x": "htd"}, ["t", "d", *names_in(pattern)])


# ---- does it do what its own text says?

SHAPE = re.compile(r"[(\[]\s*(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*[)\]]")
AXES = {
    "b": r"b|bs|bsz|batch.*",
    "h": r"h|nh|n_h|heads|n_?heads|num_heads",
    "t": r"t|s|l|n|seq.*|tokens?|time|length",
    "d": r"d|hd|h_d|dh|d_h|dim|d_head|head_dim",
}
LAYOUT = (
    "It is right for vectors of shape ({}), and its docstring says ({}): there it would count positions "
    "along the other axis."
)


def look(topic, step, obj, attempts):
    """(mistake, sentence) of a program that counts positions along another axis than its docstring says."""
    way = attempts.adapted.way
    layout, stated = (
        way.choice["x"],
        layouts_in("\n".join(item.__doc__ or "" for item in (obj, *functions_of(obj)))),
    )
    counts = not way.roles & {"positions", "cos", "sin", "freqs"}
    if not counts or len(names_in(layout)) < 4 or not stated or layout in stated:
        return None
    return "layout_otherwise", LAYOUT.format(
        *(", ".join(names_in(pattern)) for pattern in (layout, stated[0]))
    )


def layouts_in(text):
    """The layouts of four axes that a text has, in order."""
    rows = [[role_of(name, AXES) for name in row] for row in SHAPE.findall(text)]
    return [" ".join(row) for row in rows if set(row) == set(AXES)]
