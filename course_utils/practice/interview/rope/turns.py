"""The rotation written slowly, with a switch for each known slip."""

from dataclasses import dataclass, replace

import numpy as np

from .inputs import BASE, LAYOUTS

PAIRED = {  # what becomes of a pair (a, b), with the cosine c and the sine s of its angle
    "": lambda a, b, c, s: (a * c - b * s, a * s + b * c),
    "both plus": lambda a, b, c, s: (a * c + b * s, a * s + b * c),
    "both minus": lambda a, b, c, s: (a * c - b * s, b * c - a * s),
    "own sine": lambda a, b, c, s: (a * c + a * s, b * c + b * s),
    "own minus": lambda a, b, c, s: (a * c - a * s, b * c - b * s),
    "own, minus first": lambda a, b, c, s: (a * c - a * s, b * c + b * s),
    "own, plus first": lambda a, b, c, s: (a * c + a * s, b * c - b * s),
    "overwritten": lambda a, b, c, s: (a * c - b * s, (a * c - b * s) * s + b * c),
    "swapped": lambda a, b, c, s: (a * s - b * c, a * c + b * s),
    "sine and cosine": lambda a, b, c, s: (a * s - b * c, a * s + b * c),
    "one alone": lambda a, b, c, s: (a * c - b * s, b),
    "cosine alone": lambda a, b, c, s: (a * c, b * c),
}
RATES = {  # of pair j: the angle at position 1
    "upwards": lambda j, d: BASE ** (2 * j / d),
    "one rate": lambda j, d: np.ones(len(j)),
    "no base": lambda j, d: 1 / (j + 1),
    "one later": lambda j, d: BASE ** (-2 * (j + 1) / d),
    "over d - 2": lambda j, d: BASE ** (-2 * j / max(d - 2, 1)),
    "degrees": lambda j, d: np.deg2rad(BASE ** (-2 * j / d)),
}


@dataclass
class Turn:
    """style: where the two of a pair lie. direction: 1, or -1 for backwards. first: position of the first
    token. exponent: of pair j, over d. axis: along which positions are counted. mixed: are the angles those
    of the other style? start: does the position that comes in count? how: of PAIRED or RATES."""

    style: str = "half"
    direction: int = 1
    first: int = 0
    exponent: float = 2.0
    axis: int = -2
    mixed: bool = False
    how: str = ""
    start: bool = True
    base: float = BASE


def turn(style="half", of_k=None, of_q=None, **slip):
    """A reference. of_k, of_q: slips of the keys, or of the queries, alone; "left" for not turned at all."""
    whole = Turn(style, **slip)

    def made(given):
        parts = [(given["x"], of_q if given["pair"] else None), (given["k"], of_k)]
        return np.stack(
            [LAYOUTS[given["layout"]](one(x, given, whole, own)) for x, own in parts[: 1 + given["pair"]]]
        )

    return made


def one(x, given, whole, own):
    if own == "left":
        return x
    return turned(x, given, replace(whole, **own) if own else whole)


def turned(x, given, slip):
    """x (B, H, T, d), turned with the slip."""
    cos, sin = cos_and_sin(x, given, slip)
    half, interleaved = slip.style == "half", slip.style == "interleaved"
    if slip.mixed:
        return mixture(x, cos, sin, slip.style)
    d = x.shape[-1]
    even, odd = (x[..., : d // 2], x[..., d // 2 :]) if half else (x[..., ::2], x[..., 1::2])
    a, b = PAIRED.get(slip.how, PAIRED[""])(even, odd, cos, sin)
    return np.stack([a, b], -1).reshape(x.shape) if interleaved else np.concatenate([a, b], -1)


def cos_and_sin(x, given, slip):
    d = x.shape[-1]
    places = slip.first + np.arange(x.shape[slip.axis]) + (given["start"] if slip.start else 0)
    j = np.arange(d // 2)
    rates = RATES[slip.how](j, d) if slip.how in RATES else slip.base ** (-slip.exponent * j / d)
    angles = places[:, None] * rates
    angles = angles.reshape(len(places), *[1] * (-2 - slip.axis), d // 2)
    return np.cos(angles), np.sin(angles) * slip.direction


def mixture(x, cos, sin, style):
    """The pairs of one layout, turned by the angles of the other."""
    if style == "half":
        cos, sin = np.repeat(cos, 2, -1), np.repeat(sin, 2, -1)
    else:
        cos, sin = np.concatenate([cos, cos], -1), np.concatenate([sin, sin], -1)
    return x * cos + quarter_turn(x, style) * sin


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


def by_feature(style, exponent):
    """A reference that turns each feature by an angle of its own, and not each pair by one."""

    def made(given):
        d = given["d"]
        angles = (given["start"] + np.arange(given["T"]))[:, None] * BASE ** (-exponent * np.arange(d) / d)
        cos, sin = np.cos(angles), np.sin(angles)
        some = [given["x"], given["k"]] if given["pair"] else [given["x"]]
        return np.stack([LAYOUTS[given["layout"]](x * cos + quarter_turn(x, style) * sin) for x in some])

    return made


def quarter_turn(x, style):
    """(a, b) to (-b, a)."""
    d = x.shape[-1]
    if style == "half":
        return np.concatenate([-x[..., d // 2 :], x[..., : d // 2]], -1)
    return np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
