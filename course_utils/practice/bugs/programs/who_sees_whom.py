"""Who sees whom, with padding and a past

`lengths` says how many tokens of each sentence are real, the past included; padding comes after
them. The last `n` of `total` positions are queries. The result is (B, n, total): True where a query sees a
key that is real and not in its future.
"""
import torch

def visible(lengths, n, total):
    key = torch.arange(total)
    query = key[total - n:]
    causal = torch.ge(query.unsqueeze(-1), key)
    real = torch.lt(key, lengths.unsqueeze(-1))
    return causal & real.unsqueeze(-2)

# ---- inputs
INPUTS = {"lengths": whole("B", low=1, high="T"), "n": size("n"), "total": size("T")}
HOLDS = {"`n` is at most `total`.": lambda n, T: n <= T}
