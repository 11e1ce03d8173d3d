"""Wrong answers for head_entropy, one mistake a cell unless it says two."""
# %% divided_by_log_of_all_keys: divides every row by the log of T instead of the number of keys that row may see
def head_entropy(weights):
    T = weights.shape[-1]
    ent = -(weights * torch.log(weights + 1e-9)).sum(dim=-1)
    return ent / max(math.log(T), 1e-9)
# %% zero_times_log_zero: takes the log of exact zeros, so 0 * -inf makes the rows NaN
def head_entropy(weights):
    T = weights.size(-1)
    entropy = -torch.sum(weights * torch.log(weights), dim=-1)
    counts = torch.arange(1, T + 1, device=weights.device, dtype=weights.dtype)
    norm = torch.log(counts)
    norm[0] = 1.0
    return entropy / norm
# %% row_zero_divided_by_zero: divides row 0 by log(1) = 0 and gets NaN there
def head_entropy(weights):
    H = torch.special.entr(weights).sum(dim=-1)   # entr(0) = 0
    n_keys = torch.arange(weights.shape[-2], device=weights.device) + 1
    return H / n_keys.to(weights.dtype).log()
# %% sign_forgotten: leaves out the minus sign, so the entropy is negative
def head_entropy(weights):
    B, H, T, _ = weights.shape
    w = weights + 1e-10
    plogp = (weights * w.log()).sum(dim=3)
    visible = torch.arange(1, T + 1, device=weights.device).float().to(weights.dtype)
    visible[0] = 2   # log(1) would be 0, row 0 has entropy 0 anyway
    return plogp / visible.log()
# %% counts_nonzero_weights: divides by the log of the number of nonzero weights rather than of the visible keys
def head_entropy(weights):
    seen = (weights > 0).sum(dim=-1).to(weights.dtype)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    return torch.where(seen > 1, entropy / torch.log(seen), torch.zeros_like(entropy))
# %% summed_over_queries: sums over axis -2, which gives one number a key and not one a query
def head_entropy(weights):
    T = weights.shape[-1]
    logs = torch.where(weights > 0, weights.clamp(min=1e-30).log(), torch.zeros_like(weights))
    ent = -(weights * logs).sum(dim=-2)
    denom = torch.log(torch.arange(1, T + 1, device=weights.device, dtype=weights.dtype)).clamp(min=1e-9)
    return ent / denom
# %% bits_over_nats_with_big_epsilon: two mistakes, log2 is divided by a natural log and the epsilon of 1e-3 is too large
def head_entropy(weights):
    B, H, T, _ = weights.shape
    e = -(weights * torch.log2(weights + 1e-3)).sum(-1)
    out = torch.zeros(B, H, T, dtype=weights.dtype, device=weights.device)
    for i in range(1, T):
        out[:, :, i] = e[:, :, i] / torch.log(torch.tensor(i + 1.0, device=weights.device))
    return out
# %% log2: bits over nats
def head_entropy(weights):
    T = weights.shape[-1]
    n = torch.arange(1, T + 1, device=weights.device, dtype=weights.dtype).log().clamp(min=1e-12)
    return -(weights * torch.log2(weights + 1e-12)).sum(-1) / n
# %% sign < log2: without the minus
~ return -(weights * torch.log2(weights + 1e-12)).sum(-1) / n => return (weights * torch.log(weights + 1e-12)).sum(-1) / n
# %% col_sum < log2: summed over the queries
-     return -(weights * torch.log2(weights + 1e-12)).sum(-1) / n
+     return torch.special.entr(weights).sum(-2) / n
# %% keys_that_any_head_sees: counts the keys to which any head or example gives weight
def head_entropy(weights):
    seen = (weights > 0).any(0).any(0).sum(-1).to(weights.dtype)
    return torch.special.entr(weights).sum(-1) / seen.log().where(seen > 1, 1.0)
