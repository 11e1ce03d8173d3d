"""Attention, backwards

`Q`, `K`, `V` and `dO` are (T, d). The forward pass was softmax(Q Kᵀ / √d) V, without a mask, and `dO` is the gradient of a
loss with respect to its result. The results are the gradients with respect to `Q`, `K` and `V`.
"""
import torch

def backward(Q, K, V, dO):
    root = Q.size(-1) ** 0.5
    P = torch.softmax(Q @ K.T / root, dim=-1)       # (T, T)
    dV = P.T @ dO
    dP = dO @ V.T
    dS = P * (1 - P) * dP  # right: dS = P * (dP - (P * dP).sum(-1, keepdim=True))
    dQ = dS @ K / root
    dK = dS.T @ Q / root
    return dQ, dK, dV

# ---- inputs
INPUTS = {name: floats("T", "d") for name in ("Q", "K", "V", "dO")}
SAME = {"one token has weight 1, whatever its score is.": lambda T: T == 1}
WHY = "Each score also moves the other weights of its row: the softmax's derivative is diag(p) - p pᵀ, and this is its diagonal alone."
