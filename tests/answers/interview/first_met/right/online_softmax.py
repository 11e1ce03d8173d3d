# %% online_softmax_01: plain python over an iterable for the statistics, then a second pass to write out
def online_softmax(xs):
    xs = list(xs)
    m, l = -math.inf, 0.0
    for x in xs:
        new_m = max(m, x)
        l = l * math.exp(m - new_m) + math.exp(x - new_m)
        m = new_m
    return [math.exp(x - m) / l for x in xs]
# %% online_softmax_02: torch, blocks over keys and queries, causal, (B,H,T,d); matches sdpa
def flash_attention(q, k, v, block_q=4, block_k=3, causal=True):
    B, H, N, d = q.shape
    M = k.shape[2]
    out = torch.zeros_like(q)
    scale = d ** -0.5
    for i in range(0, N, block_q):
        qi = q[:, :, i:i + block_q] * scale
        n = qi.shape[2]
        m = qi.new_full((B, H, n, 1), float("-inf"))
        l = qi.new_zeros(B, H, n, 1)
        acc = torch.zeros_like(qi)
        rows = torch.arange(i, i + n)[:, None] + (M - N)
        for j in range(0, M, block_k):
            kj, vj = k[:, :, j:j + block_k], v[:, :, j:j + block_k]
            if causal and j > i + n - 1 + (M - N):
                break
            s = qi @ kj.transpose(-1, -2)
            if causal:
                cols = torch.arange(j, j + kj.shape[2])[None]
                s = s.masked_fill(cols > rows, float("-inf"))
            m_new = torch.maximum(m, s.amax(-1, keepdim=True))
            p = torch.exp(s - m_new)
            alpha = torch.exp(m - m_new)
            l = l * alpha + p.sum(-1, keepdim=True)
            acc = acc * alpha + p @ vj
            m = m_new
        out[:, :, i:i + n] = acc / l
    return out
# %% online_softmax_03: numpy, one query vector, keys come one by one from a generator of (k, v) pairs; returns the vector only
def attend_one(q, pairs):
    it = iter(pairs)
    k, v = next(it)
    c = 1.0 / np.sqrt(len(q))
    top = c * np.dot(q, k)
    den = 1.0
    num = np.array(v, dtype=float)
    for k, v in it:
        s = c * np.dot(q, k)
        if s > top:
            f = np.exp(top - s)
            num = num * f + v
            den = den * f + 1.0
            top = s
        else:
            w = np.exp(s - top)
            num = num + w * v
            den = den + w
    return num / den
# %% online_softmax_04: functional, merges (max, sum, acc) triples with an associative combine via functools.reduce; boolean True=open mask that may hide whole blocks
from functools import reduce
import torch

def partial(q, k, v, open_):
    s = (q @ k.mT) / q.shape[-1] ** 0.5
    s = torch.where(open_, s, -torch.inf)
    m = s.amax(-1, keepdim=True)
    safe = torch.nan_to_num(m, neginf=0.0)
    e = (s - safe).exp()
    return m, e.sum(-1, keepdim=True), e @ v

def combine(a, b):
    ma, la, oa = a
    mb, lb, ob = b
    m = torch.maximum(ma, mb)
    safe = torch.nan_to_num(m, neginf=0.0)
    fa, fb = (ma - safe).exp(), (mb - safe).exp()
    return m, la * fa + lb * fb, oa * fa + ob * fb

def streamed_attention(q, k, v, mask=None, chunk=4):
    if mask is None:
        mask = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool)
    parts = [
        partial(q, kc, vc, mc)
        for kc, vc, mc in zip(k.split(chunk, -2), v.split(chunk, -2), mask.split(chunk, -1))
    ]
    m, l, o = reduce(combine, parts)
    return torch.where(l > 0, o / l.clamp(min=1e-30), torch.zeros_like(o)), (m + l.log()).squeeze(-1)
# %% online_softmax_05: stateful class with update()/result(); keeps the running output normalised at each step instead of dividing at the end
class OnlineSoftmaxAttention:
    def __init__(self, Q):
        self.Q = np.asarray(Q, dtype=np.float64)      # (T, d)
        self.rowMax = np.full(len(self.Q), -np.inf)
        self.rowSum = np.zeros(len(self.Q))
        self.out = None

    def update(self, K, V):
        S = self.Q @ K.T / np.sqrt(self.Q.shape[1])
        newMax = np.maximum(self.rowMax, S.max(axis=1))
        P = np.exp(S - newMax[:, None])
        oldWeight = self.rowSum * np.exp(self.rowMax - newMax)
        newSum = oldWeight + P.sum(axis=1)
        if self.out is None:
            self.out = np.zeros((len(self.Q), V.shape[1]))
        self.out = (self.out * oldWeight[:, None] + P @ V) / newSum[:, None]
        self.rowMax, self.rowSum = newMax, newSum
        return self

    def result(self):
        return self.out
