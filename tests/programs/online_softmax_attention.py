# %% key by key: blocks of one, by plain products, whatever the block size
# taken
import torch
def online_softmax_attention(Q, K, V, block_size):
    dtype = Q.dtype
    Q, K, V = (t if dtype == torch.float64 else t.float() for t in (Q, K, V))
    best = total = out = None
    for k, v in zip(K.unbind(-2), V.unbind(-2)):
        score = (Q * k.unsqueeze(-2)).sum(-1, keepdim=True) * Q.shape[-1] ** -0.5
        if best is None:
            best, total, out = score, torch.ones_like(score), v.unsqueeze(-2).expand_as(Q)
            continue
        top = torch.where(score > best, score, best)
        old, new = (best - top).exp(), (score - top).exp()
        best, total, out = top, total * old + new, out * old + new * v.unsqueeze(-2)
    return (out / total).to(dtype)
# %% log-sum-exp: finished blocks are merged by their log-sum-exp
# taken
import torch
def online_softmax_attention(Q, K, V, block_size):
    dtype = torch.float32 if Q.dtype.itemsize < 4 else Q.dtype
    out, lse = torch.zeros_like(Q, dtype=dtype), Q.new_full((*Q.shape[:-1], 1), -torch.inf, dtype=dtype)
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = torch.matmul(Q, k.transpose(-1, -2)).to(dtype) / (Q.shape[-1] ** 0.5)
        block_lse = torch.logsumexp(s, -1, keepdim=True)
        block_out = torch.softmax(s, -1) @ v.to(dtype)
        both = torch.logaddexp(lse, block_lse)
        out = out * (lse - both).exp() + block_out * (block_lse - both).exp()
        lse = both
    return out.to(Q.dtype)
# %% split keys: all blocks by themselves, and one softmax over their log-sum-exps
# taken
import torch
def online_softmax_attention(Q, K, V, block_size):
    outs, lses = [], []
    for k, v in zip(K.split(block_size, dim=-2), V.split(block_size, dim=-2)):
        s = (Q @ k.transpose(-2, -1)) * Q.shape[-1] ** -0.5
        s = s.to(torch.promote_types(s.dtype, torch.float32))
        outs.append(s.softmax(-1) @ v.to(s.dtype))
        lses.append(s.logsumexp(-1))
    share = torch.stack(lses).softmax(0).unsqueeze(-1)
    return (share * torch.stack(outs)).sum(0).to(Q.dtype)
# %% always normalised: the first FlashAttention's order, divided at every step
# taken
import torch
def online_softmax_attention(Q, K, V, block_size):
    scale, given = Q.shape[-1] ** 0.5, Q.dtype
    if given in (torch.bfloat16, torch.float16):
        Q, K, V = Q.float(), K.float(), V.float()
    O = torch.zeros_like(Q)
    l = Q.new_zeros(Q.shape[:-1]).unsqueeze(-1)
    m = torch.full_like(l, torch.finfo(Q.dtype).min)
    for j in range(0, K.shape[-2], block_size):
        S = Q @ K[..., j:j + block_size, :].transpose(-2, -1) / scale
        m_block = S.amax(dim=-1, keepdim=True)
        P = torch.exp(S - m_block)
        l_block = P.sum(dim=-1, keepdim=True)
        m_new = torch.maximum(m, m_block)
        l_new = torch.exp(m - m_new) * l + torch.exp(m_block - m_new) * l_block
        O = (l * torch.exp(m - m_new) * O + torch.exp(m_block - m_new) * (P @ V[..., j:j + block_size, :])) / l_new
        m, l = m_new, l_new
    return O.to(given)
# %% tiles: blocks of queries outside, blocks of keys inside
# taken
import torch
def attend_tile(q, K, V, block_size):
    m, l, o = None, None, None
    for k, v in zip(torch.split(K, block_size, -2), torch.split(V, block_size, -2)):
        s = q @ k.mT / q.shape[-1] ** 0.5
        top = s.detach().amax(-1, keepdim=True)
        if m is not None:
            top = torch.maximum(m, top)
        p = (s - top).exp()
        if m is None:
            l, o = p.sum(-1, keepdim=True), p @ v
        else:
            l, o = (m - top).exp() * l + p.sum(-1, keepdim=True), (m - top).exp() * o + p @ v
        m = top
    return o / l

def online_softmax_attention(Q, K, V, block_size):
    if Q.dtype != torch.float64:
        return torch.cat([attend_tile(q.float(), K.float(), V.float(), block_size).to(Q.dtype) for q in Q.split(block_size, -2)], -2)
    return torch.cat([attend_tile(q, K, V, block_size) for q in Q.split(block_size, -2)], -2)
