"""The rotation written slowly, with a switch for each known slip."""

import numpy as np

from .inputs import BASE, LAYOUTS


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
