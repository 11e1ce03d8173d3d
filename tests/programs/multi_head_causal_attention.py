# %% fused_qkv: one product, then chunked; minus infinity added
# taken
import math
import torch
import torch.nn.functional as F
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.size()
    qkv = X @ torch.cat([W_Q, W_K, W_V], dim=1)
    q, k, v = qkv.view(T, 3, num_heads, D // num_heads).permute(1, 2, 0, 3)
    bias = torch.triu(torch.full((T, T), float("-inf"), dtype=X.dtype, device=X.device), 1)
    att = F.softmax(q @ k.transpose(1, 2) / math.sqrt(D // num_heads) + bias, dim=-1)
    return torch.cat(list(att @ v), dim=-1) @ W_O
# %% line_by_line: project, split, mask, softmax, merge, project
# taken
import math
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d = D // num_heads
    Q = (X @ W_Q).view(T, num_heads, d).transpose(0, 1)
    K = (X @ W_K).view(T, num_heads, d).transpose(0, 1)
    V = (X @ W_V).view(T, num_heads, d).transpose(0, 1)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d)
    mask = torch.triu(torch.ones(T, T, dtype=torch.bool, device=X.device), diagonal=1)
    scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    heads = weights @ V
    merged = heads.transpose(0, 1).contiguous().view(T, D)
    return merged @ W_O
# %% slices_of_weights: each head has its own columns of the weights and its own rows of W_O, summed
# taken
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d = D // num_heads
    future = torch.arange(T, device=X.device)[None, :] > torch.arange(T, device=X.device)[:, None]
    out = torch.zeros_like(X)
    for h in range(num_heads):
        c = slice(h * d, (h + 1) * d)
        q, k, v = X @ W_Q[:, c], X @ W_K[:, c], X @ W_V[:, c]
        s = (q @ k.T) * d ** -0.5
        w = torch.softmax(torch.where(future, float("-inf"), s), dim=1)
        out = out + (w @ v) @ W_O[c, :]
    return out
# %% einsum: everything in einsum
# taken
import torch
def multi_head_causal_attention(x, wq, wk, wv, wo, n_heads):
    q, k, v = (torch.einsum("td,dhe->the", x, w.unflatten(1, (n_heads, -1))) for w in (wq, wk, wv))
    sim = torch.einsum("ihe,jhe->hij", q, k) / q.shape[-1] ** 0.5
    keep = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).tril()
    att = sim.masked_fill(~keep, -torch.inf).softmax(-1)
    z = torch.einsum("hij,jhe->ihe", att, v)
    return torch.einsum("ihe,hed->id", z, wo.unflatten(0, (n_heads, -1)))
# %% sdpa: the library with is_causal=True
# taken
from torch import Tensor
import torch.nn.functional as F

def multi_head_causal_attention(X: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor, W_O: Tensor, num_heads: int) -> Tensor:
    if X.shape[-1] % num_heads:
        raise ValueError("num_heads must divide D")
    def heads(M):
        return M.reshape(M.shape[0], num_heads, -1).permute(1, 0, 2).unsqueeze(0)
    y = F.scaled_dot_product_attention(heads(X @ W_Q), heads(X @ W_K), heads(X @ W_V), is_causal=True)
    return y.squeeze(0).permute(1, 0, 2).flatten(1) @ W_O
# %% one_head_function: a function for one head, chunks and cat, -1e9 fill, asserts
# taken
import torch
def head(q, k, v):
    t = q.shape[0]
    s = torch.mm(q, k.t()) / torch.sqrt(torch.tensor(float(q.shape[1])))
    s = s.masked_fill(torch.tril(torch.ones(t, t, device=q.device)) == 0, -1e9)
    s = s - s.max(dim=-1, keepdim=True).values
    e = torch.exp(s)
    return torch.mm(e / e.sum(dim=-1, keepdim=True), v)

def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    assert X.dim() == 2 and X.shape[1] % num_heads == 0
    qs, ks, vs = [torch.chunk(torch.mm(X, W), num_heads, dim=1) for W in (W_Q, W_K, W_V)]
    Y = torch.cat([head(q, k, v) for q, k, v in zip(qs, ks, vs)], dim=1)
    assert Y.shape == X.shape
    return torch.mm(Y, W_O)
# %% renormalised: the lower triangle multiplied in after the softmax, then divided by the row sums
# taken
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d = D // num_heads
    q, k, v = ((X @ W).unflatten(1, (num_heads, d)).movedim(1, 0) for W in (W_Q, W_K, W_V))
    p = torch.softmax(torch.bmm(q, k.mT) * d ** -0.5, dim=-1).tril()
    p = p / p.sum(dim=-1, keepdim=True)
    return torch.bmm(p, v).movedim(0, 1).reshape(T, D) @ W_O
# %% library_function: F.multi_head_attention_forward with the weights turned; a print and a warning
# taken
import warnings
import torch
import torch.nn.functional as F

def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    if T == 1:
        warnings.warn("a single token attends to itself only")
    mask = torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1)
    x = X.unsqueeze(1)
    y, w = F.multi_head_attention_forward(
        x, x, x, D, num_heads, in_proj_weight=torch.cat([W_Q.T, W_K.T, W_V.T]), in_proj_bias=None,
        bias_k=None, bias_v=None, add_zero_attn=False, dropout_p=0.0, out_proj_weight=W_O.T,
        out_proj_bias=None, training=False, attn_mask=mask)
    print("mean weights", tuple(w.shape))
    return y.squeeze(1)
