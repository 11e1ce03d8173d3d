"""One matrix for three

`W` is (3 d, D): its first d rows make queries, the next d keys, the last d values. Each token of `x`, a row,
attends to all tokens.
"""
import torch.nn.functional as F

def fused_attention(W, x):
    rows, _ = W.shape
    d = rows // 3
    k, q, v = F.linear(x, W).split(d, dim=-1)  # right: q, k, v = F.linear(x, W).split(d, dim=-1)
    w = F.softmax(q @ k.t() / d ** .5, dim=-1)
    return w @ v

# ---- inputs
INPUTS = {"W": floats("R", "D"), "x": floats("T", "D")}
HOLDS = {"The number of rows of `W` has to be a multiple of 3.": lambda R: R % 3 == 0}
SIZES = {"R": (3, 12)}
SAME = {
    "one token has weight 1, whatever its score is.": lambda T: T == 1,
    "with one feature, the table of scores is its own transpose.": lambda D: D == 1,
}
MISTAKE = "from_fused.k_and_q_exchanged"
WHY = "The first rows make queries, but here they make keys, so the table of scores is transposed."
