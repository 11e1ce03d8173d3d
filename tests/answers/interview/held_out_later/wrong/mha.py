# %% mha_01: view straight to (B, H, T, d) without transpose, so heads mix tokens
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def split_heads(self, x):
        B, T, _ = x.shape
        return x.view(B, self.num_heads, T, self.d_k)

    def combine_heads(self, x):
        B, H, T, d = x.shape
        return x.reshape(B, T, H * d)

    def forward(self, x):
        Q = self.split_heads(self.W_q(x))
        K = self.split_heads(self.W_k(x))
        V = self.split_heads(self.W_v(x))
        scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(self.d_k)
        T = x.shape[1]
        mask = torch.tril(torch.ones(T, T, device=x.device))
        scores = scores.masked_fill(mask == 0, float("-inf"))
        return self.W_o(self.combine_heads(torch.matmul(scores.softmax(-1), V)))
# %% mha_02: scales by sqrt of the model width instead of the head width
def mha(x, wqkv, wo, n_head):
    """x (B, T, D), wqkv (D, 3D), wo (D, D); causal."""
    B, T, D = x.shape
    q, k, v = np.split(x @ wqkv, 3, axis=-1)
    q, k, v = (a.reshape(B, T, n_head, D // n_head).transpose(0, 2, 1, 3) for a in (q, k, v))
    att = q @ k.transpose(0, 1, 3, 2) / np.sqrt(D)
    att = np.where(np.tril(np.ones((T, T), dtype=bool)), att, -1e30)
    att = np.exp(att - att.max(-1, keepdims=True))
    att = att / att.sum(-1, keepdims=True)
    y = (att @ v).transpose(0, 2, 1, 3).reshape(B, T, D)
    return y @ wo
# %% mha_03: heads are merged with reshape without transposing (B, H, T, d) back to (B, T, H, d)
class SelfAttention(nn.Module):
    def __init__(self, embed_dim, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(embed_dim, embed_dim * 3, bias=False)
        self.proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.n_heads, C // self.n_heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = (q @ k.transpose(-2, -1)) * (C // self.n_heads) ** -0.5
        attn = F.softmax(attn, dim=-1)
        x = (attn @ v).reshape(B, N, C)
        return self.proj(x)
# %% mha_04: F.dropout without training=self.training: dropout stays on in eval mode
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

@dataclass
class Config:
    hidden: int
    heads: int
    dropout: float = 0.1

class CausalMHA(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.cfg = cfg
        self.to_q = nn.Linear(cfg.hidden, cfg.hidden, bias=False)
        self.to_kv = nn.Linear(cfg.hidden, 2 * cfg.hidden, bias=False)
        self.to_out = nn.Linear(cfg.hidden, cfg.hidden)

    def forward(self, x):
        b, n, c = x.shape
        h = self.cfg.heads
        d = c // h
        q = self.to_q(x).view(b, n, h, d)
        k, v = (t.view(b, n, h, d) for t in self.to_kv(x).chunk(2, dim=-1))
        sim = torch.einsum("bihd,bjhd->bhij", q, k) * d ** -0.5
        causal = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
        sim = sim.masked_fill(causal, float("-inf"))
        w = F.dropout(sim.softmax(dim=-1), p=self.cfg.dropout)
        y = torch.einsum("bhij,bjhd->bihd", w, v).reshape(b, n, c)
        return self.to_out(y)
# %% mha_05: the causal mask is applied after the softmax and the rows are not normalised again
def attention(params, x, n_heads):
    """params: dict of (D, D) tensors q, k, v, o; x: (B, T, D); causal."""
    B, T, D = x.shape
    d = D // n_heads

    def proj(name):
        return (x @ params[name]).view(B, T, n_heads, d).permute(0, 2, 1, 3)

    q, k, v = proj("q"), proj("k"), proj("v")
    w = torch.softmax(q @ k.mT / d ** 0.5, dim=-1)
    w = w * torch.tril(torch.ones(T, T, dtype=w.dtype, device=w.device))
    return (w @ v).permute(0, 2, 1, 3).reshape(B, T, D) @ params["o"]
