"""Attention written slowly, with a switch for each known slip: a dict of arrays comes in, (B, T, D) goes out.

It is an oracle to compare with and is laid out for its switches, not for reading.
"""

from dataclasses import dataclass

import numpy as np


@dataclass
class Slips:
    """causal: is there a mask? shift: by how much it is too far; inverted: the future is seen. late: it comes
    after the softmax. fill: what masked scores become. scale: what they are divided by. axis: of the softmax.
    split, merge: "right", "view". out: is there W_O? exchanged: two of "qkv". grouped: how kv heads serve.
    cache: what a step sees of earlier ones. pad: which keys padding hides. maximum: is it subtracted?
    unmerged: are heads left as they are? across: do they lie across the features? residual: is the input
    added? zeroed: are rows of NaN made zeros? keys: how they are turned for the scores. inside: do the heads
    of one token attend to each other? empty: how large is a cache whose empty places are attended to?
    folded: does the mask count rows of a whole group? rope: are queries and
    keys turned ("half", "interleaved"), values too ("half v")? rope_from: where the positions of new queries
    begin."""

    causal: bool = True
    shift: int = 0
    inverted: bool = False
    late: str = ""
    fill: float = -np.inf
    scale: str = "sqrt_d"
    axis: int = -1
    split: str = "right"
    merge: str = "right"
    out: bool = True
    exchanged: str = ""
    grouped: str = "interleaved"
    cache: str = "right"
    pad: str = ""
    maximum: bool = True
    unmerged: bool = False
    across: bool = False
    residual: bool = False
    zeroed: bool = False
    keys: str = ""
    inside: bool = False
    folded: bool = False
    empty: str = ""
    rope: str = ""
    rope_from: str = "start"


def attention(**slips):
    """The reference with these slips: a function of the input."""
    slips = Slips(**slips)
    return lambda given: attend_all(given, slips)


def attend_all(given, slips):
    if given.get("unmerged", False) != slips.unmerged:  # a reading that only this slip can be
        return np.full((given["B"], sum(given["chunks"]), given["D"]), np.inf)
    if slips.across:
        given = {**given, "order": "dh"}
    q, k, v = (project(given, name) for name in "qkv")
    B, H, Hkv = given["B"], given["H"], given["Hkv"]
    q, k, v = (in_calls(one, heads, given, slips.split) for one, heads in ((q, H), (k, Hkv), (v, Hkv)))
    k, v = (to_all_heads(one, H, grouping(slips.grouped, name)) for one, name in ((k, "k"), (v, "v")))
    if len(slips.exchanged) == 3:  # "k=q": the one is made as the other
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
        v_places = seen(given["chunks"], number, "new_first") if slips.keys == "v new first" else places
        k_places = seen(given["chunks"], number, "new_first") if slips.keys == "k new first" else places
        outs.append(attend(q[:, :, rows], k[:, :, k_places], v[:, :, v_places], rows, places, given, slips))
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


def project(given, name):
    """(B, T, heads * d); where there are no weights, q, k and v are what came in."""
    weight = given.get("w" + name)
    if weight is None:
        return given[name]
    return given["x" + ("" if name == "q" else name)] @ weight + given.get("b" + name, 0.0)


def in_calls(x, heads, given, how):
    """Split into heads, the tokens of each call by themselves."""
    ends = np.cumsum(given["chunks"])[:-1]
    parts = [split(part, heads, given["d"], given["order"], how) for part in np.split(x, ends, axis=1)]
    return np.concatenate(parts, axis=2)


def split(x, H, d, order, how):
    B, T, _ = x.shape
    if how == "view":
        return x.reshape(B, H, T, d)
    if how == "one":  # all features are one head
        return np.repeat(x[:, None], H, axis=1)
    if order == "dh":
        return x.reshape(B, T, d, H).transpose(0, 3, 1, 2)
    return x.reshape(B, T, H, d).transpose(0, 2, 1, 3)


def merge(x, order, how):
    B, H, T, d = x.shape
    if how == "one":
        return x[:, 0]
    if how == "view":
        return x.reshape(B, T, H * d)
    if how == "mean":
        return np.tile(x.mean(1), H)
    turned = x.transpose(0, 2, 3, 1) if (order == "dh") != (how == "other") else x.transpose(0, 2, 1, 3)
    return turned.reshape(B, T, H * d)


def grouping(how, name):
    """ "k tiled" is a slip of the keys alone."""
    alone = how.startswith(("k ", "v "))
    return how[2:] if alone and how[0] == name else "interleaved" if alone else how


