# %% row_sums: no lesson has it any more
def row_sums(x):
    return x.sum(dim=1)

# %% trace_causal_attention: no lesson has it any more
def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = ((X @ W).unflatten(-1, (num_heads, -1)).transpose(1, 2) for W in (W_Q, W_K, W_V))
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    future = torch.ones(X.shape[1], X.shape[1], dtype=torch.bool, device=X.device).triu(1)
    masked_scores = scores.masked_fill(future, float("-inf"))
    weights = masked_scores.softmax(-1)
    heads = weights @ V
    merged = heads.transpose(1, 2).flatten(2)
    stages = dict(Q=Q, K=K, V=V, scores=scores, masked_scores=masked_scores, weights=weights)
    return dict(**stages, heads=heads, merged=merged, output=merged @ W_O)
