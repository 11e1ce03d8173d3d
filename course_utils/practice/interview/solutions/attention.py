"""Model solutions: attention. Weights are (in, out), used as x @ W; True in a mask hides a key."""

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


def future(T_new, T_all, device):
    return torch.ones(T_new, T_all, dtype=torch.bool, device=device).triu(T_all - T_new + 1)  # (T_new, T_all)


def mha(x, W_q, W_k, W_v, W_o, n_heads):
    q, k, v = (split(x @ W, n_heads) for W in (W_q, W_k, W_v))  # (B, H, T, d) each
    return merge(attend(q, k, v)) @ W_o  # (B, T, D)


def causal_mha(x, W_q, W_k, W_v, W_o, n_heads):
    T = x.shape[1]
    q, k, v = (split(x @ W, n_heads) for W in (W_q, W_k, W_v))  # (B, H, T, d) each
    return merge(attend(q, k, v, future(T, T, x.device))) @ W_o  # (B, T, D)


def padded_mha(x, W_q, W_k, W_v, W_o, n_heads, lengths):
    T = x.shape[1]
    padding = torch.arange(T, device=x.device) >= lengths[:, None]  # (B, T)
    mask = future(T, T, x.device) | padding[:, None, None, :]  # (B, 1, T, T): keys are hidden, for all heads
    q, k, v = (split(x @ W, n_heads) for W in (W_q, W_k, W_v))
    return merge(attend(q, k, v, mask)) @ W_o  # (B, T, D)


def gqa(Q, K, V):
    group = Q.shape[1] // K.shape[1]  # query heads that share one kv head, neighbours
    K, V = (x.repeat_interleave(group, dim=1) for x in (K, V))  # (B, H_kv, T, d) -> (B, H, T, d)
    return attend(Q, K, V)  # (B, H, T, d)


def causal_gqa(x, W_q, W_k, W_v, W_o, n_heads, n_kv_heads):
    T, group = x.shape[1], n_heads // n_kv_heads
    q, k, v = split(x @ W_q, n_heads), split(x @ W_k, n_kv_heads), split(x @ W_v, n_kv_heads)
    k, v = (t.repeat_interleave(group, dim=1) for t in (k, v))  # (B, H_kv, T, d) -> (B, H, T, d)
    return merge(attend(q, k, v, future(T, T, x.device))) @ W_o  # (B, T, D)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )

    def forward(self, x, cache=None):
        q, k, v = (split(layer(x), self.n_heads) for layer in (self.q_proj, self.k_proj, self.v_proj))
        if cache is not None:
            k, v = (torch.cat(pair, dim=2) for pair in zip(cache, (k, v), strict=True))  # old, then new
        mask = future(q.shape[2], k.shape[2], x.device)  # (T_new, T_all)
        return self.out_proj(merge(attend(q, k, v, mask))), (k, v)  # (B, T_new, D), (B, H, T_all, d) twice


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_kv_heads):
        super().__init__()
        self.n_heads, self.n_kv = n_heads, n_kv_heads
        kv_width = n_kv_heads * (d_model // n_heads)
        self.q_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(d_model, kv_width, bias=False) for _ in range(2))

    def forward(self, x, cache=None):
        q = split(self.q_proj(x), self.n_heads)  # (B, H, T_new, d)
        k, v = split(self.k_proj(x), self.n_kv), split(self.v_proj(x), self.n_kv)  # (B, H_kv, T_new, d)
        if cache is not None:
            k, v = (torch.cat(pair, dim=2) for pair in zip(cache, (k, v), strict=True))  # old, then new
        mask, group = future(q.shape[2], k.shape[2], x.device), self.n_heads // self.n_kv
        wide_k, wide_v = (t.repeat_interleave(group, dim=1) for t in (k, v))  # the cache stays narrow
        return self.out_proj(merge(attend(q, wide_k, wide_v, mask))), (k, v)  # (B, T_new, D)
