"""A long sum in blocks

`values` is (T, D), and `w` has a weight for each token. The weighted sum of the values is computed `block`
tokens at a time, so that it needs little memory.
"""
import torch

def blockwise_sum(block, w, values):
    T = values.shape[0]
    acc = torch.zeros(values.shape[1])
    for lo in range(0, T - block + 1, block):  # right: for lo in range(0, T, block):
        hi = lo + block
        acc += w[lo:hi] @ values[lo:hi]
    return acc

# ---- inputs
INPUTS = {"block": size("block"), "w": floats("T"), "values": floats("T", "D")}
SAME = {"the last block is full.": lambda T, block: T % block == 0}
MISTAKE = "online_softmax_attention.last_block_dropped"
WHY = "The loop stops before a last block that is not full, so its tokens are left out."
