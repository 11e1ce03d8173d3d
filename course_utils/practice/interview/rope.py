"""The topic rope: rotary positions, half-split or interleaved; then positions that begin later."""

import numpy as np
import torch

from .simple import ways
from .values import dress, undress
from .ways import Outcome, Problem, Reading, Way, Wrong
from .words import second_axis

HINTS = {
    "x": r"x.*|.*vec.*|t|tensor|inp.*|h|hidden.*|emb.*|states?|a|u",
    "q": r"x?q.*|.*quer.*",
    "k": r"x?k.*|.*key.*",
    "pos": r".*pos.*|offset|start.*|m|idx|ind.*|.*ids|step|p|past.*|.*shift",
    "cos": r".*cos.*",
    "sin": r".*sin.*",
    "freqs": r".*freq.*|theta_?s?|angles?|.*table.*|rot.*|cis",
    "T": r".*len.*|t|n|seq",
    "base": r".*base|.*theta.*",
    "d": r".*dim.*|d.*|head.*",
}
BASE = 10000.0


def draw(seed, B, H, T, d, start=0, rows=None):
    rng = np.random.default_rng(seed)
    sizes = {"head_dim": d, "d_model": d, "max_len": 32, "base": BASE, "heads": H, "batch": B}
    return {
        "x": rng.standard_normal((B, H, T, d)),
        "k": rng.standard_normal((B, H, T, d)),
        "T": T,
        "d": d,
        "H": H,
        "B": B,
        "start": start,
        "sizes": sizes,
    }


LAYOUTS = {
    "(B, H, T, d)": lambda x: x,
    "(B, T, H, d)": lambda x: x.transpose(0, 2, 1, 3),
    "(B, T, d)": lambda x: x[:, 0],
    "(T, d)": lambda x: x[0, 0],
    "(H, T, d)": lambda x: x[0],
    "(T, H, d)": lambda x: x[0].transpose(1, 0, 2),
    "(d,)": lambda x: x[0, 0],
}


def value(role, given, dialect):
    library, layout, extra = dialect
    positions = given["start"] + np.arange(given["T"])
    if role in ("x", "q", "k") and layout == "(d,)":
        return dress(given["x" if role != "k" else "k"][0, 0, 0], library)
    if role in ("x", "q", "k"):
        return dress(np.ascontiguousarray(LAYOUTS[layout](given["x" if role != "k" else "k"])), library)
    if role == "pos":
        rows = np.broadcast_to(positions, (given["B"], given["T"]))
        return given["start"] if extra == "start" else dress(rows if extra == "rows" else positions, library)
    if role in ("T", "d", "base"):
        return {"T": given["T"] + given["start"], "d": given["d"], "base": BASE}[role]
    angles = positions[:, None] * BASE ** (-np.arange(0, given["d"], 2) / given["d"])
    if role == "freqs":
        turns = np.exp(1j * angles)
        if library == "torch":
            return torch.tensor(turns if extra == "positions" else angles).to(
                torch.complex64 if extra == "positions" else torch.float32
            )
        return turns if extra == "positions" else angles
    wide = {
        "positions": np.concatenate([angles, angles], -1),
        "start": np.repeat(angles, 2, -1),
        "rows": angles,
    }
    return dress({"cos": np.cos, "sin": np.sin}[role](wide[extra]), library)


def readings(outcome, given):
    """x turned, or q and k turned, as (1 or 2, ...)."""
    _, layout, _ = outcome.notes["dialect"]
    roles = outcome.notes["plan"].values()
    result = outcome.value
    pair = "k" in roles
    if pair and isinstance(result, dict):
        result = list(result.values())
    if pair and not (isinstance(result, (tuple, list)) and len(result) >= 2):
        return
    if pair:
        parts = [undress(one) for one in result[:2]]
    else:
        parts = [undress(result[0] if isinstance(result, (tuple, list)) and len(result) else result)]
    shapes = [LAYOUTS[layout](given["x"]).shape] * len(parts)
    if any(part is None or part.shape != shape for part, shape in zip(parts, shapes, strict=True)):
        return
    meant = {**given, "pair": pair, "layout": layout}
    yield Reading((layout, pair), np.stack(parts), meant, (layout, pair))


