"""Right answers to `multi_head_attention_core`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% view_transpose: split, attend, merge, all inline
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
# %% helpers: three helper functions
def to_heads(x, h):
    return x.reshape(*x.shape[:2], h, -1).permute(0, 2, 1, 3)

def from_heads(x):
    return x.permute(0, 2, 1, 3).flatten(2)

def attend(q, k, v, mask):
    s = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        s = torch.where(mask, float("-inf"), s)
    a = F.softmax(s, dim=-1)
    return a @ v, a

def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    out, att = attend(to_heads(Q, num_heads), to_heads(K, num_heads), to_heads(V, num_heads), mask)
    return from_heads(out), att
# %% einsum: the head axis stays where it is
def multi_head_attention_core(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, num_heads: int, mask=None):
    if Q.shape[-1] % num_heads:
        raise ValueError("num_heads must divide the width")
    q, k, v = (t.unflatten(-1, (num_heads, -1)) for t in (Q, K, V))
    logits = torch.einsum("bihd,bjhd->bhij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        logits = logits + torch.zeros_like(mask, dtype=logits.dtype).masked_fill(mask, -torch.inf)
    p = logits.softmax(dim=-1)
    return torch.einsum("bhij,bjhd->bihd", p, v).flatten(2), p
# %% loop_over_heads: slices of features, cat and stack
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
# %% loop_over_batch_and_heads: two loops over plain matrices, shapes asserted
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    assert D % num_heads == 0, "D must be a multiple of num_heads"
    assert K.shape == Q.shape and V.shape == Q.shape
    dk = D // num_heads
    all_out, all_w = [], []
    for b in range(B):
        out_b, w_b = [], []
        for q, k, v, h in zip(Q[b].split(dk, -1), K[b].split(dk, -1), V[b].split(dk, -1), range(num_heads)):
            s = q.mm(k.t()) / dk ** 0.5
            if mask is not None:
                s = s.masked_fill(mask.expand(B, num_heads, T, T)[b, h], float("-inf"))
            w = s.softmax(-1)
            out_b.append(w.mm(v))
            w_b.append(w)
        all_out.append(torch.cat(out_b, 1))
        all_w.append(torch.stack(w_b))
    return torch.stack(all_out), torch.stack(all_w)
# %% folded_baddbmm: batch and heads folded; the mask enters as baddbmm's bias
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    d = D // num_heads
    def fold(t):
        return t.reshape(B, T, num_heads, d).transpose(1, 2).reshape(B * num_heads, T, d)
    q, k, v = fold(Q), fold(K), fold(V)
    bias = torch.zeros(B, num_heads, T, T, dtype=Q.dtype, device=Q.device)
    if mask is not None:
        bias = bias.masked_fill(mask, float("-inf"))
    s = torch.baddbmm(bias.view(-1, T, T), q, k.transpose(1, 2), alpha=d ** -0.5)
    w = torch.softmax(s, dim=-1)
    o = torch.bmm(w, v).view(B, num_heads, T, d).transpose(1, 2).reshape(B, T, D)
    return o, w.view(B, num_heads, T, T)
# %% sdpa_and_weights: output from the library, weights from a second call with identity values
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    q, k, v = (torch.stack(t.chunk(num_heads, dim=-1), dim=1) for t in (Q, K, V))
    keep = None if mask is None else torch.logical_not(mask)
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
    T = Q.shape[1]
    one_hot = torch.eye(T, dtype=Q.dtype, device=Q.device).expand(Q.shape[0], num_heads, T, T)
    weights = F.scaled_dot_product_attention(q, k, one_hot, attn_mask=keep)
    return torch.cat(out.unbind(1), dim=-1), weights
# %% library_identity: F.multi_head_attention_forward with identity projections
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
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    q, k, v = [t.view(t.size(0), t.size(1), num_heads, t.size(2) // num_heads).permute(0, 2, 1, 3) for t in (Q, K, V)]
    s = q.matmul(k.permute(0, 1, 3, 2)) / q.size(-1) ** 0.5
    att = s.softmax(dim=-1)
    if mask is not None:
        att = att.masked_fill(mask, 0.0)
        att = att / att.sum(dim=-1, keepdim=True)
    return att.matmul(v).permute(0, 2, 1, 3).reshape(Q.shape), att
# %% class_inside: a small class does the work, float32 softmax cast back; a print and a warning
import math
import warnings
import torch
import torch.nn.functional as F

class Core:
    def __init__(self, num_heads):
        self.num_heads = num_heads

    def split(self, x):
        return x.unflatten(2, (self.num_heads, x.shape[2] // self.num_heads)).swapaxes(1, 2)

    def __call__(self, q, k, v, mask):
        q, k, v = self.split(q), self.split(k), self.split(v)
        s = torch.matmul(q / math.sqrt(q.shape[-1]), k.swapaxes(2, 3))
        if mask is None:
            warnings.warn("no mask: every token sees every token")
        else:
            s = s.masked_fill(mask, torch.finfo(s.dtype).min)
        w = F.softmax(s if s.dtype == torch.float64 else s.float(), dim=-1).to(v.dtype)
        print("weights", tuple(w.shape))
        return torch.matmul(w, v).swapaxes(1, 2).flatten(2), w

def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    return Core(num_heads)(Q, K, V, mask)
# %% loop_over_heads_again: chunked, masks indexed
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    outs, ws = [], []
    B, T, D = Q.shape
    full = None if mask is None else mask.expand(B, num_heads, T, T)
    for h, (q, k, v) in enumerate(zip(Q.chunk(num_heads, -1), K.chunk(num_heads, -1), V.chunk(num_heads, -1))):
        s = torch.bmm(q, k.transpose(1, 2)) / q.shape[-1] ** 0.5
        if full is not None:
            s = s.masked_fill(full[:, h], float("-inf"))
        w = torch.softmax(s, -1)
        outs.append(torch.bmm(w, v)); ws.append(w)
    return torch.cat(outs, -1), torch.stack(ws, 1)
# %% batch_and_heads_folded: bmm over B*H
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
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    q, k, v = (m.unflatten(-1, (num_heads, -1)) for m in (Q, K, V))
    s = torch.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s + torch.zeros(mask.shape, dtype=s.dtype, device=s.device).masked_fill(mask, torch.finfo(s.dtype).min / 4)
    w = s.softmax(-1)
    return torch.einsum("bhqk,bkhd->bqhd", w, v).flatten(-2), w
