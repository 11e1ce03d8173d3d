"""Attempts that were once named wrongly, or not at all."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from autograder.authoring.attention import merge_blocks, split_blocks


def attend(Q, K, V, mask=None, root=lambda d: d**0.5, twice=False):
    scores = Q @ K.transpose(-2, -1) / root(Q.shape[-1])
    weights = (scores if mask is None else scores.masked_fill(mask, -torch.inf)).softmax(-1)
    weights = weights.softmax(-1) if twice else weights
    return weights @ V, weights


def future(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)


def number_added(scores, mask):
    return torch.softmax(scores + mask.to(scores.dtype) * -10000, -1)


def all_squeezed(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    T_k = seq_len_k or seq_len_q
    device = device if key_padding_lengths is None else key_padding_lengths.device
    i, j = torch.arange(seq_len_q, device=device)[:, None], torch.arange(T_k, device=device)
    mask = (j > i) & is_causal
    if key_padding_lengths is None:
        return mask
    return (mask | (j >= key_padding_lengths[:, None])[:, None, None]).squeeze()


def whole_root(Q, K, V, mask=None):
    return attend(Q, K, V, mask, lambda d: int(d**0.5))


def half(Q, K, V, n_heads):
    q, k, v = (split_blocks(torch.as_tensor(t, dtype=torch.float64), n_heads) for t in (Q, K, V))
    return merge_blocks(attend(q, k, v, None, lambda d: max(1, d // 2))[0], n_heads).numpy()


def twice(Q, K, V, mask=None):
    return attend(Q, K, V, mask, twice=True)


def reshaped(Q, K, V, mask=None):
    turned = K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2]).transpose(-2, -1)
    return attend(Q, turned, V, mask)


def last_head(Q, K, V, n_heads):
    for own in np.array_split(np.arange(Q.shape[1]), n_heads):
        tensors = (torch.as_tensor(t[:, own], dtype=torch.float64) for t in (Q, K, V))
        result = attend(*tensors)[0].numpy()
    return result


def one_head(Q, K, V, n_heads):
    return attend(*(torch.as_tensor(t, dtype=torch.float64) for t in (Q, K, V)))[0].numpy()


def for_torch(X, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (split_blocks((X @ W)[None], num_heads) for W in (W_Q, W_K, W_V))
    heads = F.scaled_dot_product_attention(q, k, v, attn_mask=future(len(X)))
    return merge_blocks(heads, num_heads)[0] @ W_O


def both_interleaved(X, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = ((X @ W).unflatten(-1, (-1, num_heads)).permute(2, 0, 1) for W in (W_Q, W_K, W_V))
    return attend(q, k, v, future(len(X)))[0].permute(1, 2, 0).flatten(1) @ W_O


class Four(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.H = num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def forward(self, x):
        q, k, v = (split_blocks(layer(x), self.H) for layer in (self.W_q, self.W_k, self.W_v))
        return self.W_o(
            merge_blocks(F.scaled_dot_product_attention(q, k, v, attn_mask=future(x.shape[1])), 0)
        )

    def _split_heads(self, x):
        return split_blocks(x, self.H)

    def _merge_heads(self, x):
        return merge_blocks(x, self.H)


def before_the_cut(x, num_heads):
    B, T, D = x.shape
    return x.transpose(1, 2).view(B, num_heads, T, D // num_heads)


def merged_before_the_view(x):
    B, H, T, d_head = x.shape
    return x.transpose(2, 3).transpose(1, 3).view(B, T, d_head * H)


def all_for_torch(Q, K, V, mask=None):
    eye = torch.eye(K.shape[-2], dtype=K.dtype).expand(*K.shape[:-1], K.shape[-2])
    return tuple(F.scaled_dot_product_attention(Q, K, t, attn_mask=mask) for t in (V, eye))


def causal_besides(Q, K, V, mask=None):
    output, weights = attend(Q, K, V, mask)
    return (output if mask is None else attend(Q, K, V, mask | causal_for(Q, K))[0]), weights


def causal_for(Q, K):
    return torch.ones(Q.shape[-2], K.shape[-2], dtype=torch.bool).triu(1)


def whole_values(Q, K, V, num_heads, mask=None):
    q, k = (split_blocks(t, num_heads) for t in (Q, K))
    weights = attend(q, k, k, mask)[1]
    return weights.mean(1) @ V, weights


class QueryRows(Four):
    def forward(self, x, is_causal=False, key_padding_lengths=None):
        T = x.shape[1]
        mask = torch.zeros(1, 1, T, T, dtype=torch.bool) | (future(T) if is_causal else False)
        if key_padding_lengths is not None:
            mask = mask | (torch.arange(T) >= key_padding_lengths[:, None])[:, None, :, None]
        q, k, v = (split_blocks(layer(x), self.H) for layer in (self.W_q, self.W_k, self.W_v))
        weights = attend(q, k, v, mask)[1].nan_to_num(0)
        return self.W_o(merge_blocks(weights @ v, 0))


class OneQueryForAGroup(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.H, self.H_kv, d_kv = num_heads, num_kv_heads, d_model // num_heads * num_kv_heads
        self.q_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(d_model, d_kv, bias=False) for _ in range(2))

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (layer(x) for layer in (self.q_proj, self.k_proj, self.v_proj))
        q, k, v = split_blocks(q, self.H), split_blocks(k, self.H_kv), split_blocks(v, self.H_kv)
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        T, T_k = q.shape[2], k.shape[2]
        mask = torch.ones(T, T_k, dtype=torch.bool).triu(1 + T_k - T) if is_causal else None
        heads = attend(q.unflatten(1, (self.H_kv, -1)).mean(2), k, v, mask)[0]
        return self.out_proj(merge_blocks(heads.repeat_interleave(self.H // self.H_kv, 1), 0)), k, v


def bytes_of(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=4):
    return 2 * batch_size * num_layers * num_kv_heads * seq_len * head_dim * bytes_per_value
