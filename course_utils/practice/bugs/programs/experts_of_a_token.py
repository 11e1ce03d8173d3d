"""A mixture of experts

`x` is (T, D), `router` is (D, E), and `experts` has a matrix (D, D) for each expert. Each token is sent to the `k` experts
with the highest scores. Its output is the weighted sum of their outputs, with the softmax over these `k` scores as weights.
"""
import torch

def mixture(x, router, experts, k):
    scores = x @ router                              # (T, E)
    best, chosen = scores.topk(k, dim=-1)            # (T, k)
    share = scores.softmax(-1).gather(1, chosen)  # right: share = best.softmax(-1)
    out = torch.zeros_like(x)
    for token in range(len(x)):
        for slot in range(k):
            expert = experts[chosen[token, slot]]
            out[token] += share[token, slot] * (x[token] @ expert)
    return out

# ---- inputs
INPUTS = {"x": floats("T", "D"), "router": floats("D", "E"), "experts": floats("E", "D", "D"), "k": size("k")}
HOLDS = {"`k` is at most E, the number of experts.": lambda k, E: k <= E}
SIZES = {"k": (1, 3), "T": (1, 4)}
SAME = {"every expert is chosen.": lambda k, E: k == E}
WHY = "The softmax runs over all experts, so the weights of the chosen ones sum to less than 1."