# %% sum as a feature: a column of ones in V makes the sum, chunk gives the blocks
# taken
import torch
def online_softmax_attention(Q, K, V, block_size):
    dtype = Q.dtype
    if dtype.itemsize == 2:
        Q, K, V = Q.float(), K.float(), V.float()
    n_blocks = -(-K.shape[-2] // block_size)
    state, m = 0.0, -torch.inf * torch.ones_like(Q[..., 0])
    for k, v in zip(K.chunk(n_blocks, dim=-2), V.chunk(n_blocks, dim=-2)):
        v = torch.cat([v, torch.ones_like(v[..., :1])], dim=-1)
        s = torch.einsum("...qd,...kd->...qk", Q, k) / Q.shape[-1] ** 0.5
        new = torch.maximum(m, s.max(-1).values)
        state = state * (m - new).exp().unsqueeze(-1) + (s - new.unsqueeze(-1)).exp() @ v
        m = new
    return (state[..., :-1] / state[..., -1:]).to(dtype)
# %% in a class: the state is an object
# taken
import torch
class Running:
    def __init__(self, Q):
        self.scale, self.dtype = Q.size(-1) ** 0.5, Q.dtype
        self.wide = torch.promote_types(Q.dtype, torch.float32)
        self.Q = Q = Q.to(self.wide)
        self.m = torch.full(Q.shape[:-1], -1e30, dtype=Q.dtype, device=Q.device)
        self.l = torch.zeros(Q.shape[:-1], dtype=Q.dtype, device=Q.device)
        self.o = torch.zeros(Q.shape, dtype=Q.dtype, device=Q.device)

    def read(self, k, v):
        s = self.Q.matmul(k.to(self.wide).transpose(-2, -1)).div(self.scale)
        m = torch.max(self.m, s.max(dim=-1)[0])
        p, r = torch.exp(s - m[..., None]), torch.exp(self.m - m)
        self.l = self.l * r + p.sum(-1)
        self.o = self.o * r[..., None] + p.matmul(v.to(self.wide))
        self.m = m

def online_softmax_attention(Q, K, V, block_size):
    run, i = Running(Q), 0
    while i < K.size(-2):
        run.read(K[..., i:i + block_size, :], V[..., i:i + block_size, :])
        i += block_size
    return (run.o / run.l[..., None]).to(run.dtype)
# %% last block padded: every block has one length, the missing keys get -inf
# taken
import torch
import torch.nn.functional as F
def online_softmax_attention(Q, K, V, block_size):
    dtype = Q.dtype
    Q, K, V = (t.to(torch.promote_types(dtype, torch.float32)) for t in (Q, K, V))
    T_k, missing = K.shape[-2], -K.shape[-2] % block_size
    K, V = F.pad(K, (0, 0, 0, missing)), F.pad(V, (0, 0, 0, missing))
    m = torch.full_like(Q[..., :1], -torch.inf)
    l, o = torch.zeros_like(m), torch.zeros_like(Q)
    for start in range(0, T_k, block_size):
        k, v = K[..., start:start + block_size, :], V[..., start:start + block_size, :]
        s = Q @ k.transpose(-2, -1) / Q.shape[-1] ** 0.5
        absent = torch.arange(start, start + block_size, device=Q.device) >= T_k
        s = s.masked_fill(absent, -torch.inf)
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        o = o * (m - m_new).exp() + (s - m_new).exp() @ v
        l = l * (m - m_new).exp() + (s - m_new).exp().sum(-1, keepdim=True)
        m = m_new
    return (o / l).to(dtype)
# %% all_scores_at_once: exact, but all scores are made at once
# refused: too_large
import torch
def online_softmax_attention(Q, K, V, block_size):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ V
# %% scores_collected: the blocks' scores are joined to one table before the softmax
# refused: too_large
import torch
def online_softmax_attention(Q, K, V, block_size):
    scores = torch.cat([Q @ k.mT for k in K.split(block_size, -2)], dim=-1) / Q.shape[-1] ** 0.5
    return scores.softmax(-1) @ V
# %% maximum_of_first_block: shifts all blocks by the maximum of the first, and overflows when a later one is far larger
# refused: shown
def online_softmax_attention(Q, K, V, block_size):
    m, total, out = None, 0, 0
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = Q @ k.transpose(-2, -1) / Q.shape[-1] ** 0.5
        if m is None:
            m = s.amax(-1, keepdim=True)
        p = (s - m).exp()
        total = total + p.sum(-1, keepdim=True)
        out = out + p @ v
    return out / total
# %% scores_limited: cuts the scores off at 80 so that exp does not overflow
# refused: shown
def online_softmax_attention(Q, K, V, block_size):
    total, out = 0, 0
    for i in range(0, K.shape[-2], block_size):
        s = Q @ K[..., i:i + block_size, :].mT / Q.shape[-1] ** 0.5
        p = s.clamp(-80, 80).exp()
        total = total + p.sum(-1, keepdim=True)
        out = out + p @ V[..., i:i + block_size, :]
    return out / total
# %% sums_in_float32: keeps maximum, sum and output in float32, whatever comes in, and gives float32 back
# taken, one left 3.867: casts_dtype
import torch
def online_softmax_attention(Q, K, V, block_size):
    Q, K, V = Q.float(), K.float(), V.float()
    m = torch.full_like(Q[..., :1], -torch.inf)
    l, o = torch.zeros_like(m), torch.zeros_like(Q)
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = Q @ k.mT / Q.shape[-1] ** 0.5
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        a, p = (m - new).exp(), (s - new).exp()
        m, l, o = new, l * a + p.sum(-1, keepdim=True), o * a + p @ v
    return o / l
# %% causal_in_the_first_block: two mistakes, a causal mask nobody asked for, and one that forgets where the block begins
# refused: shown
import torch
def online_softmax_attention(Q, K, V, block_size):
    m = torch.full_like(Q[..., :1], -torch.inf)
    l, o = torch.zeros_like(m), torch.zeros_like(Q)
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = Q @ k.mT / Q.shape[-1] ** 0.5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        a, p = (m - new).exp(), (s - new).exp()
        m, l, o = new, l * a + p.sum(-1, keepdim=True), o * a + p @ v
    return o / l
# %% sum_rescaled_after_adding: the sum is rescaled after the new block was added, with the first factor left out
# refused: shown
import torch
def online_softmax_attention(Q, K, V, block_size):
    m = l = o = None
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = Q @ k.mT / Q.shape[-1] ** 0.5
        top = s.amax(-1, keepdim=True)
        new = top if m is None else torch.maximum(m, top)
        p = (s - new).exp()
        if m is None:
            l, o = p.sum(-1, keepdim=True), p @ v
        else:
            a = (m - new).exp()
            l, o = a * (l + p.sum(-1, keepdim=True)), a * o + p @ v
        m = new
    return o / l.clamp(min=1)
# %% strangers_2026_11/program_1: right, but accumulates in the dtype of the inputs
# refused, 3.867: kept_in_a_narrow_dtype
import math
import torch
def online_softmax_attention(Q, K, V, block_size):
    Q = Q / math.sqrt(Q.shape[-1])
    m = torch.full_like(Q[..., :1], -math.inf)
    l = torch.zeros_like(m)
    o = Q.new_zeros(*Q.shape[:-1], V.shape[-1])
    for k, v in zip(K.split(block_size, dim=-2), V.split(block_size, dim=-2)):
        s = Q @ k.mT
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        fix, p = torch.exp(m - new), torch.exp(s - new)
        l = l * fix + p.sum(-1, keepdim=True)
        o = o * fix + p @ v
        m = new
    return o / l
# %% strangers_2026_11/crash_1: line `o * a`: the factor (..., T_q) has no axis for the features
# refused: shown
import math
import torch
def online_softmax_attention(Q, K, V, block_size):
    scale = 1 / math.sqrt(Q.size(-1))
    m = torch.full(Q.shape[:-1], -math.inf, dtype=Q.dtype, device=Q.device)
    l = torch.zeros_like(m)
    o = torch.zeros_like(Q)
    for i in range(0, K.size(-2), block_size):
        k, v = K[..., i:i + block_size, :], V[..., i:i + block_size, :]
        s = Q @ k.mT * scale
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new[..., None])
        a = torch.exp(m - m_new)
        l = l * a + p.sum(-1)
        o = o * a + p @ v
        m = m_new
    return o / l[..., None]
