"""Wrong answers for multi_head_causal_attention, one mistake a cell unless it says two."""
# %% output_weight_transposed: applies W_O as a Linear layer would, which multiplies by its transpose
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d = D // num_heads
    Q = (X @ W_Q).view(T, num_heads, d).transpose(0, 1)
    K = (X @ W_K).view(T, num_heads, d).transpose(0, 1)
    V = (X @ W_V).view(T, num_heads, d).transpose(0, 1)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d)
    mask = torch.triu(torch.ones(T, T, dtype=torch.bool, device=X.device), diagonal=1)
    weights = torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
    concat = (weights @ V).transpose(0, 1).reshape(T, D)
    return F.linear(concat, W_O)
# %% split_before_projecting: cuts X into heads first, so a head sees only its own slice of the features
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d = D // num_heads
    future = torch.ones(T, T, device=X.device).triu(1).bool()
    heads = []
    for h in range(num_heads):
        s = slice(h * d, (h + 1) * d)
        x_h = X[:, s]
        q, k, v = x_h @ W_Q[s, s], x_h @ W_K[s, s], x_h @ W_V[s, s]
        scores = (q @ k.T / d ** 0.5).masked_fill(future, float("-inf"))
        heads.append(scores.softmax(-1) @ v)
    return torch.cat(heads, dim=-1) @ W_O
# %% tril_times_scores: multiplies the scores by a lower triangle of ones, so future scores become 0 and still count
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape
    d_head = D // num_heads
    q, k, v = [(X @ W).reshape(T, num_heads, d_head) for W in (W_Q, W_K, W_V)]
    scores = torch.einsum("qhd,khd->hqk", q, k) / math.sqrt(d_head)
    tril = torch.tril(torch.ones(T, T, dtype=X.dtype, device=X.device))
    weights = torch.softmax(scores * tril, dim=-1)
    out = torch.einsum("hqk,khd->qhd", weights, v)
    return out.reshape(T, D) @ W_O
# %% first_output_block_for_every_head: projects each head alone, always with the first rows of W_O, and adds them up
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
# %% split_wo: output projected per head with rows then only last head kept
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape; d = D // num_heads
    mask = torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1)
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    for h in range(num_heads):
        c = slice(h * d, (h + 1) * d)
        s = (Q[:, c] @ K[:, c].T / d ** 0.5).masked_fill(mask, float('-inf'))
        out = s.softmax(-1) @ V[:, c] @ W_O[c]
    return out
# %% scale_dm_no_o: sqrt(d_model) and no W_O
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape; d = D // num_heads
    q, k, v = ((X @ W).reshape(T, num_heads, d).transpose(0, 1) for W in (W_Q, W_K, W_V))
    s = (q @ k.mT / D ** 0.5).masked_fill(torch.ones(T, T, device=X.device).triu(1).bool(), float('-inf'))
    return (s.softmax(-1) @ v).transpose(0, 1).reshape(T, D)
# %% same_head: slices W by rows instead of columns
def multi_head_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    T, D = X.shape; d = D // num_heads
    mask = torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1)
    heads = []
    for h in range(num_heads):
        c = slice(h * d, (h + 1) * d)
        q, k, v = X[:, c] @ W_Q[c, c], X[:, c] @ W_K[c, c], X[:, c] @ W_V[c, c]
        s = (q @ k.T / d ** 0.5).masked_fill(mask, float('-inf'))
        heads.append(s.softmax(-1) @ v)
    return torch.cat(heads, -1) @ W_O
# %% tril_then_zeros_masked < global_maximum: cuts the scores with tril and then masks every 0, allowed scores of 0 included
-     masked = scores.masked_fill(torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1), float("-inf"))
-     e = (masked - masked.max()).exp()
-     weights = e / e.sum(-1, keepdim=True)
+     masked = scores.tril()
+     masked = masked.masked_fill(masked == 0, float("-inf"))
+     weights = masked.softmax(-1)
# %% global_maximum: a softmax by hand that subtracts one maximum for all rows
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
# %% tiny_number_in_the_sum < global_maximum: masks after exp, and adds 1e-9 to a sum that may be smaller
-     e = (masked - masked.max()).exp()
-     weights = e / e.sum(-1, keepdim=True)
+     e = (scores - scores.amax(-1, keepdim=True)).exp().tril()
+     weights = e / (e.sum(-1, keepdim=True) + 1e-9)
