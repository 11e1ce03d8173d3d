# %% line_by_line: scores, mask, softmax, product
# taken
import math
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    d_head = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
# %% einsum: einsum with an ellipsis, Q scaled first
# taken
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    sim = torch.einsum("...id,...jd->...ij", Q * Q.shape[-1] ** -0.5, K)
    if mask is not None:
        sim = torch.where(mask, -torch.inf, sim)
    attn = sim.softmax(-1)
    out = torch.einsum("...ij,...jd->...id", attn, V)
    return out, attn
# %% additive: minus infinity added
# taken
import torch
import torch.nn.functional as F
def scaled_dot_product_attention(query, key, value, mask=None):
    logits = torch.matmul(query, key.mT) * (1.0 / query.size(-1) ** 0.5)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=logits.dtype, device=logits.device)
        bias.masked_fill_(mask, float("-inf"))
        logits = logits + bias
    probs = F.softmax(logits, dim=-1)
    return torch.matmul(probs, value), probs
# %% by_hand: exp, mask by multiplication, divide by the sum (renormalised)
# taken
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1)
    scores = scores / torch.sqrt(torch.tensor(Q.shape[-1], dtype=scores.dtype, device=scores.device))
    if mask is not None:
        top = scores.masked_fill(mask, torch.finfo(scores.dtype).min).max(dim=-1, keepdim=True).values
    else:
        top = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(torch.minimum(scores - top, torch.zeros_like(scores)))
    if mask is not None:
        e = e * (mask == 0)
    w = e / e.sum(dim=-1, keepdim=True)
    return w @ V, w
# %% library_and_weights: the output from the library, the weights beside it
# taken
import math
import torch
import torch.nn.functional as F
def scaled_dot_product_attention(Q, K, V, mask=None):
    allowed = None if mask is None else ~mask
    out = F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed)
    s = (Q / math.sqrt(Q.size(-1))).matmul(K.transpose(-2, -1))
    if mask is not None:
        s = s.masked_fill(mask, torch.finfo(s.dtype).min)
    return out, torch.softmax(s, dim=-1)
# %% query_loop: a loop over queries; a print left in
# taken
import math
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    rows_out, rows_w = [], []
    full_mask = None if mask is None else mask.expand(*Q.shape[:-1], K.shape[-2])
    print("queries:", Q.shape[-2], "keys:", K.shape[-2])
    for i in range(Q.shape[-2]):
        s = (K * Q[..., i:i + 1, :]).sum(dim=-1) / math.sqrt(Q.shape[-1])
        if full_mask is not None:
            s = s.masked_fill(full_mask[..., i, :], -math.inf)
        w = torch.softmax(s, dim=-1)
        rows_w.append(w)
        rows_out.append((w.unsqueeze(-1) * V).sum(dim=-2))
    return torch.stack(rows_out, dim=-2), torch.stack(rows_w, dim=-2)
# %% float32_softmax: softmax in at least float32, cast back, keyword dictionary for the scale
# taken
import numpy as np
import torch
import torch.nn.functional as F
def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = 1.0 / float(np.sqrt(Q.shape[-1]))
    att = (Q @ K.transpose(-2, -1)) * scale
    if mask is not None:
        att = att.masked_fill(mask == 1, float("-inf"))
    up = torch.promote_types(att.dtype, torch.float32)
    att = F.softmax(att, dim=-1, dtype=up).to(Q.dtype)
    return att @ V, att
# %% logsumexp_weights: log weights by logsumexp
# taken
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    wide = torch.promote_types(Q.dtype, torch.float32)
    s = torch.matmul(Q, K.transpose(-2, -1)).to(wide) / Q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(mask, float("-inf"))
    w = (s - s.logsumexp(dim=-1, keepdim=True)).exp().type_as(Q)
    return torch.matmul(w, V), w
# %% namedtuple_cdist_free: scores from squared distances, the result a named tuple
# taken
from collections import namedtuple
import torch

Attended = namedtuple("Attended", "output weights")

def scaled_dot_product_attention(Q, K, V, mask=None):
    q2 = Q.square().sum(-1, keepdim=True)
    k2 = K.square().sum(-1, keepdim=True).transpose(-2, -1)
    d2 = (Q.unsqueeze(-2) - K.unsqueeze(-3)).square().sum(-1)
    scores = (q2 + k2 - d2) / 2 / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(-1)
    return Attended(weights @ V, weights)
# %% d2l_module: an instance of an nn.Module that is called like a function
# taken
import math
import torch
from torch import nn
class DotProductAttention(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, mask=None):
        scores = torch.matmul(queries, keys.transpose(-2, -1)) / math.sqrt(queries.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, -1e6)
        self.attention_weights = nn.functional.softmax(scores, dim=-1)
        return torch.matmul(self.dropout(self.attention_weights), values), self.attention_weights

scaled_dot_product_attention = DotProductAttention()
# %% torch_s_own_twice: F.sdpa, weights read out with V = identity
# taken
import torch
import torch.nn.functional as F
def scaled_dot_product_attention(Q, K, V, mask=None):
    keep = None if mask is None else ~mask
    out = F.scaled_dot_product_attention(Q, K, V, attn_mask=keep)
    T_k = K.shape[-2]
    eye = torch.eye(T_k, dtype=V.dtype, device=V.device).expand(*V.shape[:-2], T_k, T_k)
    return out, F.scaled_dot_product_attention(Q, K, eye, attn_mask=keep)