# %% scan: one token at a time with growing keys and values, exp by hand
# taken
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    keys, values, rows = [], [], []
    for x in X:
        q, k, v = (torch.mv(W.T, x).view(num_heads, -1) for W in (W_Q, W_K, W_V))
        keys.append(k)
        values.append(v)
        s = torch.stack([(q * past).sum(-1) for past in keys], dim=-1) / (D / num_heads) ** 0.5
        e = torch.exp(s - s.amax(-1, keepdim=True))
        a = e / e.sum(-1, keepdim=True)
        rows.append(torch.einsum("ht,thd->hd", a, torch.stack(values)).reshape(D))
    return torch.stack(rows) @ W_O
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
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    y, w = att(*(cut((X @ W)[None], num_heads) for W in (W_Q, W_K, W_V)), up(len(X), len(X), X.device))
    return y.transpose(1, 2).flatten(2)[0] @ W_O
# %% nn_functional: multi_head_attention_forward-free sdpa is_causal
# taken
import torch.nn.functional as F
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    heads = lambda W: (X @ W).unflatten(-1, (num_heads, -1)).transpose(0, 1)
    out = F.scaled_dot_product_attention(heads(W_Q)[None], heads(W_K)[None], heads(W_V)[None], is_causal=True)[0]
    return out.transpose(0, 1).flatten(1) @ W_O
# %% row_by_row: each query sees its prefix, no mask at all
# taken
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (torch.mm(X, W).unflatten(1, (num_heads, -1)) for W in (W_Q, W_K, W_V))
    rows = []
    for t in range(X.size(0)):
        s = torch.einsum("hd,khd->hk", Q[t], K[: t + 1]) / Q.size(-1) ** 0.5
        rows.append(torch.einsum("hk,khd->hd", torch.softmax(s, -1), V[: t + 1]).reshape(-1))
    return torch.stack(rows) @ W_O
# %% first_output_block_for_every_head: projects each head alone, always with the first rows of W_O, and adds them up
# refused: shown
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    dh = D // num_heads
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    y = torch.zeros_like(X)
    for h in range(num_heads):
        a, b = h * dh, (h + 1) * dh
        s = Q[:, a:b] @ K[:, a:b].T / dh ** 0.5
        s = s + torch.full_like(s, float("-inf")).triu(1)
        y = y + torch.softmax(s, dim=-1) @ V[:, a:b] @ W_O[:dh]
    return y
# %% minus_inf_in_float32: adds a float32 matrix of -inf, which turns bfloat16 scores into float32 and then fails
# taken, one left 2.888: casts_dtype
import math
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    seq_len, d_model = X.shape
    d_k = d_model // num_heads
    Q = (X @ W_Q).reshape(seq_len, num_heads, d_k).permute(1, 0, 2)
    K = (X @ W_K).reshape(seq_len, num_heads, d_k).permute(1, 0, 2)
    V = (X @ W_V).reshape(seq_len, num_heads, d_k).permute(1, 0, 2)
    mask = torch.triu(torch.full((seq_len, seq_len), float("-inf"), device=X.device), diagonal=1)
    scores = Q @ K.permute(0, 2, 1) / math.sqrt(d_k) + mask
    attn = torch.softmax(scores, dim=-1)
    return (attn @ V).permute(1, 0, 2).reshape(seq_len, d_model) @ W_O
# %% softmax_axis_zero: leaves the softmax on axis 0, which holds the heads once there is a head axis
# refused: shown
import math
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d = D // num_heads
    q = (X @ W_Q).unflatten(1, (num_heads, d)).transpose(0, 1)
    k = (X @ W_K).unflatten(1, (num_heads, d)).transpose(0, 1)
    v = (X @ W_V).unflatten(1, (num_heads, d)).transpose(0, 1)
    scores = q @ k.mT / math.sqrt(d)
    i = torch.arange(T, device=X.device)
    scores = scores.masked_fill(i[None, :] > i[:, None], -1e9)
    weights = torch.softmax(scores, dim=0)
    return (weights @ v).transpose(0, 1).flatten(1) @ W_O
