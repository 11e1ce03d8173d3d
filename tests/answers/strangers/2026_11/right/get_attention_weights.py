# %% program_1
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    B, T, D = x.shape
    d = D // num_heads
    q = (x @ W_q).view(B, T, num_heads, d).transpose(1, 2)
    k = (x @ W_k).view(B, T, num_heads, d).transpose(1, 2)
    s = q @ k.transpose(-2, -1) / math.sqrt(d)
    if mask is not None:
        s = s.masked_fill(mask, -math.inf)
    return s.softmax(-1)
# %% program_2
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    d = x.shape[-1] // num_heads
    tables = []
    for h in range(num_heads):
        cols = slice(h * d, (h + 1) * d)
        s = (x @ W_q[:, cols]) @ (x @ W_k[:, cols]).mT * d ** -0.5
        tables.append(s)
    scores = torch.stack(tables, dim=1)
    if mask is not None:
        scores = torch.where(mask, torch.full_like(scores, float("-inf")), scores)
    return F.softmax(scores, dim=-1)
