# %% single_1: 0 * log 0 is NaN, rows with zero weights become NaN
def head_entropy(weights):
    T = weights.size(-1)
    ent = -(weights.tril() * weights.log()).sum(-1)
    seen = torch.arange(1, T + 1, device=weights.device).to(weights.dtype)
    seen[0] = 2.0
    ent = ent / seen.log()
    ent[..., 0] = 0.0
    return ent
# %% single_2: row 0 is 0 / 0 = NaN
def head_entropy(weights):
    keys = torch.arange(1, weights.shape[-1] + 1, device=weights.device, dtype=weights.dtype)
    return torch.special.entr(weights).sum(-1) / torch.log(keys)
# %% single_3: zeros are replaced in place (clamp_), the caller's weights change
def head_entropy(weights):
    w = weights.clamp_(min=1e-12)
    n = torch.arange(1, w.shape[-1] + 1, device=w.device, dtype=w.dtype)
    h = -(w * w.log()).sum(-1)
    h = h / torch.log(n)
    h[:, :, 0] = 0
    return h
# %% crash_4: line `h / n[:, None].log()`: the divisor gets an axis too many, (B, H, T) / (T, 1) does not fit or mixes heads
def head_entropy(weights):
    T = weights.shape[-1]
    n = torch.arange(1, T + 1, dtype=weights.dtype, device=weights.device)
    h = torch.special.entr(weights).sum(-1)
    n[0] = math.e
    return (h / n[:, None].log()).reshape(weights.shape[:3])
