# %% crash_1: line `torch.topk(logits, top_k)`: top_k may be larger than the vocabulary
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(logits).scatter_(1, best, 1.0)
    logits = logits / temperature
    if top_k is not None:
        v, _ = torch.topk(logits, top_k)
        logits = logits.masked_fill(logits < v[:, [-1]], -float("Inf"))
    return F.softmax(logits, dim=-1)
# %% single_2: at temperature 0 equal largest logits share the probability
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        top = (logits == logits.amax(dim=-1, keepdim=True)).to(logits.dtype)
        return top / top.sum(-1, keepdim=True)
    if top_k is not None and top_k < logits.shape[-1]:
        cut = logits.topk(top_k).indices
        keep = torch.zeros_like(logits, dtype=torch.bool).scatter(1, cut, True)
        logits = logits.masked_fill(~keep, -math.inf)
    return torch.softmax(logits / temperature, -1)
# %% two_3: top-k is cut after the softmax and not shared out again | the logits are multiplied by the temperature
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).float()
    p = torch.softmax(logits * temperature, dim=-1)
    if top_k is not None:
        k = min(top_k, p.shape[-1])
        p = p * (p >= p.topk(k, dim=-1).values[:, -1:])
    return p