def to_all_heads(x, H, how):
    """kv head h // group serves head h."""
    B, Hkv, T, d = x.shape
    group = H // Hkv
    if how == "tiled":
        return np.concatenate([x] * group, axis=1)
    if how == "first":
        return np.concatenate([x[:, :1]] * H, axis=1)
    if how == "mean":
        return np.concatenate([x.mean(1, keepdims=True)] * H, axis=1)
    return np.stack([x[:, h // group] for h in range(H)], axis=1)


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


def seen(chunks, number, how):
    """The places of the keys that a call has, in the order in which it has them."""
    ends = np.cumsum([0, *chunks])
    new = list(range(ends[number], ends[number + 1]))
    if how == "own":
        return new
    if how == "last":
        return list(range(ends[max(number - 1, 0)], ends[number + 1]))
    if how == "new_first":
        return [place for n in range(number, -1, -1) for place in range(ends[n], ends[n + 1])]
    if how == "twice":
        return list(range(ends[number + 1])) + new
    if how == "first" and number:
        return list(range(ends[1])) + new
    if how == "by call":  # a call writes from the place that counts calls, and not tokens
        slots = {}
        for n in range(number + 1):
            slots |= {n + i: place for i, place in enumerate(range(ends[n], ends[n + 1]))}
        return [slots[n] for n in range(number + len(new))]
    if how == "old_only" and number:
        return list(range(ends[number]))
    return list(range(ends[number + 1]))


def attend(q, k, v, rows, places, given, slips):
    B, H, T_q, _ = q.shape
    d = given["d"]
    if slips.keys == "reshaped":
        k = k.reshape(B, H, k.shape[-1], -1).transpose(0, 1, 3, 2)
    scores = np.einsum("bhid,bhjd->bhij", q, k) / divisor(slips.scale, d, given, len(places))
    open_ = allowed(rows, places, given, slips)
    if slips.empty:  # room in the cache that nothing was written to yet
        capacity = given["sizes"]["max_len"] if slips.empty == "all" else int(slips.empty)
        room = max(capacity - len(places), 0)
        scores = np.concatenate([scores, np.zeros((B, H, T_q, room))], -1)
        open_ = np.concatenate([open_, np.ones((*open_.shape[:-1], room), bool)], -1)
        v = np.concatenate([v, np.zeros((B, H, room, d))], 2)
    if slips.inside:
        k, v = k[:, :, -T_q:], v[:, :, -T_q:]
        scores = np.einsum("bhid,bgid->bihg", q, k) / divisor(slips.scale, d, given, len(places))
        return np.einsum("bihg,bgid->bhid", softmax(scores, slips), v)
    if slips.late in ("zeroed", "renormed"):
        weights = softmax(scores, slips) * open_
        if slips.late == "renormed":
            weights = weights / weights.sum(-1, keepdims=True)
    elif slips.fill == "added":
        weights = softmax(scores + ~open_, slips)
    else:
        weights = softmax(np.where(open_, scores, slips.fill), slips)
    if slips.late == "scaled":
        weights = weights / np.sqrt(d)
    if slips.zeroed:
        weights = np.nan_to_num(weights)
    if slips.late == "after values":
        return softmax(np.einsum("bhij,bhjd->bhid", scores, v), slips)
    return np.einsum("bhij,bhjd->bhid", weights, v)


def divisor(scale, d, given, T_k):
    root_D = np.sqrt(given["D"])
    return {
        "sqrt_d": np.sqrt(d),
        "sqrt_D": root_D,
        "none": 1.0,
        "d": d,
        "times": 1 / np.sqrt(d),
        "sqrt_T": np.sqrt(T_k),
        "sqrt_H": np.sqrt(given["H"]),
        "D over kv": np.sqrt(given["D"] / given["Hkv"]),
    }[scale]


def allowed(rows, places, given, slips):
    """(B, 1, T_q, T_k), True where a query may attend. A cached key's position is its place in the cache."""
    j = np.arange(len(places))[None, :]
    i = np.arange(len(rows))[:, None] + len(places) - len(rows)
    if slips.cache == "top_left":
        i = np.arange(len(rows))[:, None]
    open_ = np.ones((len(rows), len(places)), bool)
    late = slips.cache == "mask in first" and len(places) > len(rows)
    if slips.causal and slips.cache != "no_mask" and not late:
        open_ = (j >= i - slips.shift) if slips.inverted else (j <= i + slips.shift)
    open_ = np.broadcast_to(open_, (given["B"], 1, *open_.shape))
    if slips.pad:
        real = np.arange(given["T"])[None, :] < given["lengths"][:, None]
        keys = real[:, None, None, places]
        queries = real[:, None, rows, None]
        hidden = {
            "keys": keys,
            "both": keys & queries,
            "queries": queries | ~keys & keys,
            "inverted": ~keys,
            "none": keys | True,
        }
        shifted = np.arange(given["T"])[None, :] <= given["lengths"][:, None]
        open_ = open_ & (shifted[:, None, None, places] if slips.pad == "one_more" else hidden[slips.pad])
    if slips.folded:  # row g * T + i of a group: only its first head is masked rightly
        group = given["H"] // given["Hkv"]
        rows_of_head = np.arange(given["H"]) % group * len(rows)
        open_ = j[None, None] <= (i[None, None] + rows_of_head[None, :, None, None])
    return open_


def softmax(scores, slips):
    if slips.axis is None:
        return np.where(np.isfinite(scores), scores, 0.0)
    with np.errstate(all="ignore"):
        if not slips.maximum:
            e = np.exp(scores.astype(np.float32))
            return (e / e.sum(slips.axis, keepdims=True)).astype(np.float64)
        top = scores.max(slips.axis, keepdims=True)
        e = np.exp(scores - top)
        return e / e.sum(slips.axis, keepdims=True)
