# %% line_by_line: view and transpose
# taken
import math
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d_head = D // num_heads
    Q = (X @ W_Q).view(B, T, num_heads, d_head).transpose(1, 2)
    K = (X @ W_K).view(B, T, num_heads, d_head).transpose(1, 2)
    V = (X @ W_V).view(B, T, num_heads, d_head).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    mask = torch.triu(torch.ones(T, T, device=X.device), diagonal=1).bool()
    weights = torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
    Y = (weights @ V).transpose(1, 2).reshape(B, T, D) @ W_O
    return Y, weights
# %% einsum: einsum throughout
# taken
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    T = X.shape[1]
    q, k, v = (torch.einsum("btd,de->bte", X, W).unflatten(-1, (num_heads, -1)) for W in (W_Q, W_K, W_V))
    sim = torch.einsum("bihe,bjhe->bhij", q * q.shape[-1] ** -0.5, k)
    i = torch.arange(T, device=X.device)
    sim = torch.where(i[:, None] >= i[None, :], sim, -torch.inf)
    w = sim.softmax(dim=-1)
    z = torch.einsum("bhij,bjhe->bihe", w, v).flatten(2)
    return torch.einsum("btd,de->bte", z, W_O), w
# %% loop_over_heads: slices of the projections
# taken
import torch
import torch.nn.functional as F
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    q_all, k_all, v_all = X.matmul(W_Q), X.matmul(W_K), X.matmul(W_V)
    size = X.shape[-1] // num_heads
    tril = torch.tril(torch.ones(X.shape[1], X.shape[1], device=X.device))
    zs, ws = [], []
    for h in range(num_heads):
        q = q_all[..., h * size:(h + 1) * size]
        k = k_all[..., h * size:(h + 1) * size]
        v = v_all[..., h * size:(h + 1) * size]
        wei = q @ k.transpose(-2, -1) * size ** -0.5
        wei = wei.masked_fill(tril == 0, float("-inf"))
        wei = F.softmax(wei, dim=-1)
        ws.append(wei)
        zs.append(wei @ v)
    return torch.cat(zs, dim=-1) @ W_O, torch.stack(ws, dim=1)