def turn(
    style="half", direction=1, first=0, exponent=2.0, axis=-2, mixed=False, how="", start=True, base=BASE
):
    """A reference with a slip. style: where the two of a pair lie. exponent: of feature j, over d."""

    def one(x, given):
        d = x.shape[-1]
        places = first + np.arange(x.shape[axis]) + (given["start"] if start else 0)
        j = np.arange(d // 2)
        rates = base ** (-exponent * j / d)
        if how == "upwards":
            rates = BASE ** (2 * j / d)
        if how == "one rate":
            rates = np.ones(d // 2)
        if how == "degrees":
            rates = np.deg2rad(rates)
        if how == "no base":
            rates = 1 / (j + 1)
        angles = places[:, None] * rates
        if axis == -3:
            angles = angles[:, None, :]
        cos, sin = np.cos(angles), np.sin(angles) * direction
        even, odd = (x[..., : d // 2], x[..., d // 2 :]) if style == "half" else (x[..., ::2], x[..., 1::2])
        if mixed:
            return mixture(x, cos, sin, style)
        if how == "both plus":
            a, b = even * cos + odd * sin, even * sin + odd * cos
        elif how == "both minus":
            a, b = even * cos - odd * sin, odd * cos - even * sin
        elif how == "own sine":
            a, b = even * cos + even * sin, odd * cos + odd * sin
        elif how == "own minus":
            a, b = even * cos - even * sin, odd * cos - odd * sin
        elif how == "overwritten":
            a = even * cos - odd * sin
            b = a * sin + odd * cos
        elif how == "swapped":
            a, b = even * sin - odd * cos, even * cos + odd * sin
        else:
            a, b = even * cos - odd * sin, even * sin + odd * cos
        if style == "regrouped":
            return np.concatenate([a, b], -1)
        if style == "half":
            return np.concatenate([a, b], -1)
        return np.stack([a, b], -1).reshape(x.shape)

    def made(given):
        layout = given["layout"]
        some = [given["x"], given["k"]] if given["pair"] else [given["x"]]
        if how == "k alone":
            return np.stack(
                [LAYOUTS[layout](given["x"]), LAYOUTS[layout](one(given["k"], given))][: len(some)]
            )
        if how == "q alone":
            return np.stack(
                [LAYOUTS[layout](one(given["x"], given)), LAYOUTS[layout](given["k"])][: len(some)]
            )
        return np.stack([LAYOUTS[layout](one(x, given)) for x in some])

    return made


def mixture(x, cos, sin, style):
    """The pairs of one layout, turned by the angles of the other."""
    d = x.shape[-1]
    if style == "half":
        cos, sin = np.repeat(cos, 2, -1), np.repeat(sin, 2, -1)
        turned = np.concatenate([-x[..., d // 2 :], x[..., : d // 2]], -1)
    else:
        cos, sin = np.concatenate([cos, cos], -1), np.concatenate([sin, sin], -1)
        turned = np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    return x * cos + turned * sin


def added(given):
    layout = given["layout"]
    d = given["d"]
    angles = (given["start"] + np.arange(given["T"]))[:, None] * BASE ** (-np.arange(0, d, 2) / d)
    sines = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(given["T"], d)
    some = [given["x"], given["k"]] if given["pair"] else [given["x"]]
    return np.stack([LAYOUTS[layout](x + sines) for x in some])


def unturned(given):
    some = [given["x"], given["k"]] if given["pair"] else [given["x"]]
    return np.stack([LAYOUTS[given["layout"]](x) for x in some])


STYLES = ("half", "interleaved", "regrouped")
RIGHTS = {style: turn(style) for style in STYLES}


def of_each(**slip):
    return [turn(style, **slip) for style in STYLES]


WRONGS = {
    "turned_back": Wrong(
        "The vectors are turned the other way: the pair (a, b) becomes (a cos - b sin, a sin + b cos).",
        of_each(direction=-1),
    ),
    "from_one": Wrong(
        "Positions begin at 1: the first token has position 0, and is not turned.", of_each(first=1)
    ),
    "layouts_mixed": Wrong(
        "Two layouts are mixed: the features that are turned together do not have the same angle. Half-split "
        "pairs j with j + d / 2, interleaved pairs 2j with 2j + 1.",
        [turn("half", mixed=True), turn("interleaved", mixed=True)],
    ),
    "exponent": Wrong(
        "The angles are off: pair j turns by position * base ** (-2j / d).",
        [
            *of_each(exponent=1.0),
            *of_each(exponent=4.0),
            *of_each(how="upwards"),
            *of_each(how="one rate"),
            *of_each(exponent=-2.0),
            *of_each(how="no base"),
            *of_each(exponent=0.5),
        ],
    ),
    "base": Wrong(
        "The base of the angles is another one than 10 000.",
        [maker for base in (2.0, 10.0, 100.0, 1000.0, 1e5, 5e5, 1e6) for maker in of_each(base=base)],
    ),
    "degrees": Wrong(
        "The angles are taken as degrees: sine and cosine want radians.", of_each(how="degrees")
    ),
    "not_turned": Wrong(
        "This is no rotation, as lengths change: the pair (a, b) becomes (a cos - b sin, a sin + b cos).",
        [
            *of_each(how="both plus"),
            *of_each(how="both minus"),
            *of_each(how="own sine"),
            *of_each(how="own minus"),
            *of_each(how="swapped"),
        ],
    ),
    "overwritten": Wrong(
        "One feature of a pair is overwritten before the other is worked out from it: keep both until then.",
        of_each(how="overwritten"),
    ),
    "heads_axis": Wrong(
        "Positions are counted along the axis of heads: count them along the tokens.", of_each(axis=-3)
    ),
    "added": Wrong("A position is added to the vectors: RoPE turns them.", [added]),
    "unchanged": Wrong("Nothing is turned: what comes back is what went in.", [unturned]),
    "k_alone": Wrong(
        "Only one of queries and keys is turned: turn both.",
        [*of_each(how="k alone"), *of_each(how="q alone")],
    ),
}
START = {
    "start_ignored": Wrong(
        "The positions that came in are not used: with a cache the first new token is not at position 0.",
        of_each(start=False),
    )
}
DIALECTS = [
    (library, layout, extra)
    for layout in LAYOUTS
    for library in ("torch", "numpy")
    for extra in ("positions", "start", "rows")
]


def all_ways(obj, said, first, forms):
    """Iterator of Way; what takes one vector and its position is called for each token."""
    for way in ways(obj, said, first, forms, HINTS, value, DIALECTS, ("rotate",)):
        if "'(d,)'" in way.name:
            if "'pos'" in way.name and "'start'" in way.name:
                yield Way(way.name, token_by_token(way.run))
        else:
            yield way


def token_by_token(run):
    def inner(given):
        results = []
        for t in range(given["T"]):
            one = {**given, "start": given["start"] + t, "T": 1, "vector": True}
            results.append(run({**one, "x": given["x"][:, :, t : t + 1], "k": given["k"][:, :, t : t + 1]}))
        values = [one.value if isinstance(one.value, tuple) else (one.value,) for one in results]
        stacked = tuple(np.stack([np.asarray(part) for part in parts]) for parts in zip(*values, strict=True))
        return Outcome(stacked if len(stacked) > 1 else stacked[0], notes=results[0].notes)

    return inner


def axis_as_written(obj, way, reading):
    """The mistake of an answer that counts positions along the axis which its own words call heads."""
    layout, words = reading.key[0], second_axis(obj)
    wrong = (layout, words) in (("(B, T, H, d)", "heads"), ("(B, H, T, d)", "tokens"))
    return ("heads_axis", WRONGS["heads_axis"].sentence) if wrong else None


def problem(name, draws, forms, wrongs):
    return Problem(
        name=name,
        draws=draws,
        ways=lambda obj, said: all_ways(obj, said, draws[0], forms),
        readings=readings,
        rights=RIGHTS,
        wrongs=wrongs,
        look=axis_as_written,
        roles=tuple(HINTS),
    )


def base():
    draws = [draw(1, 2, 3, 5, 8), draw(2, 1, 1, 1, 6), draw(3, 3, 2, 7, 4), draw(4, 2, 5, 4, 10)]
    forms = [
        ("x",),
        ("q", "k"),
        ("x", "pos"),
        ("q", "k", "pos"),
        ("x", "cos", "sin"),
        ("q", "k", "cos", "sin"),
        ("x", "freqs"),
        ("q", "k", "freqs"),
        ("x", "T"),
        ("x", "base"),
        ("x", "pos", "base"),
        ("x", "d"),
        ("x", "pos", "d"),
        ("pos", "x"),
        ("q", "k", "T"),
        ("x", "d", "base"),
        ("q", "k", "pos", "base"),
        ("q", "k", "cos", "sin", "pos"),
    ]
    return problem("rope", draws, forms, WRONGS)


def later():
    draws = [draw(1, 2, 3, 5, 8, start=4), draw(2, 1, 1, 1, 6, start=9), draw(3, 3, 2, 4, 4, start=1)]
    forms = [("x", "pos"), ("q", "k", "pos"), ("pos", "x"), ("x", "pos", "base"), ("x", "T", "pos")]
    return problem("rope from a later position", draws, forms, {**START, **WRONGS})
