"""Which keys a call sees: their places in the text, and who may attend to whom."""

import numpy as np


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
    if how == "first lost" and number:
        return list(range(ends[1], ends[number + 1]))
    if how == "old_only" and number:
        return list(range(ends[number]))
    return list(range(ends[number + 1]))


def allowed(rows, places, given, slips):
    """(B, 1, T_q, T_k), True where a query may attend. A cached key's position is its place in the cache."""
    j = np.arange(len(places))[None, :]
    i = np.arange(len(rows))[:, None] + len(places) - len(rows)
    if slips.cache == "top_left":
        i = np.arange(len(rows))[:, None]
    open_ = np.ones((len(rows), len(places)), bool)
    later = len(places) > len(rows)
    late = slips.cache == "mask in first" and later
    shift = slips.shift + (slips.shift_later if later else 0)
    if slips.causal and slips.cache != "no_mask" and not late:
        open_ = (j >= i - shift) if slips.inverted else (j <= i + shift)
    open_ = np.broadcast_to(open_, (given["B"], 1, *open_.shape))
    if slips.pad:
        real = np.arange(given["T"])[None, :] < given["lengths"][:, None]
        keys = real[:, None, None, places]
        if slips.pad == "or":
            return open_ | keys
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
