"""Programs for the interview topic online_softmax. tests/course_utils/interview/test_programs.py explains the format."""

# %% online_softmax_02_c, part 1: right
# taken
import torch

def flash_attention(Q, K, V, block_size=16, Bc=16, causal=False):
    """Q (..., T, d), K (..., T, d), V (..., T, dv); never holds a T x T matrix."""
    T, d = Q.shape[-2:]
    S = K.shape[-2]
    scale = d ** -0.5
    O = Q.new_empty(*Q.shape[:-1], V.shape[-1])
    for i in range(0, T, block_size):
        qi = Q[..., i:i + block_size, :] * scale
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

interview.check(lambda Q, K, V, block_size: flash_attention(Q, K, V, block_size, Bc=16, causal=False))

# %% plain_numpy, part 1: not online
# refused: not_online
import numpy as np

def f(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

# %% not_scaled_blocks, part 1: another normalisation
# refused: another_normalisation
import torch

def f(x, block=4):
    m, l = torch.tensor(-torch.inf), torch.tensor(0.0)
    for b in x.split(block):
        m = torch.maximum(m, b.max())
        l = l + (b - m).exp().sum()
    return (x - m).exp() / l

interview.check(lambda x: f(x, block=4))

# %% online_softmax_01_c, part 1: the running sum is rescaled when the max grows, but the output accumulator is not
# refused: output_not_rescaled
import torch

def flash_attn(Q, K, V, block_size=32):
    """q (B, H, T, d), k and v (B, H, S, d)"""
    d = Q.shape[-1]
    m = torch.full_like(Q[..., :1], float("-inf"))
    l = torch.zeros_like(m)
    o = Q.new_zeros(*Q.shape[:-1], V.shape[-1])
    for kb, vb in zip(K.split(block_size, dim=-2), V.split(block_size, dim=-2)):
        s = Q @ kb.transpose(-2, -1) / d ** 0.5
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - m_new)
        l = l * torch.exp(m - m_new) + p.sum(-1, keepdim=True)
        o = o + p @ vb
        m = m_new
    return o / l

# %% online_softmax_07_a, part 1: a new block is exponentiated against its own maximum, while the running sums use the overall maximum
# refused: shifted_by_own_maximum
from functools import reduce
import numpy as np

def scan_attention(Q, K, V, block_size=3):
    """q (H,T,d), k and v (H,S,d); a fold over key blocks"""
    H, T, d = Q.shape
    starts = range(0, K.shape[1], block_size)

    def body(carry, st):
        m, l, acc = carry
        kb, vb = K[:, st:st + block_size], V[:, st:st + block_size]
        s = np.einsum("htd,hsd->hts", Q, kb) / np.sqrt(d)
        mb = s.max(-1, keepdims=True)
        mn = np.maximum(m, mb)
        p = np.exp(s - mb)
        c = np.exp(m - mn)
        return mn, l * c + p.sum(-1, keepdims=True), acc * c + p @ vb

    init = (np.full((H, T, 1), -np.inf), np.zeros((H, T, 1)), np.zeros((H, T, V.shape[-1])))
    _, l, acc = reduce(body, starts, init)
    return acc / l

# %% one_by_one, part 1: right
# taken
import torch

def online_softmax(x):
    m, l = torch.full_like(x[:, 0], -torch.inf), torch.zeros_like(x[:, 0])
    for j in range(x.shape[1]):
        new = torch.maximum(m, x[:, j])
        safe = torch.where(new == -torch.inf, 0.0, new)
        l = l * torch.exp(m - safe) + torch.exp(x[:, j] - safe)
        m = new
    return torch.exp(x - m[:, None]) / l[:, None]

# %% rows_in_plain_python, part 1: right
# taken
import math

def online_softmax(x):
    out = []
    for row in x.tolist():
        m, l = -math.inf, 0.0
        for v in row:
            if v > m:
                l = l * math.exp(m - v) + 1.0
                m = v
            elif v > -math.inf:
                l += math.exp(v - m)
        out.append([math.exp(v - m) / l for v in row])
    return out

# %% flash, part 1: right, also where a whole block is hidden
# taken
import torch

def flash(Q, K, V, block_size):
    scale = Q.shape[-1] ** -0.5
    O = torch.zeros_like(Q)
    l = Q.new_zeros(*Q.shape[:-1], 1)
    m = torch.full_like(l, -1e30)
    for j in range(0, K.shape[-2], block_size):
        S = Q @ K[..., j : j + block_size, :].mT * scale
        m_new = torch.maximum(m, S.max(-1, keepdim=True).values)
        P, a = torch.exp(S - m_new), torch.exp(m - m_new)
        l = a * l + P.sum(-1, keepdim=True)
        O = a * O + P @ V[..., j : j + block_size, :]
        m = m_new
    return O / l

# %% square, part 1: the loops run over the queries' length, for keys too
# refused: as_many_keys_as_queries
import torch

def flash(Q, K, V, block_size=32):
    B, N, D = Q.shape
    O = torch.zeros_like(Q)
    for i in range(0, N, block_size):
        q = Q[:, i : i + block_size]
        m = torch.full((B, q.shape[1], 1), -1e30)
        l, acc = torch.zeros_like(m), torch.zeros_like(q)
        for j in range(0, N, block_size):
            s = q @ K[:, j : j + block_size].transpose(1, 2) / D**0.5
            top = torch.maximum(m, s.amax(-1, keepdim=True))
            p, scale = (s - top).exp(), (m - top).exp()
            l, acc, m = l * scale + p.sum(-1, keepdim=True), acc * scale + p @ V[:, j : j + block_size], top
        O[:, i : i + block_size] = acc / l
    return O

# %% hidden_block, part 1: NaN where the first block is hidden
# refused: nan_where_hidden
import torch

def flash(Q, K, V, block_size):
    m = torch.full_like(Q[..., :1], -torch.inf)
    l, acc = torch.zeros_like(m), torch.zeros_like(Q)
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = Q @ k.mT / Q.shape[-1] ** 0.5
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, c = (s - new).exp(), (m - new).exp()
        l, acc, m = l * c + p.sum(-1, keepdim=True), acc * c + p @ v, new
    return acc / l

# %% two_passes, part 1: the maximum of the whole row is taken first
# refused: not_online
import torch

def online_softmax(x):
    m = x.max(dim=-1, keepdim=True).values
    total = torch.zeros_like(m)
    for column in x.split(1, -1):
        total = total + (column - m).exp()
    return (x - m).exp() / total

# %% whole_table, part 1: plain attention, with all scores at once
# refused: too_large
import torch

def attention(Q, K, V, block_size):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    return weights / weights.sum(-1, keepdim=True) @ V
