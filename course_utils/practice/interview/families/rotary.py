"""Rotary positions: the program gets vectors in any layout, maybe positions too, and rotates them."""

import re

import numpy as np

from ..hints import Words, role_of
from ..layouts import fits, looped, names_in, rearrange
from ..parameters import LEFT_OUT, functions_of
from ..questions import named_mistake
from ..values import Skip, Unread, parts_of, to_array

WORDS = Words("rotary")

TABLES = ("cos", "sin", "freqs")
LAYOUTS = ("b h t d", "b t h d", "t d", "t h d", "h t d", "b t d", "d")
PAIRS = {"halves": "(p i)", "neighbours": "(i p)"}
PLACES = {
    "numbers": lambda positions: positions,
    "start": lambda positions: positions,  # one call per token
    "rows": lambda positions: positions[None],
    "list": lambda positions: positions.tolist(),
}
ANGLES = {  # {table: the angles of each position, from one angle per pair}
    "whole": lambda angles: np.concatenate([angles, angles], -1),
    "neighbours": lambda angles: np.repeat(angles, 2, -1),
    "pairs": lambda angles: angles,
    "complex": lambda angles: angles,
}
BASE = 10000.0


def sizes(request):
    """Add a value for every size that a parameter may mean."""
    _, heads, _, width = request["x"].shape
    more = {"head_dim": width, "d_model": width, "max_len": 64, "heads": heads, "batch": 1, "base": BASE}
    return request | more


def options(way):
    tables = way.roles & {*TABLES}
    return {
        "pairs": PAIRS,
        "x": LAYOUTS,
        "places": PLACES if "positions" in way.roles else ("numbers",),
        "table": ANGLES if tables else ("whole",),
        "from": ("zero", "start") if tables else ("zero",),
    }


def value(role, request, way):
    if role in TABLES:
        return table_of(role, request, way.choice)
    return request["vectors"] if role in ("x", "q", "k") else request.get(role, LEFT_OUT)


def table_of(role, request, choice):
    """Cosines, sines or angles of all positions up to the last one, from 0 or from the first one."""
    begin = 0 if choice["from"] == "zero" else request["first"]
    angles = np.arange(begin, request["length"])[:, None] * request["speeds"]
    if role == "freqs":
        return np.exp(1j * angles) if choice["table"] == "complex" else angles
    return {"cos": np.cos, "sin": np.sin}[role](ANGLES[choice["table"]](angles))


def run(way, request):
    """The rotated vectors (B, H, T, d), paired in halves, whatever pairs the program rotates."""
    counts = not way.roles & {"positions", *TABLES}
    cut = "positions" not in way.roles or way.choice["from"] == "start"
    if way.step.later and (counts or cut and has_start(way)):  # the program itself has to use a start
        raise Skip
    x, features = request["x"], PAIRS[way.choice["pairs"]]
    positions = np.broadcast_to(request["positions"], (x.shape[0], x.shape[2]))
    request = request | {"speeds": BASE ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])}
    x = rearrange(x, f"b h t (p i) -> b h t {features}", p=2)
    rotated = np.stack([example(way, request, x[b], positions[b]) for b in range(len(x))])
    return rearrange(rotated, f"b h t {features} -> b h t (p i)", p=2)


def has_start(way):
    """Does the program take a first position, by default 0?"""
    starts = [parameter.name for parameter in way.target.parameters if parameter.default == 0]
    return any(role_of(name, WORDS.hints) == "positions" for name in starts)


def example(way, request, x, positions):
    """The rotated vectors (H, T, d) of an example. A program that counts from 0 gets a longer text, with the
    vectors at their positions; one that takes a start, single tokens; one that takes positions, all tokens.
    """
    heads, _, d = x.shape
    takes, kind = "positions" in way.roles, way.choice["places"]

    def rotated(x, places, first, length):
        return call_in_layout(way, request | {"positions": places, "first": first, "length": length}, x)

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


def call_in_layout(way, request, x):
    """The result (H, T, d) of calls in the chosen layout, head by head if it has no axis for heads."""
    pattern = way.choice["x"]

    def once(arrays):
        sizes = dict(zip("bhtd", (1, *arrays["x"].shape), strict=True))
        value = way.once(request | {"vectors": rearrange(arrays["x"], f"h t d -> {pattern}")})
        results = [to_array(part) for _, part in parts_of(value)]
        results = [rearrange(a, f"{pattern} -> h t d", **sizes) for a in results if fits(a, pattern, sizes)]
        if not results:
            raise Unread(value)
        both = len(results) > 1 and {"q", "k"} <= way.roles
        if both and not np.allclose(results[0], results[1], atol=1e-4):
            raise Unread(value, "one_alone")
        return results[0]

    return looped(once, {"x": x}, {"": "htd", "x": "htd"}, ["t", "d", *names_in(pattern)])


# ---- does the program do what its docstring says?

SHAPE = re.compile(r"[(\[]\s*(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*[)\]]")
AXES = {
    "b": r"b.*",
    "h": r"h|n_?h|.*heads",
    "t": r"t|s|l|n|seq.*|tok.*|time|length",
    "d": r"d.*|h_?d|head_dim",
}


def look(topic, step, obj, attempts):
    """(mistake, sentence) if a program counts positions along another axis than it says; else None."""
    way = attempts.way
    layout, text = way.choice["x"], "\n".join(item.__doc__ or "" for item in (obj, *functions_of(obj)))
    rows = [[role_of(name, AXES) for name in row] for row in SHAPE.findall(text)]
    stated = [" ".join(row) for row in rows if set(row) == set(AXES)]
    counts = not way.roles & {"positions", *TABLES}
    if not counts or len(layout.split()) < 4 or not stated or layout in stated:
        return None
    return named_mistake("layout_otherwise", *(", ".join(pattern.split()) for pattern in (layout, stated[0])))
