"""Wrong answers for causal_attention_with_weights, one mistake a cell unless it says two."""
# %% averaged_over_heads: returns the mean of the weights over the heads, as PyTorch's layer does
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    Q = (X @ W_Q).view(B, T, num_heads, d).transpose(1, 2)
    K = (X @ W_K).view(B, T, num_heads, d).transpose(1, 2)
    V = (X @ W_V).view(B, T, num_heads, d).transpose(1, 2)
    mask = torch.triu(torch.ones(T, T, dtype=torch.bool, device=X.device), diagonal=1)
    scores = (Q @ K.transpose(-2, -1) / math.sqrt(d)).masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    Y = (weights @ V).transpose(1, 2).reshape(B, T, D) @ W_O
    return Y, weights.mean(1)
# %% keys_ask_queries: multiplies K by Q transposed, so rows belong to keys and columns to queries
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    dh = D // num_heads
    split = lambda t: t.reshape(B, T, num_heads, dh).permute(0, 2, 1, 3)
    q, k, v = split(X @ W_Q), split(X @ W_K), split(X @ W_V)
    scores = torch.matmul(k, q.transpose(-1, -2)) / math.sqrt(dh)
    mask = torch.ones(T, T, device=X.device, dtype=torch.bool).triu(diagonal=1)
    w = scores.masked_fill(mask, -1e9).softmax(-1)
    y = (w @ v).permute(0, 2, 1, 3).reshape(B, T, D)
    return y @ W_O, w
# %% next_token_visible: starts the mask at the second diagonal, so each token sees the one after it
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    b, t, c = X.size()
    hs = c // num_heads
    q = (X @ W_Q).view(b, t, num_heads, hs)
    k = (X @ W_K).view(b, t, num_heads, hs)
    v = (X @ W_V).view(b, t, num_heads, hs)
    att = torch.einsum("bihd,bjhd->bhij", q, k) * hs ** -0.5
    att = att.masked_fill(torch.ones(t, t, device=X.device).triu(2) > 0, float("-inf"))
    att = att.softmax(dim=-1)
    y = torch.einsum("bhij,bjhd->bihd", att, v).reshape(b, t, c)
    return y @ W_O, att
# %% weights_first: returns the weights first and the output second
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    q, k, v = [torch.stack((X @ W).split(D // num_heads, dim=2), dim=1) for W in (W_Q, W_K, W_V)]
    s = q @ k.mT / math.sqrt(q.size(-1))
    pos = torch.arange(T, device=X.device)
    s = s.masked_fill(pos > pos.unsqueeze(1), float("-inf"))
    attn = F.softmax(s, dim=-1)
    out = torch.cat((attn @ v).unbind(1), dim=-1) @ W_O
    return attn, out
# %% last_heads_weights_for_all: the loop overwrites the weights, so every head shows those of the last one
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
def causal_attention_with_weights(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape; d = D // num_heads
    q, k, v = ((X @ W).reshape(B * T, num_heads, d).transpose(0, 1) for W in (W_Q, W_K, W_V))
    s = (q @ k.mT / d ** 0.5).masked_fill(torch.ones(B * T, B * T, device=X.device).triu(1).bool(), float('-inf'))
    w = s.softmax(-1)
    return (w @ v).transpose(0, 1).reshape(B, T, D) @ W_O, w
# %% scale_missing_past < batch_mixed: no scale, past masked
~ (B * T, num_heads, d).transpose(0, 1) => (B, T, num_heads, d).transpose(1, 2)
~ (q @ k.mT / d ** 0.5).masked_fill(torch.ones(B * T, B * T, device=X.device).triu(1).bool(), float('-inf')) => (q @ k.mT).masked_fill(torch.ones(T, T, device=X.device).tril(-1).bool(), float('-inf'))
~ return (w @ v).transpose(0, 1).reshape(B, T, D) @ W_O, w => return (w @ v).transpose(1, 2).reshape(B, T, D) @ W_O, w
# %% tril_then_zeros_masked < global_maximum: cuts the scores with tril and then masks every 0, allowed scores of 0 included
-     masked = scores.masked_fill(torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1), float("-inf"))
-     e = (masked - masked.max()).exp()
-     weights = e / e.sum(-1, keepdim=True)
+     masked = scores.tril()
+     masked = masked.masked_fill(masked == 0, float("-inf"))
+     weights = masked.softmax(-1)
# %% global_maximum: a softmax by hand that subtracts one maximum for all rows
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
# %% tiny_number_in_the_sum < global_maximum: masks after exp, and adds 1e-9 to a sum that may be smaller
-     e = (masked - masked.max()).exp()
-     weights = e / e.sum(-1, keepdim=True)
+     e = (scores - scores.amax(-1, keepdim=True)).exp().tril()
+     weights = e / (e.sum(-1, keepdim=True) + 1e-9)
