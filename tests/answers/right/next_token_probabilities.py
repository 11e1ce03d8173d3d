"""Right answers to `next_token_probabilities`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% threshold: masked_fill below the k-th, one_hot for temperature 0
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    logits = logits / temperature
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits[logits < v[:, [-1]]] = -float("Inf")
    return F.softmax(logits, dim=-1)
# %% scattered: only the k largest are computed, then scattered into zeros
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    B, vocab = logits.shape
    k = 1 if not temperature else vocab if top_k is None else min(top_k, vocab)
    if not temperature:
        places = logits.argmax(dim=1, keepdim=True)
        values = torch.ones_like(places, dtype=logits.dtype)
    else:
        values, places = logits.topk(k, dim=1)
        values = (values / temperature).softmax(dim=1)
    return torch.zeros_like(logits).scatter_(1, places, values)
# %% shares_again: softmax first, then the others are set to 0 and the rest shared out again
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        p = torch.zeros_like(logits)
        p[torch.arange(len(logits), device=logits.device), logits.argmax(-1)] = 1
        return p
    p = torch.softmax(logits / temperature, -1)
    if top_k is not None:
        rank = logits.argsort(-1, descending=True).argsort(-1)
        p = p * (rank < top_k)
        p = p / p.sum(-1, keepdim=True)
    return p
# %% row_by_row: a loop over the rows, plain Python for the ranks
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    rows = []
    for row in logits:
        numbers = row.tolist()
        order = sorted(range(len(numbers)), key=lambda i: -numbers[i])
        if temperature == 0:
            rows.append(torch.tensor([float(i == order[0]) for i in range(len(order))], dtype=row.dtype, device=row.device))
            continue
        keep = order[:top_k]
        out = torch.full_like(row, float("-inf"))
        out[keep] = row[keep] / temperature
        rows.append(torch.softmax(out, 0))
    return torch.stack(rows)
# %% by_hand: the softmax by hand with a shift, torch.where
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    top = logits.max(dim=-1, keepdim=True)
    if temperature <= 0:
        columns = torch.arange(logits.size(-1), device=logits.device)
        return (columns == top.indices).to(logits)
    e = ((logits - top.values) / temperature).exp()
    if top_k is not None and top_k < logits.size(-1):
        smallest = logits.sort(dim=-1).values[:, -top_k].unsqueeze(1)
        e = torch.where(logits >= smallest, e, 0)
    return e / e.sum(dim=-1, keepdim=True)
# %% most_negative: a mask by scatter, the lowest number of the dtype, a distribution
def next_token_probabilities(logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None):
    if temperature == 0.0:
        temperature, top_k = 1.0, None
        kept = logits.argmax(-1, keepdim=True)
    else:
        kept = logits.topk(min(top_k or logits.size(-1), logits.size(-1)), dim=-1).indices
    left_out = torch.ones_like(logits, dtype=torch.bool).scatter(-1, kept, False)
    scores = (logits / temperature).masked_fill(left_out, torch.finfo(logits.dtype).min)
    return torch.distributions.Categorical(logits=scores, validate_args=False).probs
# %% in_float32: computed in float32 where the input is narrower, and cast back
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    dtype = logits.dtype
    wide = logits.to(torch.promote_types(dtype, torch.float32))
    if temperature == 0:
        return torch.eye(logits.shape[1], dtype=dtype, device=logits.device)[wide.argmax(1)]
    if top_k is not None:
        kth = wide.kthvalue(max(wide.shape[1] - top_k + 1, 1), dim=1, keepdim=True).values
        wide = wide.masked_fill(wide.lt(kth), -1e9)
    return torch.log_softmax(wide / temperature, dim=1).exp().to(dtype)
