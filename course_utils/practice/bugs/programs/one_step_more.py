"""A decode step with grouped heads

`q` is (H, d), the queries of one new token. `K` and `V` are (G, T, d): keys and values of all tokens, the new
one included. Query heads 0 to H / G - 1 read head 0 of `K`. The result is (H, d).
"""
import torch

def decode_step(K, V, q):
    G, T, d = K.shape
    grouped = q.view(G, -1, d)
    s = torch.einsum("gsd,gtd->gst", grouped, K)
    s = s.mul(d ** -0.5)
    w = torch.exp(s - s.logsumexp(-1, keepdim=True))
    return torch.einsum("gst,gtd->gsd", w, V).flatten(0, 1)

# ---- inputs
INPUTS = {"K": floats("G", "T", "d"), "V": floats("G", "T", "d"), "q": floats("H", "d")}
HOLDS = {"H has to be a multiple of G.": lambda H, G: H % G == 0}
SIZES = {"H": (1, 8), "G": (1, 4)}
