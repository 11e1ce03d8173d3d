# %% online_softmax_01
def online_softmax(xs, block=4):
    m = float("-inf")  # running max
    s = 0.0            # running sum of exp(x - m)
    for start in range(0, len(xs), block):
        chunk = xs[start:start + block]
        new_m = max(m, max(chunk))
        if new_m == float("-inf"):
            continue
        s = s * math.exp(m - new_m) + sum(math.exp(x - new_m) for x in chunk)
        m = new_m
    return [math.exp(x - m) / s for x in xs]
# %% online_softmax_02
def flash_attention(Q, K, V, Br=16, Bc=16, causal=False):
    """Q (..., T, d), K (..., T, d), V (..., T, dv); never holds a T x T matrix."""
    T, d = Q.shape[-2:]
    S = K.shape[-2]
    scale = d ** -0.5
    O = Q.new_empty(*Q.shape[:-1], V.shape[-1])
    for i in range(0, T, Br):
        qi = Q[..., i:i + Br, :] * scale
        n = qi.shape[-2]
        m = qi.new_full((*qi.shape[:-1], 1), float("-inf"))
        l = torch.zeros_like(m)
        acc = qi.new_zeros(*qi.shape[:-1], V.shape[-1])
        for j in range(0, S, Bc):
            if causal and j > i + n - 1:
                break
            kj, vj = K[..., j:j + Bc, :], V[..., j:j + Bc, :]
            s = qi @ kj.transpose(-1, -2)
            if causal:
                rows = torch.arange(i, i + n, device=Q.device)[:, None]
                cols = torch.arange(j, j + kj.shape[-2], device=Q.device)[None, :]
                s = s.masked_fill(cols > rows, float("-inf"))
            m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            p = torch.exp(s - m_new)
            alpha = torch.exp(m - m_new)
            l = alpha * l + p.sum(dim=-1, keepdim=True)
            acc = alpha * acc + p @ vj
            m = m_new
        O[..., i:i + n, :] = acc / l
    return O
# %% online_softmax_03
"""Attention as a fold: every block gives (max, sum, weighted values) and two of those combine."""
from functools import reduce

import numpy as np

def block_stats(q, k, v):
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    m = s.max(-1, keepdims=True)
    e = np.exp(s - m)
    return m, e.sum(-1, keepdims=True), e @ v

def combine(a, b):
    (ma, la, oa), (mb, lb, ob) = a, b
    m = np.maximum(ma, mb)
    ca, cb = np.exp(ma - m), np.exp(mb - m)
    return m, la * ca + lb * cb, oa * ca + ob * cb

def attend(q, k, v, block_size=32):
    n = k.shape[-2]
    parts = (
        block_stats(q, k[..., s:s + block_size, :], v[..., s:s + block_size, :])
        for s in range(0, n, block_size)
    )
    _, l, o = reduce(combine, parts)
    return o / l
# %% online_softmax_04
class OnlineSoftmax:
    """sm = OnlineSoftmax(); probs = sm(x, block_size)   -- softmax over the last dim."""

    def reset(self, like):
        self.run_max = torch.full_like(like[..., :1], float("-inf"))
        self.run_sum = torch.zeros_like(like[..., :1])

    def update(self, block):
        new_max = torch.maximum(self.run_max, block.max(dim=-1, keepdim=True).values)
        # rows that are still all -inf: shift by 0, so that there is no inf - inf
        shift = torch.where(torch.isinf(new_max), torch.zeros_like(new_max), new_max)
        self.run_sum = self.run_sum * torch.exp(self.run_max - shift)
        self.run_sum = self.run_sum + torch.exp(block - shift).sum(dim=-1, keepdim=True)
        self.run_max = new_max

    def __call__(self, x, block_size=64):
        self.reset(x)
        for block in torch.split(x, block_size, dim=-1):
            self.update(block)
        return torch.exp(x - self.run_max) / self.run_sum
