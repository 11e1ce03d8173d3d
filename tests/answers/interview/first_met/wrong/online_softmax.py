# %% online_softmax_01: when the maximum goes up the denominator is rescaled but the running output is not
def one_pass_attention(q, K, V):
    m = -np.inf
    d = 0.0
    o = np.zeros(V.shape[1])
    for i in range(K.shape[0]):
        s = q @ K[i] / np.sqrt(q.shape[0])
        m_new = max(m, s)
        d = d * np.exp(m - m_new) + np.exp(s - m_new)
        o = o + np.exp(s - m_new) * V[i]
        m = m_new
    return o / d
# %% online_softmax_02: the running sum is not rescaled when a larger value comes
import math
from typing import Iterable, List

def softmax_stream(stream: Iterable[float]) -> List[float]:
    seen: List[float] = []
    biggest, total = float("-inf"), 0.0
    for value in stream:
        seen.append(value)
        if value > biggest:
            biggest = value
        total += math.exp(value - biggest)
    return [math.exp(value - biggest) / total for value in seen]
# %% online_softmax_03: the correction factor is upside down: exp(new - old) instead of exp(old - new)
def tiled_attention(q, k, v, *, tile=4):
    q = q / q.shape[-1] ** 0.5
    s = q @ k[..., :tile, :].transpose(-1, -2)
    mx = s.max(-1, keepdim=True).values
    e = torch.exp(s - mx)
    den, num = e.sum(-1, keepdim=True), e @ v[..., :tile, :]
    for j in range(tile, k.shape[-2], tile):
        s = q @ k[..., j:j + tile, :].transpose(-1, -2)
        mx2 = torch.maximum(mx, s.max(-1, keepdim=True).values)
        corr = torch.exp(mx2 - mx)
        e = torch.exp(s - mx2)
        den = den * corr + e.sum(-1, keepdim=True)
        num = num * corr + e @ v[..., j:j + tile, :]
        mx = mx2
    return num / den
# %% online_softmax_04: the maximum is updated before the correction is worked out, so the correction is always 1
class Running:
    """r = Running(q); r.add(k, v) ...; r.value()"""

    def __init__(self, q):
        self.q = q                                   # (H, T, d)
        self.m = torch.full(q.shape[:-1], -1e30)
        self.l = torch.zeros(q.shape[:-1])
        self.o = 0

    def add(self, k, v):
        s = torch.einsum("htd,hsd->hts", self.q, k) / self.q.shape[-1] ** 0.5
        newm = torch.max(self.m, s.amax(-1))
        self.m = newm
        scale = (self.m - newm).exp()
        p = (s - newm[..., None]).exp()
        self.l = self.l * scale + p.sum(-1)
        self.o = self.o * scale[..., None] + p @ v

    def value(self):
        return self.o / self.l[..., None]
# %% online_softmax_05: each chunk is normalised alone and the chunks are averaged without their own weights
def chunkedAttention(Q, K, V, nChunks=3):
    parts = []
    for Kc, Vc in zip(np.array_split(K, nChunks), np.array_split(V, nChunks)):
        S = Q @ Kc.T / np.sqrt(Q.shape[-1])
        mx = S.max(-1, keepdims=True)
        E = np.exp(S - mx)
        Z = E.sum(-1, keepdims=True)
        parts.append((E @ Vc / Z, mx, Z))
    gmax = np.max([p[1] for p in parts], axis=0)
    w = [np.ones_like(Z) for o, mx, Z in parts]
    return sum(o * wi for (o, _, _), wi in zip(parts, w)) / sum(w)
# %% online_softmax_06: the number of key blocks is floored, so the last part block of keys is dropped
def flash_forward(Q, K, V, Bc=4, Br=4):
    N, d = Q.shape
    M = K.shape[0]
    O = torch.zeros(N, V.shape[1])
    Tr = (N + Br - 1) // Br
    Tc = M // Bc
    for i in range(Tr):
        Qi = Q[i * Br:(i + 1) * Br]
        Oi = torch.zeros(len(Qi), V.shape[1])
        li = torch.zeros(len(Qi), 1)
        mi = torch.full((len(Qi), 1), -torch.inf)
        for j in range(Tc):
            Kj, Vj = K[j * Bc:(j + 1) * Bc], V[j * Bc:(j + 1) * Bc]
            Sij = Qi @ Kj.T * d ** -0.5
            mnew = torch.maximum(mi, Sij.max(1, keepdim=True)[0])
            Pij = torch.exp(Sij - mnew)
            li = torch.exp(mi - mnew) * li + Pij.sum(1, keepdim=True)
            Oi = torch.exp(mi - mnew) * Oi + Pij @ Vj
            mi = mnew
        O[i * Br:(i + 1) * Br] = Oi / li
    return O
# %% online_softmax_07: a new block is exponentiated against its own maximum, while the running sums use the overall maximum
from functools import reduce
import numpy as np

def scan_attention(q, k, v, size=3):
    """q (H,T,d), k and v (H,S,d); a fold over key blocks"""
    H, T, d = q.shape
    starts = range(0, k.shape[1], size)

    def body(carry, st):
        m, l, acc = carry
        kb, vb = k[:, st:st + size], v[:, st:st + size]
        s = np.einsum("htd,hsd->hts", q, kb) / np.sqrt(d)
        mb = s.max(-1, keepdims=True)
        mn = np.maximum(m, mb)
        p = np.exp(s - mb)
        c = np.exp(m - mn)
        return mn, l * c + p.sum(-1, keepdims=True), acc * c + p @ vb

    init = (np.full((H, T, 1), -np.inf), np.zeros((H, T, 1)), np.zeros((H, T, v.shape[-1])))
    _, l, acc = reduce(body, starts, init)
    return acc / l
