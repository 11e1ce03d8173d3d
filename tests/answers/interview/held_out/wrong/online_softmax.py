# %% online_softmax_01: the output accumulator is not rescaled when the running max changes (only the sum is).
def flash_attn(q, k, v, block=4):
    """q, k, v: (B, H, T, D)"""
    scale = q.shape[-1] ** -0.5
    m = torch.full(q.shape[:-1], float("-inf"))
    l = torch.zeros(q.shape[:-1])
    o = torch.zeros_like(q)
    for kb, vb in zip(k.split(block, 2), v.split(block, 2)):
        s = q @ kb.mT * scale
        m_new = torch.maximum(m, s.amax(-1))
        p = (s - m_new[..., None]).exp()
        l = l * (m - m_new).exp() + p.sum(-1)
        o = o + p @ vb
        m = m_new
    return o / l[..., None]
# %% online_softmax_02: the normaliser is not rescaled when a larger score appears (only the output is).
def single_query_attention(q, keys, values):
    m = -np.inf
    z = 0.0
    out = np.zeros(values.shape[-1])
    for i in range(len(keys)):
        s = np.dot(q, keys[i]) / np.sqrt(q.size)
        m_next = max(m, s)
        w = np.exp(s - m_next)
        z = z + w
        out = out * np.exp(m - m_next) + w * values[i]
        m = m_next
    return out / z
# %% online_softmax_03: the correction factor is upside down: exp(m_new - m_old), where exp(m_old - m_new) is needed.
from math import exp

def online_softmax(logits):
    m, s = logits[0], 1.0
    for x in logits[1:]:
        if x > m:
            s = s * exp(x - m) + 1.0
            m = x
        else:
            s += exp(x - m)
    return [exp(x - m) / s for x in logits]
# %% online_softmax_04: the block's weights are taken relative to the block's own maximum, not to the updated running maximum.
class FlashAttention(nn.Module):
    def __init__(self, block_size=4):
        super().__init__()
        self.block_size = block_size

    def forward(self, Q, K, V):
        """(batch, seq, dim)"""
        b, n, d = Q.shape
        num = torch.zeros_like(Q)
        den = Q.new_zeros(b, n, 1)
        running_max = Q.new_full((b, n, 1), -math.inf)
        for start in range(0, K.shape[1], self.block_size):
            Kb = K[:, start:start + self.block_size]
            Vb = V[:, start:start + self.block_size]
            scores = torch.bmm(Q, Kb.transpose(1, 2)) / math.sqrt(d)
            block_max = scores.max(dim=-1, keepdim=True).values
            new_max = torch.maximum(running_max, block_max)
            weights = torch.exp(scores - block_max)
            alpha = torch.exp(running_max - new_max)
            num = num * alpha + torch.bmm(weights, Vb)
            den = den * alpha + weights.sum(-1, keepdim=True)
            running_max = new_max
        return num / den