# %% multiplied_and_key_values: two mistakes, the scores are multiplied by sqrt(d_head) and the values come from W_K
# refused: ignores_argument; seeds 20260720, 11, 3 refused: shown
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d = D // num_heads
    q = torch.stack((X @ W_Q).chunk(num_heads, dim=-1))
    k = torch.stack((X @ W_K).chunk(num_heads, dim=-1))
    v = torch.stack((X @ W_K).chunk(num_heads, dim=-1))
    scores = q @ k.transpose(1, 2) * d ** 0.5
    mask = ~torch.ones(T, T, dtype=torch.bool, device=X.device).tril()
    out = scores.masked_fill(mask, -1e9).softmax(dim=2) @ v
    return torch.cat(list(out), dim=-1) @ W_O
# %% scale_dm_no_o: sqrt(d_model) and no W_O
# refused: ignores_argument; seeds 20260720, 11, 3 refused: shown
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape; d = D // num_heads
    q, k, v = ((X @ W).reshape(T, num_heads, d).transpose(0, 1) for W in (W_Q, W_K, W_V))
    s = (q @ k.mT / D ** 0.5).masked_fill(torch.ones(T, T, device=X.device).triu(1).bool(), float('-inf'))
    return (s.softmax(-1) @ v).transpose(0, 1).reshape(T, D)
# %% tril_then_zeros_masked: cuts the scores with tril and then masks every 0, allowed scores of 0 included
# refused, 2.888: zeros_masked; seeds 11, 3 refused, 2.775: zeros_masked
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    X = X[None]
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
    return output[0]
# %% global_maximum: a softmax by hand that subtracts one maximum for all rows
# refused, 2.888: global_max
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    X = X[None]
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
    return output[0]
# %% tiny_number_in_the_sum: masks after exp, and adds 1e-9 to a sum that may be smaller
# refused, 2.888: shown; seed 20260720 refused, 2.775: shown
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    X = X[None]
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
    return output[0]
# %% strangers_2026_11/program_1
# taken
import math
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, d_model = X.shape
    d = d_model // num_heads
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    future = torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1)
    outs = []
    for h in range(num_heads):
        c = slice(h * d, (h + 1) * d)
        s = (Q[:, c] @ K[:, c].T / math.sqrt(d)).masked_fill(future, -math.inf)
        outs.append(s.softmax(dim=-1) @ V[:, c])
    return torch.cat(outs, dim=-1) @ W_O
# %% strangers_2026_11/program_2
# taken
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    # one query after the other, only looking at the keys it may see; every head adds its share of the output
    d = X.shape[1] // num_heads
    rows = []
    for t in range(len(X)):
        y = 0
        for h in range(num_heads):
            sl = slice(h * d, (h + 1) * d)
            q = X[t] @ W_Q[:, sl]
            k = X[: t + 1] @ W_K[:, sl]
            v = X[: t + 1] @ W_V[:, sl]
            y = y + torch.softmax(k @ q * d ** -0.5, 0) @ v @ W_O[sl]
        rows.append(y)
    return torch.stack(rows)
# %% strangers_2026_11/single_1: the matrices are applied transposed (X @ W.T), as nn.Linear would
# refused: weights_transposed
import torch.nn.functional as F
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = F.linear(X, W_Q), F.linear(X, W_K), F.linear(X, W_V)
    T, D = X.shape
    q, k, v = (z.view(T, num_heads, D // num_heads).transpose(0, 1) for z in (q, k, v))
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return F.linear(y.transpose(0, 1).reshape(T, D), W_O)
# %% strangers_2026_11/single_2: X is split into heads before it is projected, a head sees only its own features
# refused: split_before_projecting
import math
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d = D // num_heads
    mask = torch.arange(T, device=X.device)[None] > torch.arange(T, device=X.device)[:, None]
    outs = []
    for h, x in enumerate(X.split(d, dim=1)):
        sl = slice(h * d, (h + 1) * d)
        q, k, v = x @ W_Q[sl, sl], x @ W_K[sl, sl], x @ W_V[sl, sl]
        s = q @ k.T / math.sqrt(d)
        outs.append(torch.softmax(s.masked_fill(mask, -math.inf), -1) @ v)
    return torch.cat(outs, 1) @ W_O
# %% strangers_2026_11/crash_3: line `out @ W_O`: out was made as float32, the weights are float64
# refused: dtypes_meet
import math
import torch
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d = D // num_heads
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    out = torch.zeros(T, D, device=X.device)
    mask = torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1)
    for h in range(num_heads):
        a, b = h * d, (h + 1) * d
        s = Q[:, a:b] @ K[:, a:b].T / math.sqrt(d)
        out[:, a:b] = s.masked_fill(mask, -math.inf).softmax(-1) @ V[:, a:b]
    return out @ W_O
# %% strangers_2026_11/crash_4: line `torch.stack(outs, dim=1) @ W_O`: stacked instead of concatenated, (T, H, d_head) does not fit W_O
# refused: shown
import torch
import torch.nn.functional as F
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d = D // num_heads
    outs = []
    for h in range(num_heads):
        sl = slice(h * d, h * d + d)
        q, k, v = X @ W_Q[:, sl], X @ W_K[:, sl], X @ W_V[:, sl]
        outs.append(F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True)[0])
    return torch.stack(outs, dim=1) @ W_O
