"""Attention for one query, a block at a time

`q` is (d,), `K` is (T, d) and `V` is (T, e). Keys are read in blocks of `block` tokens, each once, with a
running maximum, sum and weighted sum of values. The result is the same as that of attention over all keys.
"""
import numpy as np

def stream_attention(q, K, V, block):
    q = q / np.sqrt(q.size)
    m, z, mix = -np.inf, 0.0, np.zeros(V.shape[1])
    for at in range(0, len(K), block):
        s = K[at:at + block] @ q
        new = max(m, s.max())
        shrink = np.exp(m - new)
        p = np.exp(s - new)
        z = shrink * z + p.sum()
        mix = mix + p @ V[at:at + block]  # right: mix = shrink * mix + p @ V[at:at + block]
        m = new
    return mix / z

# ---- inputs
INPUTS = {
    "q": floats("d", library="numpy"),
    "K": floats("T", "d", library="numpy", spread=3),
    "V": floats("T", "e", library="numpy"),
    "block": size("b"),
}
SAME = {
    "all keys are in one block.": lambda b, T: b >= T,
    "the largest score is in the first block, so the maximum never changes.": lambda K, q, b: int((K @ q)[:b].argmax()) == int((K @ q).argmax()),
}
MISTAKE = "online_softmax_attention.output_not_rescaled"
WHY = "The sum is rescaled when the maximum grows, but the weighted sum of values is not: both were relative to the old maximum."