# %% online_softmax_05: the number of tiles is S // tile, so a last partial tile of keys is dropped.
def tiled_attention(Q, K, V, tile=4):
    T, d = Q.shape
    S = K.shape[0]
    m = np.full((T, 1), -np.inf)
    l = np.zeros((T, 1))
    acc = np.zeros((T, V.shape[1]))
    for t in range(S // tile):
        sl = slice(t * tile, (t + 1) * tile)
        s = Q @ K[sl].T / np.sqrt(d)
        m2 = np.maximum(m, s.max(1, keepdims=True))
        p = np.exp(s - m2)
        c = np.exp(m - m2)
        l = l * c + p.sum(1, keepdims=True)
        acc = acc * c + p @ V[sl]
        m = m2
    return acc / l
# %% online_softmax_06: the output is divided by the running sum in each step without being multiplied back in the next one.
def streaming_attention(q, k, v):
    """q (T, d), k (S, d), v (S, d): one key at a time, all queries together"""
    T, d = q.shape
    m = torch.full((T,), -torch.inf)
    l = torch.zeros(T)
    o = torch.zeros(T, v.shape[1])
    for j in range(k.shape[0]):
        s = (q @ k[j]) / d ** 0.5                 # (T,)
        m_new = torch.maximum(m, s)
        alpha = torch.exp(m - m_new)              # (T,)
        p = torch.exp(s - m_new)                  # (T,)
        l = alpha * l + p
        o = (alpha[:, None] * o + p[:, None] * v[j]) / l[:, None]
        m = m_new
    return o
# %% online_softmax_07: the final division by the row sum is missing.
def flash_attention_forward(q, k, v, Br=4, Bc=4):
    """q, k, v: (N, d)"""
    N, d = q.shape
    O = torch.zeros_like(q)
    L = torch.zeros(N)
    for i in range(0, N, Br):
        Qi = q[i:i + Br]
        Oi = torch.zeros_like(Qi)
        li = torch.zeros(Qi.shape[0])
        mi = torch.full((Qi.shape[0],), float("-inf"))
        for j in range(0, N, Bc):
            Sij = Qi @ k[j:j + Bc].T / d ** 0.5
            mij = torch.maximum(mi, Sij.max(dim=1).values)
            Pij = torch.exp(Sij - mij[:, None])
            li = torch.exp(mi - mij) * li + Pij.sum(dim=1)
            Oi = torch.exp(mi - mij)[:, None] * Oi + Pij @ v[j:j + Bc]
            mi = mij
        O[i:i + Br] = Oi
        L[i:i + Br] = mi + torch.log(li)
    return O, L
# %% online_softmax_08: the causal test uses positions inside the tile, not positions in the sequence.
def causal_flash(Q, K, V, bs=3):
    n, d = Q.shape
    O = np.zeros_like(V)
    for a in range(0, n, bs):
        q = Q[a:a + bs]
        m = np.full(len(q), -np.inf)
        l = np.zeros(len(q))
        o = np.zeros((len(q), V.shape[1]))
        for b in range(0, a + bs, bs):
            kb, vb = K[b:b + bs], V[b:b + bs]
            s = q @ kb.T / np.sqrt(d)
            row = np.arange(len(q))[:, None]
            col = np.arange(len(kb))[None, :]
            s = np.where(col <= row, s, -np.inf)
            mn = np.maximum(m, s.max(1))
            p = np.exp(s - mn[:, None])
            f = np.exp(m - mn)
            l = f * l + p.sum(1)
            o = f[:, None] * o + p @ vb
            m = mn
        O[a:a + bs] = o / l[:, None]
    return O
# %% online_softmax_09: tiles are skipped when tile index j > i although query and key tiles differ in size, so visible keys get skipped.
def flash(q, k, v, q_tile=6, k_tile=2):
    """causal; q, k, v: [H, T, D]"""
    H, T, D = q.shape
    outs = []
    for i, qi in enumerate(q.split(q_tile, dim=1)):
        r = i * q_tile + torch.arange(qi.shape[1])
        m = torch.full((H, qi.shape[1], 1), -1e30)
        l = torch.zeros(H, qi.shape[1], 1)
        o = torch.zeros_like(qi)
        for j, (kj, vj) in enumerate(zip(k.split(k_tile, dim=1), v.split(k_tile, dim=1))):
            if j > i:
                break
            c = j * k_tile + torch.arange(kj.shape[1])
            s = qi @ kj.transpose(1, 2) / D ** 0.5
            s = s.masked_fill(c[None, :] > r[:, None], -torch.inf)
            mn = torch.maximum(m, s.max(-1, keepdim=True)[0])
            p, a = (s - mn).exp(), (m - mn).exp()
            l, o, m = a * l + p.sum(-1, keepdim=True), a * o + p @ vj, mn
        outs.append(o / l)
    return torch.cat(outs, dim=1)
# %% online_softmax_10: when partial results are merged, the sums l are added without bringing them to the common maximum.
from functools import reduce
import torch

def partial_attention(q, k, v):
    s = q @ k.T / q.shape[-1] ** 0.5
    m = s.max(dim=-1, keepdim=True).values
    p = torch.exp(s - m)
    return m, p.sum(-1, keepdim=True), p @ v

def combine(a, b):
    m1, l1, o1 = a
    m2, l2, o2 = b
    m = torch.maximum(m1, m2)
    return m, l1 + l2, o1 * torch.exp(m1 - m) + o2 * torch.exp(m2 - m)

def split_kv_attention(q, k, v, n_splits=3):
    """flash-decoding: q (T, d), k/v (S, d)"""
    parts = [partial_attention(q, kc, vc) for kc, vc in zip(k.chunk(n_splits), v.chunk(n_splits))]
    _, l, o = reduce(combine, parts)
    return o / l
# %% online_softmax_11: the running max is overwritten before the correction is computed, so the correction is always 1.
class OnlineSoftmaxAttention:
    def __init__(self, d_v):
        self.m = -np.inf
        self.l = 0.0
        self.o = np.zeros(d_v)

    def update(self, score, value):
        self.m = max(self.m, score)
        correction = np.exp(self.m - self.m)
        p = np.exp(score - self.m)
        self.l = self.l * correction + p
        self.o = self.o * correction + p * value

    def finalize(self):
        return self.o / self.l
# %% online_softmax_12: the softmax of every block is normalised on its own and the block outputs are averaged, with no weighting by their sums.
def block_attention(q, k, v, block: int = 5):
    """
    q [B, T, d]   k, v [B, S, d]
    keys are read once, block by block; each block's result is folded into a running average
    """
    out = torch.zeros_like(q)                                        # [B, T, d]
    seen = 0
    for s0 in range(0, k.shape[1], block):
        kb, vb = k[:, s0:s0 + block], v[:, s0:s0 + block]            # [B, blk, d]
        s = q @ kb.transpose(1, 2) / q.shape[-1] ** 0.5              # [B, T, blk]
        p = torch.exp(s - s.amax(dim=-1, keepdim=True))              # [B, T, blk]
        o = p @ vb / p.sum(dim=-1, keepdim=True)                     # [B, T, d]
        n = kb.shape[1]
        out = (out * seen + o * n) / (seen + n)
        seen += n
    return out
# %% online_softmax_13: the last block is zero-padded to full size, and the padded keys are not masked, so they take weight.
def attention(q, k, v, block=4):
    """q, k, v: (B, H, T, D) -> (B, H, T, D), keys scanned block by block"""
    B, H, S, D = k.shape
    pad = (-S) % block
    k = F.pad(k, (0, 0, 0, pad)).view(B, H, -1, block, D)
    v = F.pad(v, (0, 0, 0, pad)).view(B, H, -1, block, D)

    def body(carry, kv):
        m, l, o = carry
        kb, vb = kv
        s = torch.einsum("bhtd,bhsd->bhts", q, kb) / D ** 0.5
        m2 = torch.maximum(m, s.max(-1).values)
        p = torch.exp(s - m2.unsqueeze(-1))
        c = torch.exp(m - m2)
        return m2, l * c + p.sum(-1), o * c.unsqueeze(-1) + p @ vb

    carry = (torch.full(q.shape[:-1], -torch.inf), torch.zeros(q.shape[:-1]), torch.zeros_like(q))
    for n in range(k.shape[2]):
        carry = body(carry, (k[:, :, n], v[:, :, n]))
    _, l, o = carry
    return o / l.unsqueeze(-1)
# %% online_softmax_14: the value tile is taken with the query tile's index rather than the key tile's.
def flash_attention_1(Q, K, V, B=2):
    """Q, K, V: n x d lists, n a multiple of B"""
    n, d = len(Q), len(Q[0])
    out = []
    for qi in range(0, n, B):
        for i in range(qi, qi + B):
            m, l, o = float("-inf"), 0.0, [0.0] * d
            for kj in range(0, n, B):
                for t in range(B):
                    s = sum(Q[i][c] * K[kj + t][c] for c in range(d)) / math.sqrt(d)
                    new = max(m, s)
                    r, p = math.exp(m - new), math.exp(s - new)
                    l = l * r + p
                    o = [o[c] * r + p * V[qi + t][c] for c in range(d)]
                    m = new
            out.append([a / l for a in o])
    return out
# %% online_softmax_15: the normaliser adds exp(x - old max) for the new block, because m is updated after the sum, not before.
def softmax_two_blocks(x, block=4):
    """Row softmax of (R, N) reading the columns block by block."""
    R, N = x.shape
    m = x[:, :block].max(axis=1, keepdims=True)
    d = np.exp(x[:, :block] - m).sum(axis=1, keepdims=True)
    for c in range(block, N, block):
        xb = x[:, c:c + block]
        m_new = np.maximum(m, xb.max(axis=1, keepdims=True))
        d = d * np.exp(m - m_new) + np.exp(xb - m).sum(axis=1, keepdims=True)
        m = m_new
    return np.exp(x - m) / d
