"""Right answers to the topic online_softmax."""
# %% list_one_by_one
def online_softmax(xs):
    m, d = float("-inf"), 0.0
    for x in xs:
        m_new = max(m, x)
        d = d * math.exp(m - m_new) + math.exp(x - m_new)
        m = m_new
    return [math.exp(x - m) / d for x in xs]
# %% maximum_and_sum
def normalizer(values):
    m, l = -np.inf, 0.0
    for v in values:
        if v > m:
            l = l * np.exp(m - v) + 1.0
            m = v
        else:
            l += np.exp(v - m)
    return m, l
# %% blocks_torch
def blockwise(x, block_size=4):
    m, l = torch.tensor(float("-inf")), torch.tensor(0.0)
    for i in range(0, x.shape[-1], block_size):
        blk = x[i : i + block_size]
        new = torch.maximum(m, blk.max())
        l = l * torch.exp(m - new) + torch.exp(blk - new).sum()
        m = new
    return torch.exp(x - m) / l
# %% flash: attention over blocks of keys
def flash_attention(q, k, v, block=3):
    scale = q.shape[-1] ** -0.5
    acc = torch.zeros(*q.shape[:-1], v.shape[-1])
    m = torch.full((*q.shape[:-1], 1), float("-inf"))
    l = torch.zeros(*q.shape[:-1], 1)
    for kb, vb in zip(k.split(block, -2), v.split(block, -2)):
        s = q @ kb.transpose(-1, -2) * scale
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, c = torch.exp(s - m_new), torch.exp(m - m_new)
        l, acc, m = l * c + p.sum(-1, keepdim=True), acc * c + p @ vb, m_new
    return acc / l
# %% weighted_values: scores and values
def streaming(scores, values):
    best, total, out = -np.inf, 0.0, np.zeros(values.shape[1])
    for s, v in zip(scores, values):
        new = max(best, s)
        out = out * np.exp(best - new) + np.exp(s - new) * v
        total = total * np.exp(best - new) + np.exp(s - new)
        best = new
    return out / total
# %% rows: a running maximum for each row
def rowwise(scores):
    B, n = scores.shape
    m, s = torch.full((B,), -torch.inf), torch.zeros(B)
    for j in range(n):
        new = torch.maximum(m, scores[:, j])
        s = s * (m - new).exp() + (scores[:, j] - new).exp()
        m = new
    return (scores - m[:, None]).exp() / s[:, None]
# %% reduce: merging two states
import math
from functools import reduce

def fold(stream):
    def merge(a, b):
        (m1, l1), (m2, l2) = a, b
        m = max(m1, m2)
        return m, l1 * math.exp(m1 - m) + l2 * math.exp(m2 - m)
    m, l = reduce(merge, ((x, 1.0) for x in stream))
    return [math.exp(x - m) / l for x in stream]
# %% one_query: flash for a single query, NumPy
def decode_attention(q, K, V):
    m, l, o = -np.inf, 0.0, np.zeros(V.shape[1])
    for i in range(len(K)):
        s = float(q @ K[i]) / np.sqrt(len(q))
        m2 = max(m, s)
        a, b = np.exp(m - m2), np.exp(s - m2)
        o, l, m = o * a + b * V[i], l * a + b, m2
    return o / l
# %% object_with_update
class OnlineSoftmax:
    def __init__(self):
        self.m, self.l = -math.inf, 0.0

    def update(self, x):
        new = max(self.m, x)
        self.l = self.l * math.exp(self.m - new) + math.exp(x - new)
        self.m = new
# %% object_with_blocks_and_result
class Running:
    def __init__(self):
        self.max = torch.tensor(float("-inf"))
        self.total = torch.tensor(0.0)
        self.seen = []

    def update(self, block):
        new = torch.maximum(self.max, block.max())
        self.total = self.total * torch.exp(self.max - new) + torch.exp(block - new).sum()
        self.max = new
        self.seen.append(block)

    def result(self):
        return torch.exp(torch.cat(self.seen) - self.max) / self.total
# %% tiles_given
def online(x, tile_size):
    m, s = -np.inf, 0.0
    for i in range(0, x.size, tile_size):
        t = x[i:i + tile_size]
        mt = t.max()
        st = np.exp(t - mt).sum()
        m_new = max(m, mt)
        s = s * np.exp(m - m_new) + st * np.exp(mt - m_new)
        m = m_new
    return np.exp(x - m) / s
# %% log_sum_exp
def running_lse(stream):
    m, s = -math.inf, 0.0
    for v in stream:
        v = float(v)
        if v <= m:
            s += math.exp(v - m)
        else:
            s = s * math.exp(m - v) + 1.0
            m = v
    return m + math.log(s)
# %% batched_flash
def flash(Q, K, V, Br=2, Bc=2):
    O = torch.zeros_like(Q)
    scale = Q.shape[-1] ** -0.5
    for i in range(0, Q.shape[-2], Br):
        qi = Q[..., i:i + Br, :] * scale
        m = qi.new_full((*qi.shape[:-1], 1), -torch.inf)
        l = torch.zeros_like(m)
        o = torch.zeros_like(qi)
        for j in range(0, K.shape[-2], Bc):
            s = qi @ K[..., j:j + Bc, :].mT
            mn = torch.maximum(m, s.max(-1, keepdim=True).values)
            p = (s - mn).exp()
            a = (m - mn).exp()
            l = a * l + p.sum(-1, keepdim=True)
            o = a * o + p @ V[..., j:j + Bc, :]
            m = mn
        O[..., i:i + Br, :] = o / l
    return O
# %% class_with_a_property
class Running:
    def __init__(self):
        self.m, self.s, self.xs = -math.inf, 0.0, []

    def feed(self, x):
        m = max(self.m, x)
        self.s = self.s * math.exp(self.m - m) + math.exp(x - m)
        self.m = m
        self.xs.append(x)

    @property
    def shares(self):
        return [math.exp(x - self.m) / self.s for x in self.xs]
# %% class_of_maximum_and_sum: and a method that says something else
class Normaliser:
    def __init__(self):
        self.m, self.s = -math.inf, 0.0

    def update(self, x):
        m = max(self.m, x)
        self.s = self.s * math.exp(self.m - m) + math.exp(x - m)
        self.m = m

    def is_empty(self):
        return self.s == 0.0
# %% TiledAttention
class TiledAttention(nn.Module):
    def __init__(self, tile_size=32):
        super().__init__()
        self.tile_size = tile_size

    def forward(self, query, key, value):
        top = query.new_full((*query.shape[:-1], 1), -torch.inf)
        total, mixed = torch.zeros_like(top), torch.zeros_like(query)
        for begin in range(0, key.shape[-2], self.tile_size):
            part = slice(begin, begin + self.tile_size)
            scores = torch.einsum("bhqd,bhkd->bhqk", query, key[..., part, :]) / query.shape[-1] ** 0.5
            new_top = scores.amax(-1, keepdim=True).maximum(top)
            shrink, grown = (top - new_top).exp(), (scores - new_top).exp()
            total = total * shrink + grown.sum(-1, keepdim=True)
            mixed = mixed * shrink + torch.einsum("bhqk,bhkd->bhqd", grown, value[..., part, :])
            top = new_top
        return mixed / total
