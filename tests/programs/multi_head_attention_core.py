# %% view_transpose: split, attend, merge, all inline
# taken
import math
import torch
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    d = D // num_heads
    q = Q.view(B, T, num_heads, d).transpose(1, 2)
    k = K.view(B, T, num_heads, d).transpose(1, 2)
    v = V.view(B, T, num_heads, d).transpose(1, 2)
    scores = q @ k.transpose(-2, -1) / math.sqrt(d)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    attn_weights = torch.softmax(scores, dim=-1)
    output = (attn_weights @ v).transpose(1, 2).contiguous().view(B, T, D)
    return output, attn_weights
# %% loop_over_heads: slices of features, cat and stack
# taken
import math
import torch
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    dh = D // num_heads
    if mask is not None:
        mask = torch.broadcast_to(mask, (B, num_heads, T, T))
    outputs, weights = [], []
    for h in range(num_heads):
        a, b = h * dh, (h + 1) * dh
        s = torch.bmm(Q[:, :, a:b], K[:, :, a:b].transpose(1, 2)) / math.sqrt(dh)
        if mask is not None:
            s = s.masked_fill(mask[:, h], -1e9)
        w = torch.softmax(s, dim=-1)
        weights.append(w)
        outputs.append(torch.bmm(w, V[:, :, a:b]))
    return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)
# %% sdpa_and_weights: output from the library, weights from a second call with identity values
# taken
import torch
import torch.nn.functional as F
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    q, k, v = (torch.stack(t.chunk(num_heads, dim=-1), dim=1) for t in (Q, K, V))
    keep = None if mask is None else torch.logical_not(mask)
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
    T = Q.shape[1]
    one_hot = torch.eye(T, dtype=Q.dtype, device=Q.device).expand(Q.shape[0], num_heads, T, T)
    weights = F.scaled_dot_product_attention(q, k, one_hot, attn_mask=keep)
    return torch.cat(out.unbind(1), dim=-1), weights
# %% library_identity: F.multi_head_attention_forward with identity projections
# taken
import torch
import torch.nn.functional as F
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    eye = torch.eye(D, dtype=Q.dtype, device=Q.device)
    if mask is not None:
        mask = mask.expand(B, num_heads, T, T).reshape(B * num_heads, T, T)
    out, w = F.multi_head_attention_forward(
        Q.transpose(0, 1), K.transpose(0, 1), V.transpose(0, 1), D, num_heads,
        None, None, None, None, False, 0.0, eye, None, training=False,
        need_weights=True, attn_mask=mask, use_separate_proj_weight=True,
        q_proj_weight=eye, k_proj_weight=eye, v_proj_weight=eye, average_attn_weights=False)
    return out.transpose(0, 1), w
