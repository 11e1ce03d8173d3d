# %% single_1: the mean of each text's mean, not one mean over all rows
def induction_score(weights, tokens):
    per_text = []
    T = tokens.size(1)
    for w, t in zip(weights, tokens):
        rows = []
        for i in range(T):
            prev = (t[:i] == t[i]).nonzero().flatten()
            if len(prev):
                rows.append(w[:, i, prev + 1].sum(-1))
        if rows:
            per_text.append(torch.stack(rows).mean(0))
    if not per_text:
        return weights.new_zeros(weights.shape[1])
    return torch.stack(per_text).mean(0)
# %% single_2: only the last earlier occurrence counts
def induction_score(weights, tokens):
    total = torch.zeros(weights.shape[1], dtype=weights.dtype)
    n = 0
    for b, seq in enumerate(tokens.tolist()):
        last = {}
        for i, letter in enumerate(seq):
            if letter in last:
                total += weights[b, :, i, last[letter] + 1]
                n += 1
            last[letter] = i
    return total / max(n, 1)
# %% single_3: looks at the earlier occurrences themselves, not at what followed them
def induction_score(weights, tokens):
    same = (tokens.unsqueeze(2) == tokens.unsqueeze(1)).tril(-1)
    has = same.any(dim=-1)
    mass = (weights * same.unsqueeze(1)).sum(-1)
    n = has.sum()
    if n == 0:
        return torch.zeros(weights.size(1), dtype=weights.dtype)
    return (mass * has.unsqueeze(1)).sum(dim=(0, 2)) / n
# %% crash_4: line `weights * follow`: follow is (B, T, T) and meets (B, H, T, T) without a head axis
def induction_score(weights, tokens):
    eq = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    follow = eq.roll(1, dims=-1)
    follow[..., 0] = False
    valid = eq.any(-1)
    mass = (weights * follow).sum(-1)
    return (mass * valid).sum((0, 2)) / valid.sum().clamp(min=1)