# %% einsum_with_additive: additive mask, einsum with ellipsis
# taken
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * Q.size(-1) ** -0.5
    if mask is not None:
        scores = scores + torch.zeros_like(mask, dtype=scores.dtype).masked_fill(mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    return torch.einsum("...qk,...kd->...qd", weights, V), weights
# %% after_softmax_with_renormalising: exact
# taken
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    s = torch.matmul(Q, K.mT) / torch.tensor(Q.shape[-1], dtype=Q.dtype, device=Q.device).sqrt()
    if mask is None:
        mask = torch.zeros((), dtype=torch.bool, device=Q.device)
    s = s - s.masked_fill(mask, -torch.inf).amax(-1, keepdim=True)
    e = torch.where(mask, torch.zeros_like(s), s.masked_fill(mask, 0).exp())
    w = e / e.sum(-1, keepdim=True)
    return w @ V, w
# %% softmax_on_axis_1: normalises over axis 1, which is the keys only for a single pair of matrices
# refused: softmax_over_heads
import torch
import torch.nn.functional as F
def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / d ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    attn = F.softmax(scores, dim=1)
    return torch.matmul(attn, V), attn
# %% keys_transposed_by_position: transposes axes 1 and 2 of the keys, which fits three axes but not four
# refused: shown
import math
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    if K.dim() == 2:
        K_t = K.T
    else:
        K_t = K.transpose(1, 2)
    scores = Q @ K_t / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, float("-inf"), scores)
    A = torch.softmax(scores, -1)
    return A @ V, A
# %% mask_becomes_float32: adds mask.float() * -1e9, which turns bfloat16 scores into float32
# taken, one left 2.91: casts_dtype
import math
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-1, -2)) / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores + mask.float() * -1e9
    weights = torch.softmax(scores, dim=-1)
    output = weights.to(V.dtype) @ V
    return output, weights
# %% no_mask_for_one_query: thinks that a single query has nothing to hide
# refused, 2.91: shown
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None and Q.shape[-2] > 1:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
# %% mask_for_four_axes_only: applies the mask only to inputs of four axes
# refused, 2.91: ignores_argument; seeds 20260720, 11, 3 refused, 2.91: shown
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None and scores.dim() == 4:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
# %% no_scale_inverted: no scale and inverted mask
# refused: not_scaled
def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.mT
    if mask is not None: s = s.masked_fill(~mask, float('-inf'))
    w = s.softmax(-1)
    return w @ V, w
# %% four_axes: unpacks exactly four axes, crash otherwise
# refused, 2.82: not_enough_values
def scaled_dot_product_attention(Q, K, V, mask=None):
    B, H, T, d = Q.shape
    s = Q @ K.mT / d ** 0.5
    if mask is not None: s = s.masked_fill(mask, float('-inf'))
    w = s.softmax(-1)
    return w @ V, w
# %% any_table_is_causal: takes every mask of two axes for the causal one
# refused, 2.91: ignores_argument; seeds 20260720, 3 refused, 2.91: shown; seed 11 taken
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None and mask.dim() == 2:
        mask = torch.ones(Q.shape[-2], K.shape[-2], dtype=torch.bool, device=Q.device).triu(1)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(-1)
    return weights @ V, weights
# %% first_mask_for_all: every head and every query gets the mask of the first
# refused, 2.91: shown
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask[:, :1, :1] if mask.dim() == 4 else mask, float("-inf"))
    weights = scores.softmax(-1)
    return weights @ V, weights
# %% power_first: ** binds before /, so the scores are divided by d and by 2
# refused: scale_power_first
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / Q.shape[-1] ** 1 / 2
    weights = torch.softmax(scores if mask is None else scores.masked_fill(mask, -torch.inf), -1)
    return weights @ V, weights
# %% strangers_2026_11/program_1
# taken
import math
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(-1)
    return weights @ V, weights
# %% strangers_2026_11/program_2
# taken
import math
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...id,...jd->...ij", Q * Q.shape[-1] ** -0.5, K)
    if mask is not None:
        logits = logits + torch.zeros(mask.shape, dtype=Q.dtype, device=Q.device).masked_fill(mask, -math.inf)
    logits = logits - logits.amax(-1, keepdim=True)
    p = logits.exp()
    p = p / p.sum(-1, keepdim=True)
    return torch.einsum("...ij,...jd->...id", p, V), p
# %% strangers_2026_11/single_1: the mask is read as True = may attend, as SDPA reads it
# refused: mask_inverted
import math
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e30)
    p_attn = scores.softmax(dim=-1)
    return torch.matmul(p_attn, V), p_attn
# %% strangers_2026_11/single_2: divided by the root of the number of keys instead of d_head
# refused: scale_seq_len
import math
import torch.nn.functional as F
def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.mT / math.sqrt(K.shape[-2])
    if mask is not None:
        s.masked_fill_(mask, -math.inf)
    w = F.softmax(s, -1)
    return w @ V, w
# %% strangers_2026_11/crash_3: line `if mask:`: the truth value of a tensor with several elements is ambiguous
# refused: truth_value
import math
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-1, -2)) * (1 / math.sqrt(Q.shape[-1]))
    if mask:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, V), weights
# %% blind_2026_11_29/t_swapped_return_notmask: returns (weights, output) AND masks where mask is False
# refused: results_exchanged
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights, weights @ V
