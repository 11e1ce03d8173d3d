# %% program_1 < right/line_by_line
~ scores = q => s = q
~ scores = scores.masked_fill(mask, float("-inf") => s = s.masked_fill(mask, -math.inf
~ torch.softmax(scores, dim= => s.softmax(
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
