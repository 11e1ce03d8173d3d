# %% program_1
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
# %% program_2
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
