"""All keys and values come in, those that one call has go out, with the slips of a cache that holds them."""

import numpy as np

from .seen import seen


def kept(k, v, number, places, given, slips):
    """(keys, values) of this call, (B, H, T_k, d) each."""
    k_places = seen(given["chunks"], number, "new_first") if slips.keys == "k new first" else places
    v_places = seen(given["chunks"], number, "new_first") if slips.keys == "v new first" else places
    age = ages(given["chunks"], number)
    keys, values = k[:, :, k_places], v[:, :, v_places]
    old = age[places][:, None] > 0
    if slips.cache == "k in v":
        return keys, np.where(old, keys, values)
    if slips.cache == "k in v at first":
        first = np.asarray(places)[:, None] < given["chunks"][0]
        return keys, np.where(old & first, keys, values)
    if slips.cache == "v in k":
        return np.where(old, values, keys), values
    if slips.cache == "scaled again":
        return keys * given["d"] ** (-age[places] / 2)[:, None], values
    return keys, values


def ages(chunks, number):
    """For each place so far, before how many calls it came."""
    return np.concatenate([np.full(length, number - n) for n, length in enumerate(chunks[: number + 1])])
