"""Right answers to `causal_attention_with_weights`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% line_by_line: view and transpose
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
# %% example_by_example: a loop over the batch, a helper for one sequence
import math
import torch
from typing import Tuple

def one_sequence(x, wq, wk, wv, n) -> Tuple[torch.Tensor, torch.Tensor]:
    t, dim = x.shape
    q, k, v = [(x @ w).reshape(t, n, dim // n).permute(1, 0, 2) for w in (wq, wk, wv)]
    s = torch.bmm(q, k.permute(0, 2, 1)) / math.sqrt(dim // n)
    s = s + torch.full_like(s, float("-inf")).triu(1)
    a = torch.softmax(s, dim=2)
    return torch.bmm(a, v).permute(1, 0, 2).reshape(t, dim), a

def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    pairs = [one_sequence(x, W_Q, W_K, W_V, num_heads) for x in X]
    merged = torch.stack([p[0] for p in pairs])
    return merged @ W_O, torch.stack([p[1] for p in pairs])
# %% token_loop: growing rows padded with zeros on the right
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    split = lambda M: torch.stack(M.split(D // num_heads, dim=-1), dim=1)
    Q, K, V = split(X @ W_Q), split(X @ W_K), split(X @ W_V)
    rows, outs = [], []
    for t in range(T):
        s = torch.matmul(K[:, :, :t + 1], Q[:, :, t].unsqueeze(-1)).squeeze(-1) / (D // num_heads) ** 0.5
        w = s.softmax(-1)
        rows.append(F.pad(w, (0, T - t - 1)))
        outs.append(torch.matmul(w.unsqueeze(-2), V[:, :, :t + 1]).reshape(B, D))
    return torch.stack(outs, dim=1) @ W_O, torch.stack(rows, dim=2)
# %% fused_and_folded: one product for Q, K, V; batch and heads folded; -1e9
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
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    q, k, v = torch.einsum("btd,ndhe->nbhte", X, torch.stack((W_Q, W_K, W_V)).view(3, D, num_heads, d))
    i = torch.arange(T, device=X.device)
    s = torch.where(i[None, :] > i[:, None], -torch.inf, torch.einsum("bhqe,bhke->bhqk", q, k) / d ** 0.5)
    w = s.softmax(-1)
    return torch.einsum("bhqk,bhke,hef->bqf", w, v, W_O.view(num_heads, d, D)), w
# %% vmap_over_the_batch: single sequence inside
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    def one(x):
        T, D = x.shape
        q, k, v = (torch.stack((x @ W).chunk(num_heads, -1)) for W in (W_Q, W_K, W_V))
        late = torch.ones(T, T, device=x.device, dtype=torch.bool).triu(1)
        w = torch.softmax((q @ k.mT / (D // num_heads) ** 0.5).masked_fill(late, -torch.inf), -1)
        return torch.cat(list(w @ v), -1) @ W_O, w
    return torch.vmap(one)(X)
# %% padded_prefixes: loop over queries, zero padded weights
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    q, k, v = (F.linear(X, W.T).reshape(B, T, num_heads, -1).permute(0, 2, 1, 3) for W in (W_Q, W_K, W_V))
    rows = [F.pad((q[:, :, t, None] @ k[:, :, : t + 1].mT / q.shape[-1] ** 0.5).softmax(-1), (0, T - 1 - t)) for t in range(T)]
    weights = torch.cat(rows, dim=2)
    return (weights @ v).permute(0, 2, 1, 3).reshape(B, T, D).matmul(W_O), weights
