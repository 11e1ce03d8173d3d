"""A layer in NumPy, from tokens to tokens

Causal attention with `h` heads. `x` is (T, D), and each of `wq`, `wk`, `wv` and `wo` is (D, D). The features
of a head are contiguous. Token i sees the tokens 0 to i.
"""
import numpy as np

def layer(wo, wv, wk, wq, x, h):
    t, dim = x.shape
    q, k, v = [(x @ w).reshape(t, h, dim // h).transpose(1, 2, 0) for w in (wq, wk, wv)]
    logit = np.einsum("hdj,hdi->hji", k, q) / np.sqrt(dim // h)
    logit += np.tril(np.full((t, t), -np.inf), -1)
    e = np.exp(logit - logit.max(1, keepdims=True))
    e = e / e.sum(1, keepdims=True)
    return np.einsum("hdj,hji->ihd", v, e).reshape(t, dim) @ wo

# ---- inputs
INPUTS = {w: floats("D", "D", library="numpy") for w in ("wo", "wv", "wk", "wq")}
INPUTS |= {"x": floats("T", "D", library="numpy"), "h": size("H")}
HOLDS = {"D has to be a multiple of `h`.": lambda D, H: D % H == 0}
SIZES = {"D": (1, 8), "H": (1, 4)}
