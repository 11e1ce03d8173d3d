"""Attention written slowly, with a switch for each known slip: a dict of arrays comes in, (B, T, D) goes out.

It is an oracle to compare with and is laid out for its switches, not for reading.
"""

import numpy as np

from .heads import merge, of_one, of_queries, split, to_all_heads
from .kept import kept
from .mixed import attend
from .seen import seen
from .slips import Slips


def attention(**slips):
    """The reference with these slips: a function of the input."""
    slips = Slips(**slips)
    return lambda given: attend_all(given, slips)


def attend_all(given, slips):
    if given.get("unmerged", False) != slips.unmerged:  # a reading that only this slip can be
        return np.full((given["B"], sum(given["chunks"]), given["D"]), np.inf)
    if slips.across:
        given = {**given, "order": "dh"}
    B, H, Hkv = given["B"], given["H"], given["Hkv"]
    q, k, v = (
        in_calls(project(given, name, slips), heads, given, of_one(slips.split, name, "right"))
        for name, heads in (("q", H), ("k", Hkv), ("v", Hkv))
    )
    k, v = (to_all_heads(k, H, of_one(slips.grouped, "k")), to_all_heads(v, H, of_one(slips.grouped, "v")))
    q = of_queries(q, Hkv, slips.grouped)
    if "w" in slips.exchanged:
        pass  # done by `project`
    elif len(slips.exchanged) == 3:  # "k=q": the one is made as the other
        three = {"q": q, "k": k, "v": v}
        three[slips.exchanged[0]] = three[slips.exchanged[2]]
        q, k, v = three["q"], three["k"], three["v"]
    elif slips.exchanged:
        three = {"q": q, "k": k, "v": v}
        a, b = slips.exchanged
        three[a], three[b] = three[b], three[a]
        q, k, v = three["q"], three["k"], three["v"]
    if slips.rope:
        q, k = (turned(one, given, slips, name) for one, name in ((q, "q"), (k, "k")))
        v = turned(v, given, slips, "v") if slips.rope.endswith(" v") else v
    outs, start = [], 0
    for number, length in enumerate(given["chunks"]):
        places = seen(given["chunks"], number, slips.cache)
        rows = np.arange(start, start + length)
        some_k, some_v = kept(k, v, number, places, given, slips)
        outs.append(attend(q[:, :, rows], some_k, some_v, rows, places, given, slips))
        start += length
    if slips.merge == "regrouped":
        order = np.arange(H).reshape(Hkv, -1).T.reshape(-1)
        outs = [one[:, order] for one in outs]
    parts = [merge(one, given["order"], slips.merge) for one in outs]
    out = np.concatenate(parts, axis=1)
    if slips.out and given.get("wo") is not None:
        out = out @ given["wo"] + given.get("bo", 0.0)
    out = out.reshape(B, sum(given["chunks"]), -1)
    return out + given["x" if given.get("wq") is not None else "q"] if slips.residual else out


def project(given, name, slips):
    """(B, T, heads * d); where there are no weights, q, k and v are what came in."""
    other = slips.exchanged.startswith(f"w{name}=")  # another's weight, its own bias
    weight = given.get("w" + name)
    if weight is None:
        return given[name]
    another = given["w" + slips.exchanged[-1]] if other else weight
    weight = another if another.shape == weight.shape else weight
    if slips.unprojected == name and weight.shape[1] == given["D"]:
        return given["x" + ("" if name == "q" else name)]
    return given["x" + ("" if name == "q" else name)] @ weight + given.get("b" + name, 0.0)


def in_calls(x, heads, given, how):
    """Split into heads, the tokens of each call by themselves."""
    ends = np.cumsum(given["chunks"])[:-1]
    parts = [split(part, heads, given["d"], given["order"], how) for part in np.split(x, ends, axis=1)]
    return np.concatenate(parts, axis=2)


def turned(x, given, slips, what):
    """Queries or keys with rotary positions: pairs are halves of a head, or neighbours."""
    d, places = x.shape[-1], np.arange(x.shape[2])
    if what == "q" and slips.rope_from == "zero":
        ends = np.cumsum([0, *given["chunks"]])
        places = np.concatenate([np.arange(n) for n in np.diff(ends)])
    angles = places[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    cos, sin = np.cos(angles), np.sin(angles)
    if slips.rope.startswith("half"):
        a, b = x[..., : d // 2], x[..., d // 2 :]
        return np.concatenate([a * cos - b * sin, a * sin + b * cos], -1)
    a, b = x[..., ::2], x[..., 1::2]
    return np.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(x.shape)
