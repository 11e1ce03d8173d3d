# %% mha_01: fused qkv nn.Linear, always causal with optional keep mask for padding
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, n_heads, causal=True):
        super().__init__()
        assert d_model % n_heads == 0
        self.h = n_heads
        self.dk = d_model // n_heads
        self.causal = causal
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x, pad_mask=None):
        B, T, D = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(B, T, self.h, self.dk).transpose(1, 2)
        k = k.view(B, T, self.h, self.dk).transpose(1, 2)
        v = v.view(B, T, self.h, self.dk).transpose(1, 2)
        s = q @ k.transpose(-2, -1) / math.sqrt(self.dk)
        if self.causal:
            m = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
            s = s.masked_fill(m, float("-inf"))
        if pad_mask is not None:
            s = s.masked_fill(~pad_mask[:, None, None, :], torch.finfo(s.dtype).min)
        a = s.softmax(-1)
        y = (a @ v).transpose(1, 2).reshape(B, T, D)
        return self.proj(y)
# %% mha_02: numpy, unbatched, one weight matrix per head in lists, loop over heads, returns (out, list of attention maps)
def _soft(z):
    z = z - z.max(1, keepdims=True)
    z = np.exp(z)
    return z / z.sum(1, keepdims=True)

def multihead(X, Wqs, Wks, Wvs, Wo, causal=False):
    n = X.shape[0]
    outs, maps = [], []
    for Wq, Wk, Wv in zip(Wqs, Wks, Wvs):
        Q, K, V = X @ Wq, X @ Wk, X @ Wv
        S = Q @ K.T / np.sqrt(Q.shape[1])
        if causal:
            S[np.triu_indices(n, 1)] = -np.inf
        A = _soft(S)
        maps.append(A)
        outs.append(A @ V)
    return np.concatenate(outs, axis=1) @ Wo, maps
# %% mha_03: functional with a params dict and weights shaped (D,H,d), einsum, keyword-only lengths, fewer kv heads by shape
def init(D, H, Hkv=None, seed=0):
    g = torch.Generator().manual_seed(seed)
    Hkv = Hkv or H
    d = D // H
    r = lambda *s: torch.randn(*s, generator=g) * D ** -0.5
    return {"wq": r(D, H, d), "wk": r(D, Hkv, d), "wv": r(D, Hkv, d), "wo": r(H, d, D)}

def attn(params, x, *, lengths=None, causal=True):
    b, t, _ = x.shape
    q = torch.einsum("btD,Dhd->bthd", x, params["wq"])
    k = torch.einsum("bsD,Dgd->bsgd", x, params["wk"])
    v = torch.einsum("bsD,Dgd->bsgd", x, params["wv"])
    H, G = q.shape[2], k.shape[2]
    q = q.reshape(b, t, G, H // G, -1)
    logits = torch.einsum("btgrd,bsgd->bgrts", q, k) * q.shape[-1] ** -0.5
    pos = torch.arange(t)
    ok = torch.ones(b, t, t, dtype=torch.bool)
    if causal:
        ok = ok & (pos[None, :, None] >= pos[None, None, :])
    if lengths is not None:
        ok = ok & (pos[None, None, :] < lengths[:, None, None])
    logits = torch.where(ok[:, None, None], logits, torch.tensor(-1e30))
    p = torch.softmax(logits, -1)
    o = torch.einsum("bgrts,bsgd->btgrd", p, v).reshape(b, t, H, -1)
    return torch.einsum("bthd,hdD->btD", o, params["wo"])
# %% mha_04: from a dataclass config, nn.Parameter (in,out), optional cache tuple in and out, additive mask
from __future__ import annotations
from dataclasses import dataclass
import torch
import torch.nn as nn

@dataclass
class AttnConfig:
    width: int = 32
    heads: int = 4
    bias: bool = False

class MultiHeadAttn(nn.Module):
    def __init__(self, cfg: AttnConfig):
        super().__init__()
        self.cfg = cfg
        w = cfg.width
        self.w_q = nn.Parameter(torch.randn(w, w) / w ** 0.5)
        self.w_k = nn.Parameter(torch.randn(w, w) / w ** 0.5)
        self.w_v = nn.Parameter(torch.randn(w, w) / w ** 0.5)
        self.w_o = nn.Parameter(torch.randn(w, w) / w ** 0.5)
        self.b_o = nn.Parameter(torch.zeros(w)) if cfg.bias else None

    @classmethod
    def from_config(cls, cfg: AttnConfig | dict):
        return cls(AttnConfig(**cfg) if isinstance(cfg, dict) else cfg)

    def _split(self, t):
        return t.unflatten(-1, (self.cfg.heads, -1)).movedim(-2, 1)

    def forward(self, x, mask=None, past=None):
        q = self._split(x @ self.w_q)
        k = self._split(x @ self.w_k)
        v = self._split(x @ self.w_v)
        if past is not None:
            k = torch.cat((past[0], k), dim=2)
            v = torch.cat((past[1], v), dim=2)
        Tq, Tk = q.size(2), k.size(2)
        scores = torch.matmul(q, k.mT) * (q.size(-1) ** -0.5)
        blocked = torch.ones(Tq, Tk, device=x.device).triu(diagonal=Tk - Tq + 1).bool()
        scores = scores.masked_fill(blocked, -torch.inf)
        if mask is not None:
            scores = scores + mask
        ctx = torch.matmul(scores.softmax(dim=-1), v)
        ctx = ctx.movedim(1, -2).flatten(-2)
        y = ctx @ self.w_o
        if self.b_o is not None:
            y = y + self.b_o
        return y, (k, v)
# %% mha_05: old TF style: split on the last axis and stack on the batch axis (heads first), key mask by lengths, in numpy
def dense(inputs, kernel, bias):
    return np.matmul(inputs, kernel) + bias

def multihead_attention(queries, variables, num_heads=8, key_lengths=None, causality=False):
    Q = dense(queries, *variables["q"])
    K = dense(queries, *variables["k"])
    V = dense(queries, *variables["v"])
    N, T, C = Q.shape

    Q_ = np.concatenate(np.split(Q, num_heads, axis=2), axis=0)  # (h*N, T, C/h)
    K_ = np.concatenate(np.split(K, num_heads, axis=2), axis=0)
    V_ = np.concatenate(np.split(V, num_heads, axis=2), axis=0)

    outputs = np.matmul(Q_, np.transpose(K_, [0, 2, 1]))
    outputs = outputs / (K_.shape[-1] ** 0.5)

    padding_num = -2.0 ** 32 + 1
    if key_lengths is not None:
        key_masks = np.arange(T)[None, :] < np.asarray(key_lengths)[:, None]
        key_masks = np.tile(key_masks, [num_heads, 1])[:, None, :]
        outputs = np.where(key_masks, outputs, padding_num)
    if causality:
        tril = np.tril(np.ones([T, T]))[None]
        outputs = np.where(tril == 0, padding_num, outputs)

    outputs = outputs - np.max(outputs, axis=-1, keepdims=True)
    outputs = np.exp(outputs)
    outputs = outputs / np.sum(outputs, axis=-1, keepdims=True)
    outputs = np.matmul(outputs, V_)
    outputs = np.concatenate(np.split(outputs, num_heads, axis=0), axis=2)
    return dense(outputs, *variables["o"])
