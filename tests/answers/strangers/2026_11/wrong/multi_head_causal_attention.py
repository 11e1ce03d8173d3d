# %% single_1: the matrices are applied transposed (X @ W.T), as nn.Linear would
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = F.linear(X, W_Q), F.linear(X, W_K), F.linear(X, W_V)
    T, D = X.shape
    q, k, v = (z.view(T, num_heads, D // num_heads).transpose(0, 1) for z in (q, k, v))
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return F.linear(y.transpose(0, 1).reshape(T, D), W_O)
# %% single_2: X is split into heads before it is projected, a head sees only its own features
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
# %% crash_3: line `out @ W_O`: out was made as float32, the weights are float64
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
# %% crash_4: line `torch.stack(outs, dim=1) @ W_O`: stacked instead of concatenated, (T, H, d_head) does not fit W_O
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d = D // num_heads
    outs = []
    for h in range(num_heads):
        sl = slice(h * d, h * d + d)
        q, k, v = X @ W_Q[:, sl], X @ W_K[:, sl], X @ W_V[:, sl]
        outs.append(F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True)[0])
    return torch.stack(outs, dim=1) @ W_O
