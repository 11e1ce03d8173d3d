# %% program_1
def masked_softmax(scores, mask):
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(mask, low).softmax(dim=-1)
    return weights.masked_fill(mask, 0.0)
# %% program_2
def masked_softmax(scores, mask):
    s = scores.masked_fill(mask, float("-inf"))
    m = s.detach().amax(dim=-1, keepdim=True)
    m = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    e = torch.exp(s - m)
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
