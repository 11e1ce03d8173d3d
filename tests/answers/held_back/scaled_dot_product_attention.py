"""Wrong answers for scaled_dot_product_attention, one mistake a cell unless it says two."""
# %% scaled_by_number_of_keys < right/line_by_line: takes the size of axis -2 of K for the scale, which counts the keys
~ d_head = Q.shape[-1] => d_k = K.shape[-2]
~ scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head) => scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
# %% softmax_on_axis_1: normalises over axis 1, which is the keys only for a single pair of matrices
def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / d ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    attn = F.softmax(scores, dim=1)
    return torch.matmul(attn, V), attn
# %% keys_transposed_by_position: transposes axes 1 and 2 of the keys, which fits three axes but not four
def scaled_dot_product_attention(Q, K, V, mask=None):
    if K.dim() == 2:
        K_t = K.T
    else:
        K_t = K.transpose(1, 2)
    scores = Q @ K_t / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, float("-inf"), scores)
    A = torch.softmax(scores, -1)
    return A @ V, A
# %% fill_of_minus_thousand: fills with -1000, which beats real scores that stand lower than that
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -1e3)
    w = scores.softmax(dim=-1)
    return torch.einsum("...qk,...kd->...qd", w, V), w
# %% zero_means_masked: reads the mask in the other dialect, where 0 marks what is forbidden
def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    return torch.matmul(p_attn, V), p_attn
# %% mask_becomes_float32: adds mask.float() * -1e9, which turns bfloat16 scores into float32
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-1, -2)) / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores + mask.float() * -1e9
    weights = torch.softmax(scores, dim=-1)
    output = weights.to(V.dtype) @ V
    return output, weights
# %% second_result_without_mask: applies the mask for the output but returns the weights computed before it
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    attn_weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        masked = scores.masked_fill(mask, float("-inf"))
        output = torch.softmax(masked, dim=-1) @ V
    else:
        output = attn_weights @ V
    return output, attn_weights
# %% scaled_in_place_and_zero_filled < right/line_by_line: two mistakes, Q is divided in place and masked scores become 0 rather than -inf
~ d_head = Q.shape[-1] => Q /= Q.shape[-1] ** 0.5
~ scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head) => scores = Q @ K.transpose(-2, -1)
-         scores = scores.masked_fill(mask, float("-inf"))
+         scores = scores * (~mask)
# %% no_mask_for_one_query: thinks that a single query has nothing to hide
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None and Q.shape[-2] > 1:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
# %% mask_for_four_axes_only < no_mask_for_one_query: applies the mask only to inputs of four axes
~ if mask is not None and Q.shape[-2] > 1: => if mask is not None and scores.dim() == 4:
# %% no_scale_inverted < kt: no scale and inverted mask
~ T / Q.shape[-1] ** 0.5 => mT
~ (mask => (~mask
# %% four_axes < kt: unpacks exactly four axes, crash otherwise
-     s = Q @ K.T / Q.shape[-1] ** 0.5
+     B, H, T, d = Q.shape
+     s = Q @ K.mT / d ** 0.5
# %% kt: K.T, which turns all axes around
def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.T / Q.shape[-1] ** 0.5
    if mask is not None: s = s.masked_fill(mask, float('-inf'))
    w = s.softmax(-1)
    return w @ V, w
# %% any_table_is_causal < no_mask_for_one_query: takes every mask of two axes for the causal one
-     if mask is not None and Q.shape[-2] > 1:
+     if mask is not None and mask.dim() == 2:
+         mask = torch.ones(Q.shape[-2], K.shape[-2], dtype=torch.bool, device=Q.device).triu(1)
+     if mask is not None:
~ weights = torch.softmax(scores, dim=-1) => weights = scores.softmax(-1)
# %% first_mask_for_all < no_mask_for_one_query: every head and every query gets the mask of the first
~ if mask is not None and Q.shape[-2] > 1: => if mask is not None:
~ mask, float => mask[:, :1, :1] if mask.dim() == 4 else mask, float
~ weights = torch.softmax(scores, dim=-1) => weights = scores.softmax(-1)
