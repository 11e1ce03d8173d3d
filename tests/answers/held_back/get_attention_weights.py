"""Wrong answers for get_attention_weights, one mistake a cell unless it says two."""
# %% key_weight_transposed < right/line_by_line: multiplies by W_k.T as a Linear layer would
~ k = (x @ W_k).view(B, T, num_heads, d).transpose(1, 2) => k = (x @ W_k.T).view(B, T, num_heads, d).transpose(1, 2)
# %% scores_returned: returns the masked scores and forgets the softmax
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    d_head = D // num_heads
    q = (x @ W_q).reshape(B, T, num_heads, d_head)
    k = (x @ W_k).reshape(B, T, num_heads, d_head)
    attn = torch.einsum("bihd,bjhd->bhij", q, k) / d_head ** 0.5
    if mask is not None:
        attn = attn.masked_fill(mask, -1e9)
    return attn
# %% only_for_looking: works under no_grad because the weights are only drawn, so no gradient comes back
@torch.no_grad()
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    q, k = x @ W_q, x @ W_k
    q = torch.stack(q.chunk(num_heads, dim=-1), dim=1)
    k = torch.stack(k.chunk(num_heads, dim=-1), dim=1)
    s = q @ k.mT / math.sqrt(D // num_heads)
    if mask is not None:
        s = s.masked_fill(mask, -torch.inf)
    return s.softmax(-1)
# %% causal_when_no_mask: uses a causal mask when none was given
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    hd = D // num_heads
    if mask is None:
        mask = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)
    Q = (x @ W_q).reshape(B, T, num_heads, hd).permute(0, 2, 1, 3)
    K = (x @ W_k).reshape(B, T, num_heads, hd).permute(0, 2, 3, 1)
    scores = torch.matmul(Q, K) / math.sqrt(hd)
    return F.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
# %% masked_after_softmax: sets the forbidden weights to 0 after the softmax and leaves the rows short of 1
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    Q = (x @ W_q).unflatten(-1, (num_heads, -1)).transpose(1, 2)
    K = (x @ W_k).unflatten(-1, (num_heads, -1)).transpose(1, 2)
    weights = torch.softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, dim=-1)
    if mask is not None:
        weights = weights * (~mask).to(weights.dtype)
    return weights
# %% fill_not_kept < right/line_by_line: calls masked_fill without keeping its result, so the mask has no effect
~ d = D // num_heads => d_k = D // num_heads
~ (x @ W_q).view(B, T, num_heads, d) => torch.matmul(x, W_q).view(B, T, num_heads, d_k)
~ (x @ W_k).view(B, T, num_heads, d) => torch.matmul(x, W_k).view(B, T, num_heads, d_k)
~ scores = q @ k.transpose(-2, -1) / math.sqrt(d) => scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(d_k)
~ scores = scores.masked_fill(mask, float("-inf")) => scores.masked_fill(mask, float("-inf"))
# %% full_width_scale_heads_last: two mistakes, the scale uses d_model and the heads come back as the last axis
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    q = (x @ W_q).reshape(B, T, num_heads, -1)
    k = (x @ W_k).reshape(B, T, num_heads, -1)
    s = torch.einsum("bqhd,bkhd->bhqk", q, k) / D ** 0.5
    if mask is not None:
        s = s.masked_fill(mask, -1e9)
    return s.softmax(-1).permute(0, 2, 3, 1)
# %% no_scale_view: no scale, heads by view
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    q, k = ((x @ W).view(B, num_heads, T, -1) for W in (W_q, W_k))
    s = q @ k.mT
    if mask is not None: s = s.masked_fill(mask, float('-inf'))
    return s.softmax(-1)
# %% always_causal: causal though no mask is given
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    q, k = ((x @ W).view(B, T, num_heads, -1).transpose(1, 2) for W in (W_q, W_k))
    s = q @ k.mT / (D // num_heads) ** 0.5
    if mask is None: mask = torch.ones(T, T, device=x.device).triu(1).bool()
    return s.masked_fill(mask, float('-inf')).softmax(-1)
# %% zeros_masked < right/line_by_line: multiplies the mask in and then masks every 0, allowed scores of 0 included
-         scores = scores.masked_fill(mask, float("-inf"))
-     return torch.softmax(scores, dim=-1)
+         scores = scores * ~mask
+         scores = scores.masked_fill(scores == 0, float("-inf"))
+     return scores.softmax(-1)
