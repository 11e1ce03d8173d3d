"""Grouped queries without a copy

`q` has the features of all query heads, (T, kv * share * d). `k` and `v` are (T, kv, d). Neighbouring query
heads read the same head of keys and values: the first `share` of them read head 0. Nothing is repeated in
memory.
"""
import numpy as np

def grouped(q, k, v, share):
    steps, kv, d = k.shape
    q = q.reshape(steps, share, kv, d)  # right: q = q.reshape(steps, kv, share, d).transpose(0, 2, 1, 3)
    s = np.einsum("isgd,jgd->sgij", q, k) / np.sqrt(d)
    s = np.exp(s - s.max(-1, keepdims=True))
    s /= s.sum(-1, keepdims=True)
    out = np.einsum("sgij,jgd->igsd", s, v)
    return out.reshape(steps, kv * share * d)

# ---- inputs
INPUTS = {
    "q": floats("T", "W", library="numpy"),
    "k": floats("T", "kv", "d", library="numpy"),
    "v": floats("T", "kv", "d", library="numpy"),
    "share": size("S"),
}
HOLDS = {"The width of `q` has to be kv * share * d.": lambda W, kv, S, d: W == kv * S * d}
SIZES = {"S": (1, 3), "kv": (1, 3), "d": (1, 3), "W": (1, 18)}
SAME = {
    "each head of keys has one query head.": lambda S: S == 1,
    "there is one head of keys for all.": lambda kv: kv == 1,
    "one token has weight 1, whatever its score is.": lambda T: T == 1,
}
MISTAKE = "GroupedQueryAttentionWithCache.kv_heads_not_repeated"
WHY = "Neighbouring heads share keys, so the axes are (kv, share), in that order. Here, query heads 0 and kv share keys."
