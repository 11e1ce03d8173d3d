# %% program_1
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(-1)
    return weights @ V, weights
# %% program_2
def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...id,...jd->...ij", Q * Q.shape[-1] ** -0.5, K)
    if mask is not None:
        logits = logits + torch.zeros(mask.shape, dtype=Q.dtype, device=Q.device).masked_fill(mask, -math.inf)
    logits = logits - logits.amax(-1, keepdim=True)
    p = logits.exp()
    p = p / p.sum(-1, keepdim=True)
    return torch.einsum("...ij,...jd->...id", p, V), p