# %% fused_and_folded: one product for Q, K, V; batch and heads folded; -1e9
# taken
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    b, t, c = X.shape
    qkv = torch.matmul(X, torch.cat((W_Q, W_K, W_V), dim=-1))
    q, k, v = [m.reshape(b, t, num_heads, c // num_heads).transpose(1, 2).reshape(b * num_heads, t, -1) for m in qkv.chunk(3, dim=-1)]
    scores = torch.baddbmm(torch.zeros(1, 1, 1, dtype=X.dtype, device=X.device), q, k.mT, beta=0, alpha=(c // num_heads) ** -0.5)
    future = torch.ones(t, t, dtype=torch.bool, device=X.device).triu(1)
    scores.masked_fill_(future, -1e9)
    att = scores.softmax(dim=-1)
    y = torch.bmm(att, v).view(b, num_heads, t, -1).transpose(1, 2).flatten(2)
    return y @ W_O, att.view(b, num_heads, t, t)
# %% library_output: the library's output, the weights from masked scores by hand; asserts
# taken
import math
import torch
import torch.nn.functional as F
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    assert D % num_heads == 0
    def heads(y):
        return y.view(B, T, num_heads, -1).transpose(1, 2)
    q, k, v = heads(F.linear(X, W_Q.T)), heads(F.linear(X, W_K.T)), heads(F.linear(X, W_V.T))
    z = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    s = q @ k.mT / math.sqrt(D // num_heads)
    s = s.masked_fill(~torch.ones_like(s, dtype=torch.bool).tril(), torch.finfo(s.dtype).min)
    w = torch.exp(s - s.amax(dim=-1, keepdim=True))
    w = w / w.sum(dim=-1, keepdim=True)
    assert w.shape == (B, num_heads, T, T)
    return F.linear(z.transpose(1, 2).flatten(2), W_O.T), w
# %% library_function: F.multi_head_attention_forward, weights per head
# taken
import torch
import torch.nn.functional as F
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    if X.shape[2] % num_heads != 0:
        raise ValueError("D must be divisible by num_heads")
    x = X.transpose(0, 1)
    mask = torch.ones(X.shape[1], X.shape[1], dtype=torch.bool, device=X.device).triu(diagonal=1)
    y, w = F.multi_head_attention_forward(
        x, x, x, X.shape[2], num_heads, None, None, None, None, False, 0.0, W_O.t(), None, False,
        attn_mask=mask, use_separate_proj_weight=True, q_proj_weight=W_Q.t(), k_proj_weight=W_K.t(),
        v_proj_weight=W_V.t(), average_attn_weights=False)
    return y.transpose(0, 1), w
# %% renormalised_heads: weights cut per head, softmax, tril, divided by row sums; a print left in
# taken
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    per_head = lambda W: torch.stack(W.tensor_split(num_heads, dim=1))
    wq, wk, wv = per_head(W_Q), per_head(W_K), per_head(W_V)
    x = X.unsqueeze(1)
    q, k, v = x @ wq, x @ wk, x @ wv
    print("q", tuple(q.shape))
    p = (q @ k.transpose(2, 3) / q.size(-1) ** 0.5).softmax(-1)
    p = torch.tril(p)
    p = p / p.sum(-1, keepdim=True)
    per_head_out = torch.stack(W_O.tensor_split(num_heads, dim=0))
    return ((p @ v) @ per_head_out).sum(dim=1), p
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
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    y, w = att(*(cut(X @ W, num_heads) for W in (W_Q, W_K, W_V)), up(X.shape[1], X.shape[1], X.device))
    return y.transpose(1, 2).flatten(2) @ W_O, w
# %% fused_tensordot: stacked weights
# taken
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    q, k, v = torch.einsum("btd,ndhe->nbhte", X, torch.stack((W_Q, W_K, W_V)).view(3, D, num_heads, d))
    i = torch.arange(T, device=X.device)
    s = torch.where(i[None, :] > i[:, None], -torch.inf, torch.einsum("bhqe,bhke->bhqk", q, k) / d ** 0.5)
    w = s.softmax(-1)
    return torch.einsum("bhqk,bhke,hef->bqf", w, v, W_O.view(num_heads, d, D)), w
# %% vmap_over_the_batch: single sequence inside
# taken
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    def one(x):
        T, D = x.shape
        q, k, v = (torch.stack((x @ W).chunk(num_heads, -1)) for W in (W_Q, W_K, W_V))
        late = torch.ones(T, T, device=x.device, dtype=torch.bool).triu(1)
        w = torch.softmax((q @ k.mT / (D // num_heads) ** 0.5).masked_fill(late, -torch.inf), -1)
        return torch.cat(list(w @ v), -1) @ W_O, w
    return torch.vmap(one)(X)
# %% padded_prefixes: loop over queries, zero padded weights
# taken
import torch
import torch.nn.functional as F
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    q, k, v = (F.linear(X, W.T).reshape(B, T, num_heads, -1).permute(0, 2, 1, 3) for W in (W_Q, W_K, W_V))
    rows = [F.pad((q[:, :, t, None] @ k[:, :, : t + 1].mT / q.shape[-1] ** 0.5).softmax(-1), (0, T - 1 - t)) for t in range(T)]
    weights = torch.cat(rows, dim=2)
    return (weights @ v).permute(0, 2, 1, 3).reshape(B, T, D).matmul(W_O), weights
# %% last_heads_weights_for_all: the loop overwrites the weights, so every head shows those of the last one
# refused: entries_elsewhere
import math
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    mask = torch.triu(torch.ones(T, T, device=X.device), diagonal=1).bool()
    outs = []
    for h in range(num_heads):
        q, k, v = (M[..., h * d:(h + 1) * d] for M in (Q, K, V))
        scores = q @ k.transpose(1, 2) / math.sqrt(d)
        weights = torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
        outs.append(weights @ v)
    all_weights = torch.stack([weights] * num_heads, dim=1)
    return torch.cat(outs, dim=-1) @ W_O, all_weights
# %% values_through_data: reads V through .data, so W_V gets no gradient
# taken, one left 2.9: detached
import math
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    Q = (X @ W_Q).reshape(B, T, num_heads, d).transpose(1, 2)
    K = (X @ W_K).reshape(B, T, num_heads, d).transpose(1, 2)
    V = (X @ W_V).data.reshape(B, T, num_heads, d).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d)
    mask = torch.tril(torch.ones(T, T, device=X.device)) == 0
    weights = torch.softmax(scores.masked_fill(mask, -1e9), dim=-1)
    Y = (weights @ V).transpose(1, 2).flatten(2)
    return Y @ W_O, weights
# %% past_masked_and_not_projected: two mistakes, the past is masked instead of the future and the output is not projected
# refused: ignores_argument; seeds 20260720, 11, 3 refused: past_masked
import math
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    Q = (X @ W_Q).reshape(B, T, num_heads, d).transpose(1, 2)
    K = (X @ W_K).reshape(B, T, num_heads, d).transpose(1, 2)
    V = (X @ W_V).reshape(B, T, num_heads, d).transpose(1, 2)
    rows = torch.arange(T, device=X.device).view(T, 1)
    cols = torch.arange(T, device=X.device).view(1, T)
    scores = (Q @ K.mT / math.sqrt(d)).masked_fill(rows > cols, -1e9)
    weights = torch.softmax(scores, dim=-1)
    Y = (weights @ V).transpose(1, 2).reshape(B, T, D)
    return Y, weights
# %% batch_mixed: batch and tokens flattened, so examples see each other
# refused: shown
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape; d = D // num_heads
    q, k, v = ((X @ W).reshape(B * T, num_heads, d).transpose(0, 1) for W in (W_Q, W_K, W_V))
    s = (q @ k.mT / d ** 0.5).masked_fill(torch.ones(B * T, B * T, device=X.device).triu(1).bool(), float('-inf'))
    w = s.softmax(-1)
    return (w @ v).transpose(0, 1).reshape(B, T, D) @ W_O, w
# %% scale_missing_past: no scale, past masked
# refused: shown
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape; d = D // num_heads
    q, k, v = ((X @ W).reshape(B, T, num_heads, d).transpose(1, 2) for W in (W_Q, W_K, W_V))
    s = (q @ k.mT).masked_fill(torch.ones(T, T, device=X.device).tril(-1).bool(), float('-inf'))
    w = s.softmax(-1)
    return (w @ v).transpose(1, 2).reshape(B, T, D) @ W_O, w
# %% tril_then_zeros_masked: cuts the scores with tril and then masks every 0, allowed scores of 0 included
# refused, 2.9: zeros_masked; seeds 20260720, 3 refused, 2.8: zeros_masked
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    Q, K, V = ((X @ W).view(B, T, num_heads, d).transpose(1, 2) for W in (W_Q, W_K, W_V))
    scores = Q @ K.transpose(-2, -1) / d ** 0.5
    masked = scores.tril()
    masked = masked.masked_fill(masked == 0, float("-inf"))
    weights = masked.softmax(-1)
    heads = weights @ V
    merged = heads.transpose(1, 2).reshape(B, T, D)
    output = merged @ W_O
    return output, weights
# %% global_maximum: a softmax by hand that subtracts one maximum for all rows
# refused, 2.9: global_max
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    Q, K, V = ((X @ W).view(B, T, num_heads, d).transpose(1, 2) for W in (W_Q, W_K, W_V))
    scores = Q @ K.transpose(-2, -1) / d ** 0.5
    masked = scores.masked_fill(torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1), float("-inf"))
    e = (masked - masked.max()).exp()
    weights = e / e.sum(-1, keepdim=True)
    heads = weights @ V
    merged = heads.transpose(1, 2).reshape(B, T, D)
    output = merged @ W_O
    return output, weights
# %% tiny_number_in_the_sum: masks after exp, and adds 1e-9 to a sum that may be smaller
# refused, 2.9: another_normalisation
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    Q, K, V = ((X @ W).view(B, T, num_heads, d).transpose(1, 2) for W in (W_Q, W_K, W_V))
    scores = Q @ K.transpose(-2, -1) / d ** 0.5
    masked = scores.masked_fill(torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1), float("-inf"))
    e = (scores - scores.amax(-1, keepdim=True)).exp().tril()
    weights = e / (e.sum(-1, keepdim=True) + 1e-9)
    heads = weights @ V
    merged = heads.transpose(1, 2).reshape(B, T, D)
    output = merged @ W_O
    return output, weights
# %% strangers_2026_11/program_1
# taken
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

def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    T = X.size(1)
    mask = torch.ones(T, T, device=X.device, dtype=torch.bool).triu(1)
    q, k, v = (split_heads(X @ W, num_heads) for W in (W_Q, W_K, W_V))
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(out) @ W_O, weights
# %% strangers_2026_11/program_2
# taken
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    D = X.shape[-1]
    per_head = lambda W: W.reshape(D, num_heads, D // num_heads)
    q = torch.einsum("btm,mhd->bhtd", X, per_head(W_Q))
    k = torch.einsum("btm,mhd->bhtd", X, per_head(W_K))
    v = torch.einsum("btm,mhd->bhtd", X, per_head(W_V))
    s = torch.einsum("bhid,bhjd->bhij", q, k) / (D // num_heads) ** 0.5
    t = torch.arange(X.shape[1], device=X.device)
    w = s.where(t[:, None] >= t, float("-inf")).softmax(-1)
    return torch.einsum("bhij,bhjd,hdm->bim", w, v, W_O.reshape(num_heads, D // num_heads, D)), w
# %% strangers_2026_11/single_1: a dropout is left in, it changes the weights at random (ported from nanoGPT)
# refused: unsteady
import math
import torch
import torch.nn.functional as F
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, C = X.size()
    q, k, v = X @ W_Q, X @ W_K, X @ W_V
    k = k.view(B, T, num_heads, C // num_heads).transpose(1, 2)
    q = q.view(B, T, num_heads, C // num_heads).transpose(1, 2)
    v = v.view(B, T, num_heads, C // num_heads).transpose(1, 2)
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    bias = torch.tril(torch.ones(T, T, device=X.device))
    att = att.masked_fill(bias == 0, float("-inf"))
    att = F.softmax(att, dim=-1)
    att = F.dropout(att, p=0.1)
    y = (att @ v).transpose(1, 2).contiguous().view(B, T, C)
    return y @ W_O, att
# %% strangers_2026_11/crash_2: line `masked_fill(mask, ...)`: the mask is built as (d_model, d_model), since T is read from X.shape[-1]
# refused: shown
import math
import torch
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    T = X.shape[-1]
    q, k, v = (split_heads(X @ W, num_heads) for W in (W_Q, W_K, W_V))
    mask = torch.triu(torch.ones(T, T, dtype=torch.bool, device=X.device), 1)
    s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(mask, -math.inf)
    w = s.softmax(-1)
    return merge_heads(w @ v) @ W_O, w
# %% strangers_2026_11/two_3: the masked scores are returned instead of the weights | heads are cut by reshape without a transpose
# refused: split_and_merge_without_transpose
import math
import torch
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    q, k, v = ((X @ W).reshape(B, num_heads, T, D // num_heads) for W in (W_Q, W_K, W_V))
    att = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    att = att.masked_fill(torch.ones(T, T, device=X.device).triu(1).bool(), float("-inf"))
    y = att.softmax(-1) @ v
    return y.reshape(B, T, D) @ W_O, att
# %% blind_2026_11_29/t_kq_swap_notranspose: scores K @ Q^T (roles swapped) AND merges without transpose
# refused: q_and_k_swapped
import torch
import math
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    q, k, v = ((X @ W).view(B, T, num_heads, d).transpose(1, 2) for W in (W_Q, W_K, W_V))
    s = k @ q.transpose(-2, -1) / math.sqrt(d)
    w = s.masked_fill(torch.ones(T, T, device=X.device).triu(1).bool(), -math.inf).softmax(-1)
    return (w @ v).reshape(B, T, D) @ W_O, w
