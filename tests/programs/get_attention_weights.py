# %% line_by_line: project, split, scores, mask, softmax
# taken
import math
import torch
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    d = D // num_heads
    q = (x @ W_q).view(B, T, num_heads, d).transpose(1, 2)
    k = (x @ W_k).view(B, T, num_heads, d).transpose(1, 2)
    scores = q @ k.transpose(-2, -1) / math.sqrt(d)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    return torch.softmax(scores, dim=-1)
# %% loop_over_heads: columns of the weights, stacked; -1e9
# taken
import torch
import torch.nn.functional as F
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    size = D // num_heads
    full = None if mask is None else mask.expand(B, num_heads, T, T)
    maps = []
    for h in range(num_heads):
        q = x @ W_q[:, h * size:(h + 1) * size]
        k = x @ W_k[:, h * size:(h + 1) * size]
        s = torch.bmm(q, k.transpose(1, 2)) / size ** 0.5
        if full is not None:
            s = s.masked_fill(full[:, h], -1e9)
        maps.append(F.softmax(s, dim=-1))
    return torch.stack(maps, dim=1)
# %% additive_by_hand: minus infinity added, exp and sum, Q scaled first
# taken
import math
from typing import Optional
import torch
from torch import Tensor

def get_attention_weights(x: Tensor, W_q: Tensor, W_k: Tensor, num_heads: int, mask: Optional[Tensor] = None) -> Tensor:
    assert x.shape[-1] % num_heads == 0
    def heads(M):
        return M.reshape(*M.shape[:2], num_heads, -1).permute(0, 2, 1, 3)
    q = heads(x.matmul(W_q)) / math.sqrt(x.shape[-1] // num_heads)
    s = q.matmul(heads(x.matmul(W_k)).mT)
    if mask is not None:
        s = s + torch.zeros_like(mask, dtype=s.dtype).masked_fill(mask, float("-inf"))
    e = torch.exp(s - s.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)
# %% fused_and_folded: one product, batch and heads folded, finfo fill
# taken
import torch
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    b, t, c = x.shape
    qk = (x @ torch.cat([W_q, W_k], dim=1)).view(b, t, 2, num_heads, c // num_heads)
    q, k = qk.permute(2, 0, 3, 1, 4).reshape(2, b * num_heads, t, c // num_heads)
    s = torch.bmm(q, k.transpose(1, 2)).view(b, num_heads, t, t) * (c // num_heads) ** -0.5
    if mask is not None:
        s = s.masked_fill(mask, torch.finfo(s.dtype).min)
    return torch.softmax(s, dim=3)
# %% sdpa_identity: the library with the identity as values
# taken
import torch
import torch.nn.functional as F
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    q = torch.stack((x @ W_q).chunk(num_heads, -1), dim=1)
    k = torch.stack((x @ W_k).chunk(num_heads, -1), dim=1)
    eye = torch.eye(x.shape[1], dtype=x.dtype, device=x.device)
    return F.scaled_dot_product_attention(q, k, eye.expand(x.shape[0], num_heads, -1, -1),
                                          attn_mask=None if mask is None else ~mask)
# %% renormalised: mask after the softmax, divided by what is left
# taken
import torch
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    q, k = (torch.matmul(x, W).unflatten(2, (num_heads, -1)).movedim(2, 1) for W in (W_q, W_k))
    p = torch.softmax(torch.matmul(q, k.mT) / q.size(-1) ** 0.5, dim=-1)
    if mask is not None:
        p = p * mask.logical_not()
        p = p / p.sum(dim=-1, keepdim=True)
    return p
# %% pairs_in_loops: loops over examples and heads, float32 softmax cast back; a print and a warning
# taken
import math
import warnings
import torch
import torch.nn.functional as F

def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("num_heads must divide D")
    if mask is None:
        warnings.warn("no mask given")
        mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    mask = torch.broadcast_to(mask, (B, num_heads, T, T))
    up = torch.promote_types(x.dtype, torch.float32)
    all_maps = []
    for b in range(B):
        qs = torch.tensor_split(x[b] @ W_q, num_heads, dim=-1)
        ks = torch.tensor_split(x[b] @ W_k, num_heads, dim=-1)
        maps = [F.softmax((q @ k.T / math.sqrt(D // num_heads)).masked_fill(m, -math.inf), dim=-1, dtype=up)
                for q, k, m in zip(qs, ks, mask[b])]
        all_maps.append(torch.stack(maps))
    print("examples", B)
    return torch.stack(all_maps).to(x.dtype)
# %% hf_float32_softmax: softmax(dtype=torch.float32).to(dtype), as Hugging Face writes it
# taken
import torch
from torch import nn
def att(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / torch.sqrt(torch.tensor(q.size(-1)))
    if mask is not None:
        s = s.masked_fill(mask, torch.finfo(s.dtype).min)
    w = nn.functional.softmax(s, dim=-1, dtype=torch.float32).to(q.dtype)
    return w @ v, w
def cut(t, h): return t.unflatten(-1, (h, -1)).transpose(1, 2)
def up(T, S, dev): return torch.ones(T, S, dtype=torch.bool, device=dev).triu(S - T + 1)
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    return att(cut(x @ W_q, num_heads), cut(x @ W_k, num_heads), cut(x, num_heads), mask)[1]
# %% einsum_per_head: weights cut by head
# taken
import torch
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    q, k = (torch.einsum("btd,dhe->bhte", x, W.reshape(W.shape[0], num_heads, -1)) for W in (W_q, W_k))
    s = torch.einsum("bhqe,bhke->bhqk", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        s = torch.where(mask, float("-inf"), s)
    return s.softmax(-1)
# %% loop_with_bilinear_form: x W_q W_k^T x^T per head
# taken
import torch
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    d = x.shape[-1] // num_heads
    tables = []
    for h in range(num_heads):
        cols = slice(h * d, (h + 1) * d)
        tables.append(x @ (W_q[:, cols] @ W_k[:, cols].T) @ x.mT * d ** -0.5)
    scores = torch.stack(tables, dim=1)
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return torch.exp(torch.log_softmax(scores, dim=-1))
# %% sdpa_with_identity_values: weights read out of F.scaled_dot_product_attention
# taken
import torch
import torch.nn.functional as F
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    q, k = ((x @ W).view(B, T, num_heads, D // num_heads).transpose(1, 2) for W in (W_q, W_k))
    eye = torch.eye(T, dtype=x.dtype, device=x.device).expand(B, num_heads, T, T)
    return F.scaled_dot_product_attention(q, k, eye, attn_mask=None if mask is None else mask.logical_not())
# %% key_weight_transposed: multiplies by W_k.T as a Linear layer would
# refused: shown
import math
import torch
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    d = D // num_heads
    q = (x @ W_q).view(B, T, num_heads, d).transpose(1, 2)
    k = (x @ W_k.T).view(B, T, num_heads, d).transpose(1, 2)
    scores = q @ k.transpose(-2, -1) / math.sqrt(d)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    return torch.softmax(scores, dim=-1)
# %% scores_returned: returns the masked scores and forgets the softmax
# refused: no_softmax
import torch
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    d_head = D // num_heads
    q = (x @ W_q).reshape(B, T, num_heads, d_head)
    k = (x @ W_k).reshape(B, T, num_heads, d_head)
    attn = torch.einsum("bihd,bjhd->bhij", q, k) / d_head ** 0.5
    if mask is not None:
        attn = attn.masked_fill(mask, -1e9)
    return attn
# %% only_for_looking: works under no_grad because the weights are only drawn, so no gradient comes back
# taken, one left 1.933: detached
import math
import torch
@torch.no_grad()
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    q, k = x @ W_q, x @ W_k
    q = torch.stack(q.chunk(num_heads, dim=-1), dim=1)
    k = torch.stack(k.chunk(num_heads, dim=-1), dim=1)
    s = q @ k.mT / math.sqrt(D // num_heads)
    if mask is not None:
        s = s.masked_fill(mask, -torch.inf)
    return s.softmax(-1)
# %% full_width_scale_heads_last: two mistakes, the scale uses d_model and the heads come back as the last axis
# refused: shown
import torch
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    q = (x @ W_q).reshape(B, T, num_heads, -1)
    k = (x @ W_k).reshape(B, T, num_heads, -1)
    s = torch.einsum("bqhd,bkhd->bhqk", q, k) / D ** 0.5
    if mask is not None:
        s = s.masked_fill(mask, -1e9)
    return s.softmax(-1).permute(0, 2, 3, 1)
# %% no_scale_view: no scale, heads by view
# refused: shown
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    q, k = ((x @ W).view(B, num_heads, T, -1) for W in (W_q, W_k))
    s = q @ k.mT
    if mask is not None: s = s.masked_fill(mask, float('-inf'))
    return s.softmax(-1)
# %% strangers_2026_11/program_1
# taken
import math
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    d = D // num_heads
    q = (x @ W_q).view(B, T, num_heads, d).transpose(1, 2)
    k = (x @ W_k).view(B, T, num_heads, d).transpose(1, 2)
    s = q @ k.transpose(-2, -1) / math.sqrt(d)
    if mask is not None:
        s = s.masked_fill(mask, -math.inf)
    return s.softmax(-1)
# %% strangers_2026_11/program_2
# taken
import torch
import torch.nn.functional as F
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    d = x.shape[-1] // num_heads
    tables = []
    for h in range(num_heads):
        cols = slice(h * d, (h + 1) * d)
        s = (x @ W_q[:, cols]) @ (x @ W_k[:, cols]).mT * d ** -0.5
        tables.append(s)
    scores = torch.stack(tables, dim=1)
    if mask is not None:
        scores = torch.where(mask, torch.full_like(scores, float("-inf")), scores)
    return F.softmax(scores, dim=-1)
# %% strangers_2026_11/single_1: the weights are averaged over the heads, as nn.MultiheadAttention does by default
# refused: weights_averaged
import math
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    q, k = split_heads(x @ W_q, num_heads), split_heads(x @ W_k, num_heads)
    s = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(mask, -math.inf)
    return s.softmax(-1).mean(dim=1)
# %% strangers_2026_11/single_2: W.T instead of W (F.linear), as if the matrices were weights of nn.Linear
# refused: weights_transposed
import math
import torch
import torch.nn.functional as F
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    q = split_heads(F.linear(x, W_q), num_heads)
    k = split_heads(F.linear(x, W_k), num_heads)
    att = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(q.size(-1))
    if mask is not None:
        att = att.masked_fill(mask, float("-inf"))
    return torch.softmax(att, dim=3)
# %% strangers_2026_11/crash_3: line `s.masked_fill(mask, ...)`: mask is None when none is given
# refused: none_not_treated
import math
import torch
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    q, k = (split_heads(x @ W, num_heads) for W in (W_q, W_k))
    s = torch.einsum("bhid,bhjd->bhij", q, k) / q.shape[-1] ** 0.5
    s = s.masked_fill(mask, -math.inf)
    return s.softmax(dim=-1)
