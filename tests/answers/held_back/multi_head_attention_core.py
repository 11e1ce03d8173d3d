"""Wrong answers for multi_head_attention_core, one mistake a cell unless it says two."""
# %% heads_mean_returned: averages the returned weights over the heads
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    d = D // num_heads
    q, k, v = (t.reshape(B, T, num_heads, d).transpose(1, 2) for t in (Q, K, V))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    out = (w @ v).transpose(1, 2).reshape(B, T, D)
    return out, w.mean(dim=1)
# %% head_axis_added_to_flat_mask: calls unsqueeze(1) on any mask, which turns a (T, T) mask into (T, 1, T)
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    batch_size, seq_len, d_model = Q.shape
    d_k = d_model // num_heads
    def split(t):
        return t.reshape(batch_size, seq_len, num_heads, d_k).transpose(1, 2)
    scores = torch.matmul(split(Q), split(K).transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        if mask.dim() < 4:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask, -1e9)
    weights = scores.softmax(-1)
    context = torch.matmul(weights, split(V))
    return context.transpose(1, 2).contiguous().view(batch_size, seq_len, d_model), weights
# %% first_heads_mask_for_all: cuts a mask with a head axis down to its first head
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    dh = D // num_heads
    q = Q.unflatten(-1, (num_heads, dh))
    k = K.unflatten(-1, (num_heads, dh))
    v = V.unflatten(-1, (num_heads, dh))
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(dh)
    if mask is not None:
        if mask.dim() == 4:
            mask = mask[:, :1]
        scores = scores.masked_fill(mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    y = torch.einsum("bhqk,bkhd->bqhd", w, v)
    return y.flatten(2), w
# %% first_examples_mask_for_all: keeps only mask[0], so the whole batch gets the first example's mask
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    head_dim = D // num_heads
    Qh = Q.reshape(B, T, num_heads, head_dim).permute(0, 2, 1, 3)
    Kh = K.reshape(B, T, num_heads, head_dim).permute(0, 2, 1, 3)
    Vh = V.reshape(B, T, num_heads, head_dim).permute(0, 2, 1, 3)
    S = Qh @ Kh.mT / math.sqrt(head_dim)
    if mask is not None:
        m = mask if mask.ndim == 2 else mask[0]
        S = S.masked_fill(m, -1e9)
    A = F.softmax(S, dim=-1)
    return (A @ Vh).permute(0, 2, 1, 3).reshape(B, T, D), A
# %% merged_without_transpose: reshapes (B, H, T, d_head) to (B, T, D) without moving the heads back
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    q, k, v = [torch.stack(t.chunk(num_heads, -1), 1) for t in (Q, K, V)]
    scores = q @ k.transpose(-1, -2) / math.sqrt(D // num_heads)
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = torch.softmax(scores, -1)
    out = weights @ v
    return out.reshape(B, T, D), weights
# %% values_not_split: lets the mean of the heads' weights act on the unsplit values
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    q = Q.reshape(B, T, num_heads, -1).transpose(1, 2)
    k = K.reshape(B, T, num_heads, -1).transpose(1, 2)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    attn_weights = scores.softmax(dim=-1)
    output = attn_weights.mean(dim=1) @ V
    return output, attn_weights
# %% heads_share_the_scores: sums over the head letter in the einsum, so all heads get the same scores
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    d = D // num_heads
    q = Q.reshape(B, T, num_heads, d)
    k = K.reshape(B, T, num_heads, d)
    v = V.reshape(B, T, num_heads, d)
    scores = torch.einsum("bqhd,bkhd->bqk", q, k) / d ** 0.5
    scores = scores.unsqueeze(1).expand(B, num_heads, T, T)
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    weights = scores.softmax(-1)
    return torch.einsum("bhqk,bkhd->bqhd", weights, v).reshape(B, T, D), weights
# %% loop_into_float32: fills new zeros head by head, so the results are float32 on the CPU
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    d = D // num_heads
    output = torch.zeros(B, T, D)
    attn_weights = torch.zeros(B, num_heads, T, T)
    for h in range(num_heads):
        s = slice(h * d, (h + 1) * d)
        scores = Q[:, :, s] @ K[:, :, s].transpose(1, 2) / math.sqrt(d)
        if mask is not None:
            m = mask if mask.dim() == 2 else mask[:, min(h, mask.shape[1] - 1)]
            scores = scores.masked_fill(m, float("-inf"))
        w = torch.softmax(scores, dim=-1)
        attn_weights[:, h] = w
        output[:, :, s] = w @ V[:, :, s]
    return output, attn_weights
# %% mask_first_head < always_causal: uses only mask[:, :1], the first head's mask for all
-     if mask is None: mask = torch.ones(T, T, dtype=torch.bool, device=Q.device).triu(1)
-     s = s.masked_fill(mask, float('-inf'))
+     if mask is not None:
+         if mask.dim() == 4: mask = mask[:, :1]
+         s = s.masked_fill(mask, float('-inf'))
# %% always_causal: causal even without mask
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    q, k, v = (m.reshape(B, T, num_heads, -1).transpose(1, 2) for m in (Q, K, V))
    s = q @ k.mT / (D // num_heads) ** 0.5
    if mask is None: mask = torch.ones(T, T, dtype=torch.bool, device=Q.device).triu(1)
    s = s.masked_fill(mask, float('-inf'))
    w = s.softmax(-1)
    return (w @ v).transpose(1, 2).reshape(B, T, D), w
# %% sdpa_not_inverted: mask passed straight to F.scaled_dot_product_attention
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    q, k, v = (m.reshape(B, T, num_heads, -1).transpose(1, 2) for m in (Q, K, V))
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    s = q @ k.mT / (D // num_heads) ** 0.5
    if mask is not None: s = s.masked_fill(mask, float('-inf'))
    return out.transpose(1, 2).reshape(B, T, D), s.softmax(-1)
# %% no_split_v: V is not split, whole V for each head then averaged
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    q, k = (m.reshape(B, T, num_heads, -1).transpose(1, 2) for m in (Q, K))
    s = q @ k.mT / (D // num_heads) ** 0.5
    if mask is not None: s = s.masked_fill(mask, float('-inf'))
    w = s.softmax(-1)
    return (w @ V[:, None]).mean(1), w
# %% softmax_heads: softmax over heads and scale d_model
def multi_head_attention_core(Q, K, V, num_heads, mask=None):
    B, T, D = Q.shape
    q, k, v = (m.reshape(B, T, num_heads, -1).transpose(1, 2) for m in (Q, K, V))
    s = q @ k.mT / D ** 0.5
    if mask is not None: s = s.masked_fill(mask, -1e9)
    w = s.softmax(1)
    return (w @ v).transpose(1, 2).reshape(B, T, D), w
