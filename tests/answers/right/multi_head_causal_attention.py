"""Right answers to `multi_head_causal_attention`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% line_by_line: project, split, mask, softmax, merge, project
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
def multi_head_causal_attention(x, wq, wk, wv, wo, n_heads):
    q, k, v = (torch.einsum("td,dhe->the", x, w.unflatten(1, (n_heads, -1))) for w in (wq, wk, wv))
    sim = torch.einsum("ihe,jhe->hij", q, k) / q.shape[-1] ** 0.5
    keep = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).tril()
    att = sim.masked_fill(~keep, -torch.inf).softmax(-1)
    z = torch.einsum("hij,jhe->ihe", att, v)
    return torch.einsum("ihe,hed->id", z, wo.unflatten(0, (n_heads, -1)))
# %% token_loop: no mask, each token looks at the tokens up to itself
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    d = X.shape[1] // num_heads
    rows = []
    for t in range(X.shape[0]):
        pieces = []
        for h in range(num_heads):
            lo, hi = h * d, (h + 1) * d
            s = K[:t + 1, lo:hi] @ Q[t, lo:hi] / math.sqrt(d)
            pieces.append(torch.softmax(s, dim=0) @ V[:t + 1, lo:hi])
        rows.append(torch.cat(pieces))
    return torch.stack(rows) @ W_O
# %% sdpa: the library with is_causal=True
from torch import Tensor
import torch.nn.functional as F

def multi_head_causal_attention(X: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor, W_O: Tensor, num_heads: int) -> Tensor:
    if X.shape[-1] % num_heads:
        raise ValueError("num_heads must divide D")
    def heads(M):
        return M.reshape(M.shape[0], num_heads, -1).permute(1, 0, 2).unsqueeze(0)
    y = F.scaled_dot_product_attention(heads(X @ W_Q), heads(X @ W_K), heads(X @ W_V), is_causal=True)
    return y.squeeze(0).permute(1, 0, 2).flatten(1) @ W_O
# %% fused_qkv: one product, then chunked; minus infinity added
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.size()
    qkv = X @ torch.cat([W_Q, W_K, W_V], dim=1)
    q, k, v = qkv.view(T, 3, num_heads, D // num_heads).permute(1, 2, 0, 3)
    bias = torch.triu(torch.full((T, T), float("-inf"), dtype=X.dtype, device=X.device), 1)
    att = F.softmax(q @ k.transpose(1, 2) / math.sqrt(D // num_heads) + bias, dim=-1)
    return torch.cat(list(att @ v), dim=-1) @ W_O
# %% one_head_function: a function for one head, chunks and cat, -1e9 fill, asserts
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
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d = D // num_heads
    q, k, v = ((X @ W).unflatten(1, (num_heads, d)).movedim(1, 0) for W in (W_Q, W_K, W_V))
    p = torch.softmax(torch.bmm(q, k.mT) * d ** -0.5, dim=-1).tril()
    p = p / p.sum(dim=-1, keepdim=True)
    return torch.bmm(p, v).movedim(0, 1).reshape(T, D) @ W_O
# %% library_function: F.multi_head_attention_forward with the weights turned; a print and a warning
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
# %% circuits: QK and OV circuits, one product of matrices for each head, the heads summed
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d = D // num_heads
    future = torch.ones(T, T, device=X.device).triu(1).bool()
    out = torch.zeros_like(X)
    for q, k, v, o in zip(W_Q.split(d, 1), W_K.split(d, 1), W_V.split(d, 1), W_O.split(d, 0)):
        pattern = (X @ (q @ k.T) @ X.T / d ** 0.5).masked_fill(future, -torch.inf).softmax(-1)
        out = out + pattern @ X @ (v @ o)
    return out
# %% scan: one token at a time with growing keys and values, exp by hand
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
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    heads = lambda W: (X @ W).unflatten(-1, (num_heads, -1)).transpose(0, 1)
    out = F.scaled_dot_product_attention(heads(W_Q)[None], heads(W_K)[None], heads(W_V)[None], is_causal=True)[0]
    return out.transpose(0, 1).flatten(1) @ W_O
# %% sum_of_heads_projections: no concatenation
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape; d = D // num_heads
    future = torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1)
    Y = torch.zeros_like(X)
    for h in range(num_heads):
        band = slice(h * d, (h + 1) * d)
        q, k, v = X @ W_Q[:, band], X @ W_K[:, band], X @ W_V[:, band]
        w = (q @ k.mT * d ** -0.5).masked_fill(future, -torch.inf).softmax(1)
        Y = Y + w @ v @ W_O[band]
    return Y
# %% row_by_row: each query sees its prefix, no mask at all
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (torch.mm(X, W).unflatten(1, (num_heads, -1)) for W in (W_Q, W_K, W_V))
    rows = []
    for t in range(X.size(0)):
        s = torch.einsum("hd,khd->hk", Q[t], K[: t + 1]) / Q.size(-1) ** 0.5
        rows.append(torch.einsum("hk,khd->hd", torch.softmax(s, -1), V[: t + 1]).reshape(-1))
    return torch.stack(rows) @ W_O
