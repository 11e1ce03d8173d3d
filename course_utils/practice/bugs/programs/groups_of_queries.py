"""Fewer heads for keys

`queries` is (H, T, d), while `K` and `V` are (G, T, d): H / G query heads in a row share one head of keys and
values. Query heads 0 to H / G - 1 belong to head 0 of `K`.
"""
import torch

def shared_keys(queries, K, V):
    H, T, d = queries.shape
    share = H // K.shape[0]
    K = K.repeat(share, 1, 1)  # right: K = K.repeat_interleave(share, 0)
    V = V.repeat_interleave(share, 0)
    scores = torch.bmm(queries, K.transpose(1, 2)).div(d ** 0.5)
    return torch.bmm(scores.softmax(dim=2), V)

# ---- inputs
INPUTS = {"queries": floats("H", "T", "d"), "K": floats("G", "T", "d"), "V": floats("G", "T", "d")}
HOLDS = {"H, the number of query heads, has to be a multiple of G.": lambda H, G: H % G == 0}
SIZES = {"H": (1, 8), "G": (1, 4)}
SAME = {
    "all query heads share the only head of keys.": lambda G: G == 1,
    "each query head has keys of its own.": lambda H, G: H == G,
    "one token has weight 1, whatever its score is.": lambda T: T == 1,
}
MISTAKE = "GroupedQueryAttentionWithCache.repeat_for_repeat_interleave"
WHY = "The keys are tiled, 0 1 0 1, but the values are repeated, 0 0 1 1: some query heads get keys and values that do not match."
