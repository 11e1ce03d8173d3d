# %% program_1
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
# %% program_2
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
