# %% online_softmax_01 < interview/right/list_one_by_one
-     m, d = float("-inf"), 0.0
+     """Max and normaliser in a single pass (Milakov & Gimelshein), then one pass to write out."""
+     m = float("-inf")
+     d = 0.0
# %% online_softmax_02
def attend_one_query(q, K, V):
    """q (d,), K (n, d), V (n, dv).  Never stores the n scores."""
    scale = 1.0 / np.sqrt(len(q))
    m, l = -np.inf, 0.0
    acc = np.zeros(V.shape[1])
    for k, v in zip(K, V):
        s = scale * (q @ k)
        if s > m:
            r = np.exp(m - s)
            acc *= r
            l *= r
            m = s
        p = np.exp(s - m)
        l += p
        acc += p * v
    return acc / l
# %% online_softmax_03
def flash_attention(q, k, v, causal=False, block_q=4, block_k=4):
    """Forward pass of FlashAttention-2 in plain torch.  q, k, v: (B, H, T, D)"""
    B, H, T, D = q.shape
    S = k.shape[2]
    scale = 1.0 / math.sqrt(D)
    out = torch.empty_like(q)

    for qs in range(0, T, block_q):
        qe = min(qs + block_q, T)
        qi = q[:, :, qs:qe] * scale
        m = torch.full((B, H, qe - qs, 1), float("-inf"), device=q.device, dtype=q.dtype)
        l = torch.zeros_like(m)
        o = torch.zeros_like(qi)
        for ks in range(0, S, block_k):
            if causal and ks > qe - 1:
                break
            ke = min(ks + block_k, S)
            s = qi @ k[:, :, ks:ke].transpose(-2, -1)
            if causal:
                rows = torch.arange(qs, qe, device=q.device)[:, None]
                cols = torch.arange(ks, ke, device=q.device)[None, :]
                s = s.masked_fill(cols > rows, float("-inf"))
            m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            p = torch.exp(s - m_new)
            alpha = torch.exp(m - m_new)
            l = alpha * l + p.sum(dim=-1, keepdim=True)
            o = alpha * o + p @ v[:, :, ks:ke]
            m = m_new
        out[:, :, qs:qe] = o / l
    return out
# %% online_softmax_04
from functools import reduce

import numpy as np

# A partial result is (m, l, o): running max, sum of exp(s - m), sum of exp(s - m) * v.
# `merge` is associative, so this could be a tree reduction or a scan.

def lift(q, k, v):
    s = (q @ k) / np.sqrt(q.shape[0])
    return s, 1.0, v

def merge(a, b):
    m = max(a[0], b[0])
    wa, wb = np.exp(a[0] - m), np.exp(b[0] - m)
    return m, wa * a[1] + wb * b[1], wa * a[2] + wb * b[2]

def attention_by_reduce(Q, K, V):
    rows = []
    for q in Q:
        _, l, o = reduce(merge, (lift(q, k, v) for k, v in zip(K, V)))
        rows.append(o / l)
    return np.stack(rows)
# %% online_softmax_05
class StreamingAttention:
    """Feed keys/values in chunks as they arrive, then call result()."""

    def __init__(self, queries: torch.Tensor):
        # queries: (..., Tq, d)
        self.q = queries * queries.shape[-1] ** -0.5
        self.running_max = None
        self.denominator = None
        self.numerator = None

    def add(self, keys: torch.Tensor, values: torch.Tensor) -> "StreamingAttention":
        scores = self.q @ keys.transpose(-1, -2)
        chunk_max = scores.max(dim=-1, keepdim=True).values
        if self.running_max is None:
            w = (scores - chunk_max).exp()
            self.running_max = chunk_max
            self.denominator = w.sum(-1, keepdim=True)
            self.numerator = w @ values
            return self
        new_max = torch.max(self.running_max, chunk_max)
        correction = (self.running_max - new_max).exp()
        w = (scores - new_max).exp()
        self.denominator = self.denominator * correction + w.sum(-1, keepdim=True)
        self.numerator = self.numerator * correction + w @ values
        self.running_max = new_max
        return self

    def result(self) -> torch.Tensor:
        return self.numerator / self.denominator
# %% online_softmax_06
def flash_forward(Q, K, V, N, d, Bc):
    """Nested lists, N x d each.  Keys are visited in tiles of Bc; state per query: m, l, o."""
    O = [[0.0] * d for _ in range(N)]
    m = [-math.inf] * N
    l = [0.0] * N
    tiles = (N + Bc - 1) // Bc
    for t in range(tiles):
        lo = t * Bc
        hi = min(lo + Bc, N)
        for i in range(N):
            s = [0.0] * (hi - lo)
            tile_max = -math.inf
            for j in range(lo, hi):
                acc = 0.0
                for c in range(d):
                    acc += Q[i][c] * K[j][c]
                s[j - lo] = acc / math.sqrt(d)
                tile_max = max(tile_max, s[j - lo])
            m_new = max(m[i], tile_max)
            fix = math.exp(m[i] - m_new)
            l_new = l[i] * fix
            for c in range(d):
                O[i][c] *= l[i] * fix          # undo the earlier normalisation (FlashAttention-1)
            for j in range(lo, hi):
                p = math.exp(s[j - lo] - m_new)
                l_new += p
                for c in range(d):
                    O[i][c] += p * V[j][c]
            for c in range(d):
                O[i][c] /= l_new
            m[i], l[i] = m_new, l_new
    return O
# %% online_softmax_07
from typing import Optional, Tuple

import torch
from torch import Tensor

def chunked_attention(q: Tensor, k: Tensor, v: Tensor, chunk: int = 128,
                      bias: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
    """All queries at once, keys in chunks.  Each chunk yields (out, lse); the two are merged by lse.

    q (B, T, d), k (B, S, d), v (B, S, e), bias (T, S) -> out (B, T, e), lse (B, T)
    """
    out, lse = None, None
    start = 0
    for kc, vc in zip(k.split(chunk, dim=1), v.split(chunk, dim=1)):
        s = torch.einsum("btd,bsd->bts", q, kc) / q.shape[-1] ** 0.5
        if bias is not None:
            s = s + bias[:, start:start + kc.shape[1]]
        start += kc.shape[1]
        lse_c = torch.logsumexp(s, dim=-1)
        out_c = torch.softmax(s, dim=-1) @ vc
        if out is None:
            out, lse = out_c, lse_c
        else:
            total = torch.logaddexp(lse, lse_c)
            out = out * (lse - total).exp().unsqueeze(-1) + out_c * (lse_c - total).exp().unsqueeze(-1)
            lse = total
    return out, lse
