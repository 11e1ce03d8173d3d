"""Several heads at once, with einsum

`queries`, `keys` and `values` are (T, D). They are cut into heads of D / `heads` features, each head attends
on its own, with the usual scale, and the heads are put side by side again.
"""
import torch

def mix(heads, values, keys, queries):
    root = queries.size(1) ** 0.5  # right: root = (queries.size(1) // heads) ** 0.5
    cut = lambda t: t.unflatten(1, (heads, -1))
    q, k, v = cut(queries), cut(keys), cut(values)
    table = torch.einsum("ihd,jhd->hij", q, k) / root
    out = torch.einsum("hij,jhd->ihd", table.softmax(-1), v)
    return out.flatten(1)

# ---- inputs
INPUTS = {"heads": size("H"), "values": floats("T", "D"), "keys": floats("T", "D"), "queries": floats("T", "D")}
HOLDS = {"D has to be a multiple of `heads`.": lambda D, H: D % H == 0}
SIZES = {"D": (1, 8), "H": (1, 4)}
SAME = {
    "with one head D is the width of a head.": lambda H: H == 1,
    "one token has weight 1, whatever its score is.": lambda T: T == 1,
}
MISTAKE = "multi_head_attention.scale_d_model"
WHY = "The scores are divided by the square root of D, but a dot product within one head has only D / heads terms."
