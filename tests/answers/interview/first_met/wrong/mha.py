# %% mha_01: (B,T,D) is viewed straight to (B,H,T,d) with no transpose, mixing time and heads
class SelfAttention(nn.Module):
    def __init__(self, emb, heads=4):
        super().__init__()
        self.emb, self.heads = emb, heads
        self.tokeys = nn.Linear(emb, emb, bias=False)
        self.toqueries = nn.Linear(emb, emb, bias=False)
        self.tovalues = nn.Linear(emb, emb, bias=False)
        self.unifyheads = nn.Linear(emb, emb)

    def forward(self, x):
        b, t, e = x.size()
        h = self.heads
        s = e // h
        keys = self.tokeys(x).view(b, h, t, s)
        queries = self.toqueries(x).view(b, h, t, s)
        values = self.tovalues(x).view(b, h, t, s)
        dot = torch.matmul(queries, keys.transpose(2, 3)) / s ** 0.5
        dot = F.softmax(dot, dim=-1)
        out = torch.matmul(dot, values).transpose(1, 2).reshape(b, t, e)
        return self.unifyheads(out)
# %% mha_02: scores are scaled by the square root of the model width, not of the head width
def mhsa(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    dh = D // num_heads

    def heads(w):
        return np.swapaxes((x @ w).reshape(B, T, num_heads, dh), 1, 2)

    q, k, v = heads(Wq), heads(Wk), heads(Wv)
    att = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(D)
    if causal:
        att = np.where(np.tri(T, dtype=bool), att, -1e9)
    att = np.exp(att - att.max(-1, keepdims=True))
    att /= att.sum(-1, keepdims=True)
    y = np.swapaxes(att @ v, 1, 2).reshape(B, T, D)
    return y @ Wo
# %% mha_03: the heads are joined by reshape of (B,H,T,d) without moving H back next to d
class Attention(nn.Module):
    def __init__(self, dim, n_head, attn_bias=True):
        super().__init__()
        self.n_head = n_head
        self.c_attn = nn.Linear(dim, 3 * dim, bias=attn_bias)
        self.c_proj = nn.Linear(dim, dim, bias=attn_bias)

    def forward(self, x):
        bsz, n, dim = x.shape
        qkv = self.c_attn(x).reshape(bsz, n, 3, self.n_head, dim // self.n_head)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        w = torch.einsum("bhid,bhjd->bhij", q, k) * (dim // self.n_head) ** -0.5
        hide = torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)
        w = w.masked_fill(hide, -torch.inf).softmax(dim=-1)
        y = torch.einsum("bhij,bhjd->bhid", w, v)
        y = y.contiguous().view(bsz, n, dim)
        return self.c_proj(y)
# %% mha_04: the softmax runs over the queries axis instead of the keys axis
def multi_head(p: dict, x: torch.Tensor, *, n_heads: int) -> torch.Tensor:
    q = torch.stack((x @ p["Q"]).chunk(n_heads, -1))
    k = torch.stack((x @ p["K"]).chunk(n_heads, -1))
    v = torch.stack((x @ p["V"]).chunk(n_heads, -1))
    score = torch.einsum("hbqd,hbkd->hbqk", q, k) / q.shape[-1] ** 0.5
    weight = torch.softmax(score, dim=2)
    o = torch.einsum("hbqk,hbkd->hbqd", weight, v)
    return torch.cat(list(o), -1) @ p["O"]
# %% mha_05: the causal mask multiplies the weights after the softmax, so rows no longer add up to one
class MHA(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.d, self.h = d, h
        self.Wq = nn.Parameter(torch.randn(d, d) / math.sqrt(d))
        self.Wk = nn.Parameter(torch.randn(d, d) / math.sqrt(d))
        self.Wv = nn.Parameter(torch.randn(d, d) / math.sqrt(d))
        self.Wo = nn.Parameter(torch.randn(d, d) / math.sqrt(d))

    def forward(self, x):
        B, T, d = x.shape
        hs = d // self.h
        Q, K, V = [(x @ W).view(B, T, self.h, hs).transpose(1, 2) for W in (self.Wq, self.Wk, self.Wv)]
        A = torch.softmax(Q @ K.transpose(-1, -2) / math.sqrt(hs), dim=-1)
        A = A * torch.tril(torch.ones(T, T))
        return (A @ V).transpose(1, 2).flatten(2) @ self.Wo, A
# %% mha_06: the triangle is turned round (fills the strict past, leaves the future open)
def attention_layer(tokens, wts, H):
    # tokens (T, D); wts = (wq, wk, wv, wo) given as (out, in)
    wq, wk, wv, wo = wts
    T, D = tokens.shape
    step = D // H
    q, k, v = tokens @ wq.T, tokens @ wk.T, tokens @ wv.T
    pieces = []
    for a in range(0, D, step):
        sl = slice(a, a + step)
        sc = q[:, sl] @ k[:, sl].T / step ** 0.5
        sc[np.tril_indices(T, -1)] = -1e12
        e = np.exp(sc - sc.max(1)[:, None])
        pieces.append((e / e.sum(1)[:, None]) @ v[:, sl])
    return np.hstack(pieces) @ wo.T
# %% mha_07: the padding mask is put on the query axis of the scores, padded keys keep their weight
class MultiHeadedAttention(nn.Module):
    def __init__(self, num_heads, size):
        super().__init__()
        self.head_size = size // num_heads
        self.num_heads = num_heads
        self.k_layer = nn.Linear(size, size)
        self.v_layer = nn.Linear(size, size)
        self.q_layer = nn.Linear(size, size)
        self.output_layer = nn.Linear(size, size)

    def forward(self, x, src_mask=None):
        # src_mask (B, T) bool, True for real tokens
        bs, n, _ = x.shape
        k = self.k_layer(x).view(bs, n, self.num_heads, self.head_size).transpose(1, 2)
        v = self.v_layer(x).view(bs, n, self.num_heads, self.head_size).transpose(1, 2)
        q = self.q_layer(x).view(bs, n, self.num_heads, self.head_size).transpose(1, 2)
        q = q / self.head_size ** 0.5
        scores = q @ k.transpose(2, 3)
        if src_mask is not None:
            scores = scores.masked_fill(~src_mask[:, None, :, None], -1e9)
        attn = scores.softmax(-1)
        ctx = (attn @ v).transpose(1, 2).reshape(bs, n, -1)
        return self.output_layer(ctx)
# %% mha_08: copy and paste: the values are made with the key weights
from typing import NamedTuple
import torch

class Params(NamedTuple):
    query: torch.Tensor   # (D, H, d)
    key: torch.Tensor
    value: torch.Tensor
    out: torch.Tensor     # (H, d, D)

def forward(params: Params, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """x (T, D), mask (T, T) additive"""
    q = torch.tensordot(x, params.query, dims=1)
    k = torch.tensordot(x, params.key, dims=1)
    v = torch.tensordot(x, params.key, dims=1)
    logits = torch.einsum("thd,shd->hts", q, k) / q.shape[-1] ** 0.5 + mask
    probs = torch.softmax(logits, -1)
    return torch.einsum("hts,shd,hdD->tD", probs, v, params.out)
