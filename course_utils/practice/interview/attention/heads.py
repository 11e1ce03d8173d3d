"""(B, T, D) to heads and back, and kv heads to all heads, with the slips that go wrong there."""

import numpy as np


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
    if how in ("mean", "sum"):
        return np.tile(x.mean(1) if how == "mean" else x.sum(1), H)
    turned = x.transpose(0, 2, 3, 1) if (order == "dh") != (how == "other") else x.transpose(0, 2, 1, 3)
    return turned.reshape(B, T, H * d)


def of_one(how, name, usual="interleaved"):
    """ "k tiled" is a slip of the keys alone."""
    alone = how.startswith(("q ", "k ", "v "))
    return how[2:] if alone and how[0] == name else usual if alone else how


def of_queries(q, Hkv, how):
    """Queries that go wrong: the mean of each group, or the first head's for all."""
    B, H, T, d = q.shape
    if how == "q mean":
        groups = q.reshape(B, Hkv, -1, T, d)
        return np.broadcast_to(groups.mean(2, keepdims=True), groups.shape).reshape(q.shape)
    return np.concatenate([q[:, :1]] * H, axis=1) if how == "q first" else q


def to_all_heads(x, H, how):
    """kv head h // group serves head h."""
    B, Hkv, T, d = x.shape
    group = H // Hkv
    if how == "tiled":
        return np.concatenate([x] * group, axis=1)
    if how == "first":
        return np.concatenate([x[:, :1]] * H, axis=1)
    if how == "last":
        return np.concatenate([x[:, -1:]] * H, axis=1)
    if how == "along time":
        return np.repeat(x, group, axis=2).reshape(B, H, T, d)
    if how == "tiled along time":
        return np.concatenate([x] * group, axis=2).reshape(B, H, T, d)
    if how == "by view":  # (B, T, kv heads, d) repeated along the features, then cut into heads
        flat = np.concatenate([x.transpose(0, 2, 1, 3)] * group, axis=3).reshape(B, T, H, d)
        return flat.transpose(0, 2, 1, 3)
    if how == "mean":
        return np.concatenate([x.mean(1, keepdims=True)] * H, axis=1)
    return np.stack([x[:, h // group] for h in range(H)], axis=1)
