"""Wrong answers for scaled_dot_product_attention, one mistake a cell unless it says two."""

# %% scaled_by_number_of_keys: takes the size of axis -2 of K for the scale, which counts the keys
import math
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = K.shape[-2]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights

# %% softmax_on_axis_1: normalises over axis 1, which is the keys only for a single pair of matrices
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

# %% fill_of_minus_thousand: fills with -1000, which beats real scores that stand lower than that
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -1e3)
    w = scores.softmax(dim=-1)
    return torch.einsum("...qk,...kd->...qd", w, V), w

# %% zero_means_masked: reads the mask in the other dialect, where 0 marks what is forbidden
import math
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    return torch.matmul(p_attn, V), p_attn

# %% mask_becomes_float32: adds mask.float() * -1e9, which turns bfloat16 scores into float32
import math
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-1, -2)) / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores + mask.float() * -1e9
    weights = torch.softmax(scores, dim=-1)
    output = weights.to(V.dtype) @ V
    return output, weights

# %% second_result_without_mask: applies the mask for the output but returns the weights computed before it
import math
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    attn_weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        masked = scores.masked_fill(mask, float("-inf"))
        output = torch.softmax(masked, dim=-1) @ V
    else:
        output = attn_weights @ V
    return output, attn_weights

# %% scaled_in_place_and_zero_filled: two mistakes, Q is divided in place and masked scores become 0 rather than -inf
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    Q /= Q.shape[-1] ** 0.5
    scores = Q @ K.transpose(-2, -1)
    if mask is not None:
        scores = scores * (~mask)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights

# %% no_mask_for_one_query: thinks that a single query has nothing to hide
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None and Q.shape[-2] > 1:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights

# %% mask_for_four_axes_only: applies the mask only to inputs of four axes
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None and scores.dim() == 4:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights

# %% no_scale_inverted: no scale and inverted mask
def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.mT
    if mask is not None: s = s.masked_fill(~mask, float('-inf'))
    w = s.softmax(-1)
    return w @ V, w

# %% four_axes: unpacks exactly four axes, crash otherwise
def scaled_dot_product_attention(Q, K, V, mask=None):
    B, H, T, d = Q.shape
    s = Q @ K.mT / d ** 0.5
    if mask is not None: s = s.masked_fill(mask, float('-inf'))
    w = s.softmax(-1)
    return w @ V, w

# %% kt: K.T, which turns all axes around
def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.T / Q.shape[-1] ** 0.5
    if mask is not None: s = s.masked_fill(mask, float('-inf'))
    w = s.softmax(-1)
    return w @ V, w

# %% any_table_is_causal: takes every mask of two axes for the causal one
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
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask[:, :1, :1] if mask.dim() == 4 else mask, float("-inf"))
    weights = scores.softmax(-1)
    return weights @ V, weights
