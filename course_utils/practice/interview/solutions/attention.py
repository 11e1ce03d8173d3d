"""Model solutions: attention. Weights are (in, out); True in a mask means masked."""

import torch
from torch import nn


def split(x, n_heads):
    B, T, D = x.shape
    return x.view(B, T, n_heads, D // n_heads).transpose(1, 2)  # (B, H, T, d)


def merge(heads):
    return heads.transpose(1, 2).flatten(2)  # (B, H, T, d) -> (B, T, H, d) -> (B, T, D)


def attend(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5  # (B, H, T_q, T_k)
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)  # before the softmax
    return scores.softmax(dim=-1) @ v  # (B, H, T_q, d)


def mha(x, w_q, w_k, w_v, w_o, n_heads):
    q, k, v = (split(x @ w, n_heads) for w in (w_q, w_k, w_v))  # (B, H, T, d) each
    return merge(attend(q, k, v)) @ w_o  # (B, T, D)


def causal_mha(x, w_q, w_k, w_v, w_o, n_heads):
    T = x.shape[1]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)  # (T, T)
    q, k, v = (split(x @ w, n_heads) for w in (w_q, w_k, w_v))
    return merge(attend(q, k, v, future)) @ w_o  # (B, T, D)


def padded_mha(x, lengths, w_q, w_k, w_v, w_o, n_heads):
    T = x.shape[1]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)  # (T, T)
    padding = torch.arange(T, device=x.device) >= lengths[:, None]  # (B, T)
    mask = future | padding[:, None, None, :]  # (B, 1, T, T): keys are hidden, for all heads
    q, k, v = (split(x @ w, n_heads) for w in (w_q, w_k, w_v))
    return merge(attend(q, k, v, mask)) @ w_o  # (B, T, D)


def gqa(q, k, v):
    group = q.shape[1] // k.shape[1]  # query heads that share one kv head, neighbours
    k, v = (x.repeat_interleave(group, dim=1) for x in (k, v))  # (B, H_kv, T, d) -> (B, H, T, d)
    return attend(q, k, v)  # (B, H, T_q, d)


class CachedAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_kv_heads=None):
        super().__init__()
        self.n_heads, self.n_kv = n_heads, n_kv_heads or n_heads
        kv_width = self.n_kv * (d_model // n_heads)
        self.w_q, self.w_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.w_k, self.w_v = (nn.Linear(d_model, kv_width, bias=False) for _ in range(2))

    def forward(self, x, cache=None):
        q = split(self.w_q(x), self.n_heads)  # (B, H, T_new, d)
        k, v = split(self.w_k(x), self.n_kv), split(self.w_v(x), self.n_kv)  # (B, H_kv, T_new, d)
        if cache is not None:
            k, v = (torch.cat(pair, dim=2) for pair in zip(cache, (k, v), strict=True))  # old, then new
        T_new, T_all, group = q.shape[2], k.shape[2], self.n_heads // self.n_kv
        mask = torch.ones(T_new, T_all, dtype=torch.bool, device=x.device).triu(T_all - T_new + 1)
        wide_k, wide_v = (x.repeat_interleave(group, dim=1) for x in (k, v))  # the cache stays narrow
        return self.w_o(merge(attend(q, wide_k, wide_v, mask))), (k, v)  # (B, T_new, D)
