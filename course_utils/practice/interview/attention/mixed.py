"""Queries, keys and values in heads come in, the mix of the values goes out, with the slips of scores, mask
and softmax."""

import numpy as np

from .seen import allowed


def attend(q, k, v, rows, places, given, slips):
    B, H, T_q, _ = q.shape
    d = given["d"]
    if slips.keys == "reshaped":
        k = k.reshape(B, H, k.shape[-1], -1).transpose(0, 1, 3, 2)
    scores = np.einsum("bhid,bhjd->bhij", q, k) / divisor(slips.scale, d, given, len(places))
    open_ = allowed(rows, places, given, slips)
    if slips.empty:  # room in the cache that nothing was written to yet
        size, _, single = slips.empty.partition(" ")
        capacity = given["sizes"]["max_len"] if size == "all" else int(size)
        room = max(capacity - len(places), 0)
        scores = np.concatenate([scores, np.zeros((B, H, T_q, room))], -1)
        open_ = np.concatenate([open_, np.full((*open_.shape[:-1], room), not single or T_q == 1)], -1)
        v = np.concatenate([v, np.zeros((B, H, room, d))], 2)
    if slips.inside:
        k, v = k[:, :, -T_q:], v[:, :, -T_q:]
        scores = np.einsum("bhid,bgid->bihg", q, k) / divisor(slips.scale, d, given, len(places))
        return np.einsum("bihg,bgid->bhid", softmax(scores, slips), v)
    if slips.late in ("zeroed", "renormed"):
        weights = softmax(scores, slips, given["Hkv"]) * open_
        if slips.late == "renormed":
            weights = weights / weights.sum(-1, keepdims=True)
    elif slips.fill == "added":
        weights = softmax(scores + ~open_, slips, given["Hkv"])
    else:
        weights = softmax(np.where(open_, scores, slips.fill), slips, given["Hkv"])
    if slips.late == "scaled":
        weights = weights / np.sqrt(d)
    if slips.zeroed:
        weights = np.nan_to_num(weights)
    if slips.late == "after values":
        return softmax(np.einsum("bhij,bhjd->bhid", scores, v), slips)
    return np.einsum("bhij,bhjd->bhid", weights, v)


def oddly_summed(scores, how, Hkv):
    """exp, divided by another sum than that of its row; or the softmax along one of the two axes of heads."""
    if "group" in how:
        B, H, T_q, T_k = scores.shape
        groups = scores.reshape(B, Hkv, -1, T_q, T_k)
        axis = 2 if how == "within groups" else 1
        e = np.exp(groups - groups.max(axis, keepdims=True))
        return (e / e.sum(axis, keepdims=True)).reshape(scores.shape)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / {"no sum": 1.0, "queries": e.sum(-2, keepdims=True), "all": e.sum()}[how]


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
        "sqrt kv": np.sqrt(given["Hkv"] * d),
        "sqrt group": np.sqrt(given["H"] / given["Hkv"]),
        "root four": d**0.25,
        "squared": d**2,
        "D over kv": np.sqrt(given["D"] / given["Hkv"]),
    }[scale]


def softmax(scores, slips, Hkv=1):
    if slips.axis is None:
        return np.where(np.isfinite(scores), scores, 0.0)
    if isinstance(slips.axis, str):
        with np.errstate(all="ignore"):
            return oddly_summed(scores, slips.axis, Hkv)
    with np.errstate(all="ignore"):
        if not slips.maximum:
            e = np.exp(scores if slips.wide else scores.astype(np.float32))
            return (e / e.sum(slips.axis, keepdims=True)).astype(np.float64)
        top = scores.max(slips.axis, keepdims=True)
        e = np.exp(scores - top)
        return e / e.sum(slips.axis, keepdims=True)