# %% strangers_2026_11/single_2: what was carried along is not rescaled when a larger maximum comes
# refused: nothing_rescaled
import math
import torch
def online_softmax_attention(Q, K, V, block_size):
    d = Q.shape[-1]
    m = torch.full((*Q.shape[:-1], 1), -math.inf, dtype=Q.dtype, device=Q.device)
    l = torch.zeros_like(m)
    o = torch.zeros_like(Q)
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = Q @ k.mT / math.sqrt(d)
        m = torch.maximum(m, s.amax(dim=-1, keepdim=True))
        p = torch.exp(s - m)
        l = l + p.sum(dim=-1, keepdim=True)
        o = o + p @ v
    return o / l
# %% strangers_2026_11/single_3: the whole table of scores is made and only then read in blocks
# refused: kept_in_a_narrow_dtype
import math
import torch
def online_softmax_attention(Q, K, V, block_size):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    m = torch.full_like(scores[..., :1], -math.inf)
    l = torch.zeros_like(m)
    o = torch.zeros_like(Q)
    for s, v in zip(scores.split(block_size, dim=-1), V.split(block_size, dim=-2)):
        new_m = torch.maximum(m, s.amax(-1, keepdim=True))
        c = torch.exp(m - new_m)
        e = torch.exp(s - new_m)
        l = l * c + e.sum(-1, keepdim=True)
        o = o * c + e @ v
        m = new_m
    return o / l