# %% renormalised: softmax, masked, divided by the remaining sum
# taken
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    q, k, v = [t.view(t.size(0), t.size(1), num_heads, t.size(2) // num_heads).permute(0, 2, 1, 3) for t in (Q, K, V)]
    s = q.matmul(k.permute(0, 1, 3, 2)) / q.size(-1) ** 0.5
    att = s.softmax(dim=-1)
    if mask is not None:
        att = att.masked_fill(mask, 0.0)
        att = att / att.sum(dim=-1, keepdim=True)
    return att.matmul(v).permute(0, 2, 1, 3).reshape(Q.shape), att
# %% batch_and_heads_folded: bmm over B*H
# taken
import torch
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape; d = D // num_heads
    def fold(m):
        return m.reshape(B, T, num_heads, d).transpose(1, 2).reshape(B * num_heads, T, d)
    s = torch.baddbmm(Q.new_zeros(1), fold(Q), fold(K).mT, beta=0, alpha=d ** -0.5).view(B, num_heads, T, T)
    if mask is not None:
        s = s.masked_fill(mask, -torch.inf)
    w = s.softmax(-1)
    o = torch.bmm(w.reshape(-1, T, T), fold(V))
    return o.view(B, num_heads, T, d).transpose(1, 2).reshape(B, T, D), w
# %% einsum_without_transposes: bqhd
# taken
import torch
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    q, k, v = (m.unflatten(-1, (num_heads, -1)) for m in (Q, K, V))
    s = torch.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s + torch.zeros(mask.shape, dtype=s.dtype, device=s.device).masked_fill(mask, torch.finfo(s.dtype).min / 4)
    w = s.softmax(-1)
    return torch.einsum("bhqk,bkhd->bqhd", w, v).flatten(-2), w
# %% head_axis_added_to_flat_mask: calls unsqueeze(1) on any mask, which turns a (T, T) mask into (T, 1, T)
# refused: shown
import math
import torch
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    batch_size, seq_len, d_model = Q.shape
    d_k = d_model // num_heads
    def split(t):
        return t.reshape(batch_size, seq_len, num_heads, d_k).transpose(1, 2)
    scores = torch.matmul(split(Q), split(K).transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        if mask.dim() < 4:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask, -1e9)
    weights = scores.softmax(-1)
    context = torch.matmul(weights, split(V))
    return context.transpose(1, 2).contiguous().view(batch_size, seq_len, d_model), weights
# %% heads_share_the_scores: sums over the head letter in the einsum, so all heads get the same scores
# refused: shown
import torch
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    d = D // num_heads
    q = Q.reshape(B, T, num_heads, d)
    k = K.reshape(B, T, num_heads, d)
    v = V.reshape(B, T, num_heads, d)
    scores = torch.einsum("bqhd,bkhd->bqk", q, k) / d ** 0.5
    scores = scores.unsqueeze(1).expand(B, num_heads, T, T)
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    weights = scores.softmax(-1)
    return torch.einsum("bhqk,bkhd->bqhd", weights, v).reshape(B, T, D), weights
# %% loop_into_float32: fills new zeros head by head, so the results are float32 on the CPU
# taken, one left 2.9: casts_dtype
import math
import torch
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    d = D // num_heads
    output = torch.zeros(B, T, D)
    attn_weights = torch.zeros(B, num_heads, T, T)
    for h in range(num_heads):
        s = slice(h * d, (h + 1) * d)
        scores = Q[:, :, s] @ K[:, :, s].transpose(1, 2) / math.sqrt(d)
        if mask is not None:
            m = mask if mask.dim() == 2 else mask[:, min(h, mask.shape[1] - 1)]
            scores = scores.masked_fill(m, float("-inf"))
        w = torch.softmax(scores, dim=-1)
        attn_weights[:, h] = w
        output[:, :, s] = w @ V[:, :, s]
    return output, attn_weights
# %% softmax_heads: softmax over heads and scale d_model
# refused: shown
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    q, k, v = (m.reshape(B, T, num_heads, -1).transpose(1, 2) for m in (Q, K, V))
    s = q @ k.mT / D ** 0.5
    if mask is not None: s = s.masked_fill(mask, -1e9)
    w = s.softmax(1)
    return (w @ v).transpose(1, 2).reshape(B, T, D), w
# %% strangers_2026_11/program_1
# taken
import math
import torch
import torch.nn.functional as F
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    q = Q.reshape(B, T, num_heads, -1)
    k = K.reshape(B, T, num_heads, -1)
    v = V.reshape(B, T, num_heads, -1)
    att = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(D // num_heads)
    if mask is not None:
        att = torch.where(mask, float("-inf"), att)
    att = F.softmax(att, dim=-1)
    return torch.einsum("bhij,bjhd->bihd", att, v).reshape(B, T, D), att
# %% strangers_2026_11/single_1: the scale is taken from d_model, before the split
# refused: scale_d_model
import math
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    scale = Q.shape[-1] ** -0.5
    q, k, v = (split_heads(t, num_heads) for t in (Q, K, V))
    scores = q @ k.mT * scale
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    weights = scores.softmax(-1)
    return merge_heads(weights @ v), weights
# %% strangers_2026_11/single_2: the weights that are returned are the mean over the heads
# refused: averaged_over_axis
import math
import torch
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights

def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    heads, weights = scaled_dot_product_attention(
        split_heads(Q, num_heads), split_heads(K, num_heads), split_heads(V, num_heads), mask)
    return merge_heads(heads), weights.mean(dim=1, keepdim=True).expand_as(weights)
# %% strangers_2026_11/crash_3: line `out.transpose(1, 2).view(B, T, D)`: view of a non-contiguous tensor
# refused: view_noncontiguous
import math
import torch.nn.functional as F
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    q, k, v = [split_heads(z, num_heads) for z in (Q, K, V)]
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    if mask is not None:
        att = att.masked_fill(mask, float("-inf"))
    att = F.softmax(att, dim=-1)
    out = att @ v
    return out.transpose(1, 2).view(B, T, D), att
